import { AgentSession, type Escalation, type Message, type Receipt } from "../../client/index.ts";
import { CliError } from "../errors.ts";
import type { Stage } from "./stage.ts";

/** One step: what happens, checked against the daemon's own state, told in a line or two. */
export interface Step {
  readonly title: string;
  play(): Promise<string[]>;
}

const REQUEST = "I fixed the rounding in the cart total. Can you review it before we ship?";
const TASK = "Review the rounding fix";
const FINDING = "All 214 tests pass; one total is off by a cent for 3 x 0.335.";
const REPLY = "Reviewed: good, but 3 x 0.335 rounds down. Ship as it is, or fix that first?";
const QUESTION = "The reviewer found a one-cent difference for 3 x 0.335. Ship anyway?";
const ANSWER = "Fix it first";
const SMALL_TALK = "I am an agent of the demo and know only my part, but your message has reached me.";
const PATIENCE_MS = 4000;

interface Incoming {
  readonly message: Message;
  readonly reply: (body: string) => Promise<Receipt>;
  /** Lets the handler return, which acknowledges the message. */
  readonly finish: () => void;
}

export interface StoryOptions {
  readonly stage: Stage;
  /** Answers the question in your place; without it the story waits until you have. */
  readonly answersItself: boolean;
}

/** The story in its order. Steps share what earlier ones made. */
export function story({ stage, answersItself }: StoryOptions): Step[] {
  const { owner } = stage;
  let planner: AgentSession;
  let reviewer: AgentSession;
  let incoming: Promise<Incoming>;
  let answered: Promise<Message>;
  let decided: Promise<Escalation>;
  let requestId = "";
  let taskId = "";
  let escalationId = "";

  const join = async (
    id: string,
    displayName: string,
    summary: string,
    ...capabilities: string[]
  ): Promise<AgentSession> => {
    const registration = { id, displayName, summary, capabilities: capabilities.map((name) => ({ name })) };
    const session = await AgentSession.start({ scope: owner, registration });
    stage.sessions.push(session);
    return session;
  };

  return [
    {
      title: "Two agents join",
      async play() {
        planner = await join("planner", "Planner", "Plans the work on the web shop", "plan");
        reviewer = await join("reviewer", "Reviewer", "Reviews changes to the web shop", "review");
        incoming = nextMessage(reviewer, stage.curtain.signal);
        const { agents } = await owner.listAgentsPage();
        expect(agents.length === 2 && agents.every((agent) => agent.reachable && agent.ready), "both agents are live");
        return ["planner and reviewer each hold a lease and a token of their own."];
      },
    },
    {
      title: "Discover",
      async play() {
        const peers = await planner.client.listPeers();
        const found = peers.find(({ capabilities }) => capabilities.some(({ name }) => name === "review"));
        expect(found?.id === "reviewer" && found.reachable, "the planner finds a reviewer");
        return [`planner looks for somebody who can review: ${found?.displayName}, "${found?.summary}".`];
      },
    },
    {
      title: "Request with context",
      async play() {
        const context = [
          { kind: "file" as const, title: "src/cart.ts", uri: "file:///shop/src/cart.ts" },
          { kind: "text" as const, title: "what changed", text: "total = Math.round(sum * 100) / 100" },
        ];
        answered = planner.ask("reviewer", REQUEST, { context, timeoutMs: PATIENCE_MS });
        answered.catch(() => {});
        const { message } = await within(incoming, "the reviewer receives the request");
        requestId = message.id;
        const stored = await owner.getMessage({ messageId: requestId });
        expect(
          stored.deliveredAt !== undefined && stored.context.length === 2,
          "the request is stored and delivered with its context",
        );
        return [`planner -> reviewer: "${REQUEST}"`, "with src/cart.ts and the change; stored first, then delivered."];
      },
    },
    {
      title: "Add a task",
      async play() {
        const { id } = await planner.client.addTask({ title: TASK, priority: "high", requires: ["review"] });
        taskId = id;
        const task = await owner.getTask({ taskId });
        expect(task.status === "open" && task.ready && task.createdBy === "planner", "the task is ready");
        return [`planner adds "${TASK}", priority high, for an agent that can review.`];
      },
    },
    {
      title: "Claim it",
      async play() {
        const claimed = await reviewer.client.claimNextTask();
        const task = await owner.getTask({ taskId });
        expect(claimed?.id === taskId && task.claimedBy === "reviewer", "the reviewer holds the claim");
        return ["reviewer takes the best task it can do. Nobody else can take it now."];
      },
    },
    {
      title: "Report progress",
      async play() {
        await reviewer.client.addTaskProgress({ taskId, kind: "progress", text: FINDING });
        const [entry] = await owner.listTaskProgress({ taskId });
        expect(entry?.text === FINDING && entry.agentId === "reviewer", "the progress is recorded");
        return [`reviewer: "${FINDING}"`];
      },
    },
    {
      title: "Complete it",
      async play() {
        await reviewer.client.completeTask({ taskId, note: "Good, with one open question." });
        const task = await owner.getTask({ taskId });
        expect(task.status === "done" && task.note !== undefined, "the task is done");
        return ["reviewer completes the task with a note."];
      },
    },
    {
      title: "Reply",
      async play() {
        const { reply, finish } = await incoming;
        await reply(REPLY);
        finish();
        const response = await within(answered, "the planner receives the reply");
        const request = await owner.getMessage({ messageId: requestId });
        expect(
          response.body === REPLY && request.responseMessageId === response.id,
          "the reply belongs to the request",
        );
        return [`reviewer -> planner: "${REPLY}"`];
      },
    },
    {
      title: "Ask the human",
      async play() {
        const timeoutMs = answersItself ? PATIENCE_MS : undefined;
        decided = planner.askHuman(QUESTION, {
          options: ["Ship it", ANSWER],
          urgency: "high",
          signal: stage.curtain.signal,
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        });
        decided.catch(() => {});
        const asked = await eventually(
          async () => (await owner.listEscalationsPage({ status: "pending" })).escalations[0],
        );
        expect(asked?.question === QUESTION && asked.agentId === "planner", "the question waits for you");
        escalationId = asked?.id as string;
        stage.farewells.push(() => planner.client.cancelEscalation({ escalationId, reason: "The demo has ended." }));
        return [
          `planner asks you: "${QUESTION}"`,
          `1. Ship it   2. ${ANSWER}`,
          ...(answersItself ? [] : whereToAnswer(stage, escalationId)),
        ];
      },
    },
    {
      title: "You answer",
      async play() {
        if (answersItself) await owner.resolveEscalation({ escalationId, answer: ANSWER, by: "human", surface: "cli" });
        else await decided;
        const { status, answer, resolution } = await owner.getScopeEscalation({ escalationId });
        expect(status === "resolved" && resolution?.by === "human", "the answer is recorded as yours");
        const where = answersItself
          ? "who gave it, where and when"
          : `you as who gave it, and ${resolution?.surface} as where`;
        return [`"${answer}", recorded with ${where}.`];
      },
    },
    {
      title: "The answer arrives",
      async play() {
        const { answer } = await within(decided, "the planner receives your answer");
        expect(answer === (await owner.getScopeEscalation({ escalationId })).answer, "the planner has your answer");
        const request = await eventually(async () => {
          const message = await owner.getMessage({ messageId: requestId });
          return message.state === "acknowledged" ? message : undefined;
        });
        expect(request !== undefined, "nothing is left undone");
        return ["planner goes on with it. Every step above was read back from the daemon's database."];
      },
    },
  ];
}

