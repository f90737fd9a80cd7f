import fc from "fast-check";
import { it } from "vitest";
import { type EscalationStatus, LIMITS } from "../../protocol/index.ts";
import type { Bench } from "./bench.ts";
import { pick, runSteps, same, step, verdict } from "./commands.ts";
import { content } from "./invariants.ts";

interface ModelQuestion {
  readonly id: string;
  readonly agent: string;
  readonly expiresAt: number | undefined;
  status: EscalationStatus;
  expired: boolean;
  /** Number of the answer, which its text carries. */
  answer: number | undefined;
  answeredAt: number;
  /** Whether the asker has got the answer. */
  read: boolean;
  deferredUntil: number | undefined;
}

class Model {
  readonly bench: Bench;
  readonly scopeToken: string;
  readonly tokens = new Map<string, string>();
  readonly questions: ModelQuestion[] = [];
  answers = 0;

  constructor(bench: Bench, scopeToken: string) {
    this.bench = bench;
    this.scopeToken = scopeToken;
  }

  token(agent: string): string {
    return this.tokens.get(agent) as string;
  }

  compare(): void {
    const stored = this.bench.rows(
      `SELECT id, status, answer, late, expired_at IS NOT NULL AS expired, answer_read_at IS NOT NULL AS read,
              deferred_until AS deferredUntil FROM escalations ORDER BY no`,
    );
    same(
      "the stored questions",
      stored,
      this.questions.map(({ id, status, answer, expired, read, deferredUntil }) => ({
        id,
        status,
        answer: answer === undefined ? null : content(`answer ${answer}`),
        late: answer === undefined ? null : Number(expired),
        expired: Number(expired),
        read: Number(read),
        deferredUntil: deferredUntil ?? null,
      })),
    );
    // Every answer that stands, and nothing else of the human's, has been put into the asker's inbox once.
    const notices = this.bench.rows("SELECT about, body FROM messages WHERE sender_no = 0 ORDER BY seq") as {
      about: string;
      body: string;
    }[];
    const answered = this.questions.filter(({ answer }) => answer !== undefined);
    same(
      "the answers in inboxes",
      notices.map(({ about, body }) => [JSON.parse(about), body]),
      answered
        .toSorted((a, b) => (a.answer as number) - (b.answer as number))
        .map(({ id, answer, expired }) => [
          { kind: "escalation", id, ...(expired ? { late: true } : {}) },
          content(`answer ${answer}`),
        ]),
    );
  }

  settle(): void {
    for (const question of this.questions) {
      if (question.status !== "pending" || (question.expiresAt ?? Number.POSITIVE_INFINITY) > this.bench.clock.now())
        continue;
      question.status = "expired";
      question.expired = true;
    }
  }
}

const UNANSWERED = {
  status: "pending",
  expired: false,
  answer: undefined,
  answeredAt: 0,
  read: false,
  deferredUntil: undefined,
} as const;

const index = fc.nat(9999);
const AGENTS = ["ada", "bob"] as const;
const agentAt = (at: number) => pick(AGENTS, at) as string;

/** Mostly one that is still open. */
function some(model: Model, at: number): ModelQuestion | undefined {
  const open = model.questions.filter(({ status }) => status === "pending" || status === "expired");
  return at % 3 === 0 ? pick(model.questions, at) : pick(open, at);
}

const ask = step<Model, [number, boolean, number | undefined]>(
  "ask",
  [index, fc.boolean(), fc.option(fc.constantFrom(1000, 5000, 60_000), { nil: undefined, freq: 3 })],
  async (model, at, choice, expiresInMs) => {
    const agent = agentAt(at);
    const result = await model.bench.call("askHuman", model.token(agent), {
      question: content("may I?"),
      ...(choice ? { options: [content("yes"), content("no")] } : {}),
      ...(expiresInMs === undefined ? {} : { expiresInMs }),
    });
    same("a new question", [result.status, result.kind], ["pending", choice ? "choice" : "input"]);
    const expiresAt = expiresInMs === undefined ? undefined : model.bench.clock.now() + expiresInMs;
    model.questions.push({ id: result.id, agent, expiresAt, ...UNANSWERED });
  },
);

const get = step<Model, [number, number]>("get", [index, index], async (model, at, questionAt) => {
  const question = some(model, questionAt);
  if (!question) return;
  const agent = agentAt(at);
  const outcome = await model.bench.try("getEscalation", model.token(agent), { escalationId: question.id });
  same("asking for an answer", verdict(outcome), question.agent === agent ? "ok" : "NOT_FOUND");
  if (!outcome.result) return;
  const { status, answer, resolution } = outcome.result;
  same("the question", [status, answer], [question.status, question.answer && content(`answer ${question.answer}`)]);
  if (question.answer !== undefined) question.read = true;
  same("whether the answer is late", resolution?.late, question.answer === undefined ? undefined : question.expired);
});

