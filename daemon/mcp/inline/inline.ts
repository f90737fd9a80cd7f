import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type Escalation, IntercomError, isIntercomError, LIMITS } from "../../../protocol/index.ts";
import { answerInClient, authenticate } from "../../core/index.ts";
import { callsAs } from "../calls.ts";
import type { Handling, Parts } from "../server.ts";
import type { InlineQuestions } from "../tool.ts";
import { answerIn, formFor } from "./form.ts";

/** What a client of the modern era brings back together with its user's answer. */
export interface AskedState {
  readonly questionId: string;
}

/** How long a client may take to come back with an answer, s. */
const STATE_TTL_S = 3600;

/** Signs what a client has to bring back: whoever was asked is who answers, and in the same kind of call. */
export function askedStates(key: Uint8Array, guestKeyOf: (context: ServerContext) => string) {
  const bind = (context: ServerContext) => `${context.mcpReq.method}\n${guestKeyOf(context)}`;
  return createRequestStateCodec<AskedState>({ key, ttlSeconds: STATE_TTL_S, bind });
}

/** How long a client may show a question while its call stays open, ms: less than what any client allows a call. */
const SHOWN_MS = 240_000;
const ANSWER_KEY = "answer";

/** Ends a call of the modern era: the client asks its user, and calls again with the answer. */
export class ClientMustAsk extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super("the client has to ask its user");
    this.result = result;
  }
}

/**
 * Shows a question to the human in the client itself, beside wherever else it is shown. The question is stored, so nothing
 * depends on it: whoever answers first wins, there or elsewhere. Undefined for clients that cannot ask.
 */
export function inlineQuestions(
  { services, server, states }: Parts,
  handling: Omit<Handling, "inline">,
): InlineQuestions | undefined {
  const { context, visit, member, call, signal } = handling;
  const { mcpReq } = context;
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  const isModern = envelope !== undefined;
  const capabilities = isModern ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
  const { elicitation } = (capabilities ?? {}) as ClientCapabilities;
  if (!elicitation || (elicitation.url && !elicitation.form) || !(isModern || visit.session)) return undefined;

  /** @returns whether the user answered there */
  async function takeAnswer(question: Escalation, response: unknown): Promise<boolean> {
    const answer = answerIn(response, question);
    if (answer === undefined) return false;
    const client = visit.session?.client.name;
    const credentials = await member.credentials();
    try {
      await services.engine.transact("write", async (ctx) => {
        const caller = await authenticate(ctx, "agent", credentials);
        if (caller?.kind !== "agent") throw new IntercomError("UNAUTHENTICATED", "Only an agent may ask");
        const note = client ? `in ${client}` : undefined;
        return answerInClient(ctx, caller, { escalationId: question.id, answer, note });
      });
    } catch (error) {
      // Somebody was faster elsewhere; that answer is the one that counts.
      if (!isIntercomError(error, "CONFLICT")) throw error;
    }
    return true;
  }

  /** Waits for an answer from wherever it may come. */
  async function look(question: Escalation, waitMs: number, enough?: AbortSignal): Promise<Escalation> {
    const call = callsAs(services, member, enough ? AbortSignal.any([signal, enough]) : signal);
    const until = performance.now() + waitMs;
    for (let seen = question; ; ) {
      const leftMs = until - performance.now();
      if (seen.status !== "pending" || leftMs <= 0 || signal.aborted || enough?.aborted) return seen;
      const before = performance.now();
      const lookMs = Math.ceil(Math.min(LIMITS.waitMaxMs, leftMs));
      seen = await call("getEscalation", { escalationId: question.id, waitMs: lookMs });
      // Put off elsewhere: the agent is to know now, and not when it has waited to the end.
      if (seen.deferredUntil !== question.deferredUntil) return seen;
      // A wait that is over too early is the daemon's way of saying that it stops.
      if (seen.status === "pending" && performance.now() - before < lookMs / 2) return seen;
    }
  }

  /** The older era: asks in the middle of the call. */
  async function askBeside(question: Escalation, waitMs: number): Promise<Escalation> {
    const began = performance.now();
    const [decided, declined] = [new AbortController(), new AbortController()];
    const options = { signal: decided.signal, timeout: SHOWN_MS };
    void mcpReq
      .send({ method: "elicitation/create", params: { ...formFor(question) } }, options)
      .then((response) => takeAnswer(question, response))
      .catch(() => false)
      .then((here) => {
        if (!here) declined.abort();
      });
    try {
      const seen = await look(question, SHOWN_MS, declined.signal);
      // Declined, or there is nobody: what remains is a wait like any other.
      return declined.signal.aborted ? await look(seen, waitMs - (performance.now() - began)) : seen;
    } finally {
      // Answered elsewhere: the client need not show it any longer.
      decided.abort();
    }
  }

  const asked = mcpReq.requestState<AskedState>()?.questionId;
  return {
    asked,
    async answerTo(question, waitMs) {
      // A permission is the owner's to grant, and shown where nobody but the owner can.
      if (question.kind === "permission" || question.status !== "pending") return look(question, waitMs);
      if (!isModern) return askBeside(question, waitMs);
      if (asked === undefined) throw new ClientMustAsk(await mustAsk(question, context, states));
      await takeAnswer(question, mcpReq.inputResponses?.[ANSWER_KEY]);
      return look(await call("getEscalation", { escalationId: question.id }), waitMs);
    },
  };
}

async function mustAsk(
  question: Escalation,
  context: ServerContext,
  states: RequestStateCodec<AskedState>,
): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: { [ANSWER_KEY]: inputRequired.elicit(formFor(question)) },
    requestState: await states.mint({ questionId: question.id }, context),
  });
}