function whereToAnswer({ scopeId }: Stage, escalationId: string): string[] {
  return [
    "Your turn: answer it from the tray, in the window, or with",
    `agent-intercom --scope ${scopeId} escalations answer ${escalationId} "${ANSWER}"`,
  ];
}

/**
 * The first request to an agent, kept open until `finish` or the end of the story. Whatever comes later, from you for
 * instance, is answered by somebody who has only one part to play.
 */
function nextMessage(agent: AgentSession, curtain: AbortSignal): Promise<Incoming> {
  let first = true;
  return new Promise((resolve) => {
    agent.onMessage((message, { reply }) => {
      if (message.fromKind === "human" && message.about === undefined) return reply(SMALL_TALK);
      if (message.mode !== "request" || !first) return undefined;
      first = false;
      return new Promise<void>((finish) => {
        curtain.addEventListener("abort", () => finish(), { once: true });
        resolve({ message, reply: (body) => reply(body), finish });
      });
    });
  });
}

function expect(condition: boolean, what: string): void {
  if (!condition) throw new CliError(`It did not happen that ${what}.`, { code: "DEMO_FAILED" });
}

async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new CliError(`It did not happen in time that ${what}.`, { code: "DEMO_FAILED" })),
      PATIENCE_MS,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function eventually<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined || performance.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