const cancel = step<Model, [number, number]>("cancel", [index, index], async (model, at, questionAt) => {
  const question = some(model, questionAt);
  if (!question) return;
  const agent = at % 5 === 0 ? agentAt(at) : question.agent;
  const input = { escalationId: question.id, reason: content("not needed") };
  const outcome = await model.bench.try("cancelEscalation", model.token(agent), input);
  const expected = question.agent !== agent ? "NOT_FOUND" : question.status === "pending" ? "ok" : "CONFLICT";
  same("taking a question back", verdict(outcome), expected);
  if (outcome.result) question.status = "cancelled";
});

const resolve = step<Model, [number, boolean]>("resolve", [index, fc.boolean()], async (model, at, viaAdmin) => {
  const question = some(model, at);
  if (!question) return;
  const answer = model.answers + 1;
  const input = {
    escalationId: question.id,
    answer: content(`answer ${answer}`),
    surface: "tray",
    note: content("n"),
  } as const;
  const outcome = viaAdmin
    ? await model.bench.tryAsAdmin("resolveEscalation", input, "s")
    : await model.bench.try("resolveEscalation", model.scopeToken, input);
  const open = question.status === "pending" || question.status === "expired";
  same("answering", verdict(outcome), open ? "ok" : "CONFLICT");
  if (outcome.error) {
    // Whoever comes second learns what the first one did.
    same("what it came to", outcome.error.details?.status, question.status);
    return;
  }
  model.answers = answer;
  Object.assign(question, { status: "resolved", answer, answeredAt: model.bench.clock.now() });
});

const withdraw = step<Model, [number]>("withdraw", [index], async (model, at) => {
  const answered = model.questions.filter(({ status, read }) => status === "resolved" && !read);
  const question = at % 4 === 0 ? pick(model.questions, at) : pick(answered, at);
  if (!question) return;
  const { status, expired, read, answeredAt } = question;
  const outcome = await model.bench.try("withdrawAnswer", model.scopeToken, { escalationId: question.id });
  const reason =
    status !== "resolved"
      ? "not_answered"
      : expired
        ? "late"
        : read
          ? "read"
          : model.bench.clock.now() - answeredAt > LIMITS.answerWithdrawMs
            ? "too_late"
            : undefined;
  if (reason === undefined && outcome.error?.code === "BACKPRESSURE") return;
  same("taking an answer back", verdict(outcome), reason ? `CONFLICT ${reason}` : "ok");
  if (outcome.result) Object.assign(question, { status: "pending", answer: undefined });
  // Its time may have run out meanwhile.
  await model.bench.engine.settleDue();
  model.settle();
});

/** The asker takes everything out of its inbox, or somebody else's. */
const pull = step<Model, [number]>("pull", [index], async (model, at) => {
  const agent = agentAt(at);
  for (;;) {
    const reservation = await model.bench.call("reserveInbox", model.token(agent), { limit: 100 });
    if (!reservation) break;
    const messages = await model.bench.call("commitInbox", model.token(agent), { reservationId: reservation.id });
    const messageIds = messages.map(({ id }) => id);
    await model.bench.call("acknowledgeMessages", model.token(agent), { messageIds });
  }
  for (const question of model.questions) {
    if (question.agent === agent && question.answer !== undefined) question.read = true;
  }
});

const defer = step<Model, [number, number]>(
  "defer",
  [index, fc.constantFrom(0, 1000, 60_000)],
  async (model, at, delayMs) => {
    const question = some(model, at);
    if (!question) return;
    const input = { escalationId: question.id, delayMs };
    const outcome = await model.bench.try("deferEscalation", model.scopeToken, input);
    same("putting off", verdict(outcome), question.status === "pending" ? "ok" : "CONFLICT");
    if (outcome.result) question.deferredUntil = delayMs === 0 ? undefined : model.bench.clock.now() + delayMs;
  },
);

const list = step<Model, [EscalationStatus]>(
  "list",
  [fc.constantFrom("pending", "resolved", "cancelled", "expired")],
  async (model, status) => {
    const { escalations } = await model.bench.call("listEscalationsPage", model.scopeToken, { status, limit: 500 });
    same(
      "the list",
      escalations.map(({ id }) => id),
      model.questions.filter((question) => question.status === status).map(({ id }) => id),
    );
  },
);

/** Questions belong to the agent: a new execution of it goes on with them. */
const replace = step<Model, [number]>("replace", [index], (model, at) => register(model, agentAt(at)));

const pass = step<Model, [number]>("pass", [fc.constantFrom(1, 999, 1000, 30_000, 60_000)], async (model, ms) => {
  await model.bench.pass(ms);
  model.settle();
});

async function register(model: Model, id: string): Promise<void> {
  const input = { id, displayName: id, leaseMs: 86_400_000 };
  model.tokens.set(id, (await model.bench.call("registerAgent", model.scopeToken, input)).agentToken);
}

it("questions do what the model of them says, whatever happens in whatever order", async () => {
  await runSteps<Model>(
    [ask, ask, get, cancel, resolve, resolve, withdraw, withdraw, pull, defer, list, replace, pass],
    { runs: 10, steps: 400 },
    async (bench) => {
      const { scopeToken } = await bench.admin("createScope", { id: "s" });
      const model = new Model(bench, scopeToken);
      for (const agent of AGENTS) await register(model, agent);
      return model;
    },
  );
}, 120_000);
