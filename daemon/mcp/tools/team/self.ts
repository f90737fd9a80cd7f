import { z } from "zod";
import { lifecycle } from "../../../../protocol/index.ts";
import { clip } from "../../result-room.ts";
import type { ToolContext } from "../../tool.ts";
import { viewAgent } from "../shared/agent-view.ts";
import { forgivingTool, NEXT } from "../shared/forgiving-tool.ts";
import { ownSummary } from "../shared/summary.ts";

/** How many of each kind are named; the rest are counted. */
const NAMED = 5;
/** Room for the beginning of a text, characters of JSON. */
const BEGINNING_ROOM = 120;

const counted = <T extends z.ZodObject>(item: T) =>
  z.object({ count: z.int().meta({ description: `Above ${NAMED}: at least so many.` }), first: z.array(item) });

export const whoami = forgivingTool({
  name: "whoami",
  title: "Who am I",
  description:
    "Who you are among the agents here, and what is open for you: messages waiting, requests you have not answered, tasks " +
    "you have claimed, questions you have asked the human. Call it at the start, and when you have lost the thread.",
  readOnly: true,
  alwaysLoad: true,
  input: z.strictObject({}),
  output: z.object({
    agentId: z.string(),
    name: z.string(),
    scope: z.string(),
    lifecycle,
    summary: z.string().optional(),
    client: z.string().optional(),
    model: z.string().optional(),
    folder: z.string().optional(),
    waiting: z.int().meta({ description: "Messages to take with check_inbox." }),
    unanswered: counted(z.object({ messageId: z.string(), from: z.string(), beginning: z.string() })),
    tasks: counted(z.object({ taskId: z.string(), title: z.string() })),
    questions: counted(z.object({ questionId: z.string(), beginning: z.string() })),
    next: z.string().meta({ description: NEXT }),
  }),
  async run(_input, { call }) {
    const { identity, agent } = await call("whoAmI", {});
    const { id: agentId, reachable: _, owes, ...view } = viewAgent(agent);
    const waiting = owes.undelivered;
    const unanswered = await requestsOf(call);
    const tasks = await tasksOf(agentId, call);
    const questions = await questionsOf(call);
    const next = nextFor(waiting, unanswered.count, tasks.count);
    return { agentId, ...view, scope: identity.scopeId, waiting, unanswered, tasks, questions, next };
  },
});

/** One more than are named tells whether there are more. */
const limit = NAMED + 1;

function count<T>(items: readonly T[]): { count: number; first: T[] } {
  return { count: items.length, first: items.slice(0, NAMED) };
}

async function requestsOf(call: ToolContext["call"]) {
  const { messages } = await call("listMyRequests", { limit });
  return count(messages.map(({ id, from, body }) => ({ messageId: id, from, beginning: clip(body, BEGINNING_ROOM) })));
}

async function tasksOf(agentId: string, call: ToolContext["call"]) {
  const { tasks } = await call("listTasksPage", { status: "claimed", claimedBy: agentId, limit });
  return count(tasks.map(({ id, title }) => ({ taskId: id, title: clip(title, BEGINNING_ROOM) })));
}

async function questionsOf(call: ToolContext["call"]) {
  const { escalations } = await call("listMyEscalations", { status: "pending", limit });
  return count(escalations.map(({ id, question }) => ({ questionId: id, beginning: clip(question, BEGINNING_ROOM) })));
}

function nextFor(waiting: number, unanswered: number, tasks: number): string {
  if (waiting > 0) return "Call check_inbox: messages are waiting.";
  if (unanswered > 0)
    return "Somebody waits for your reply: read_messages with the messageId, then send_message with replyTo.";
  if (tasks > 0) return "Go on with the tasks you have claimed, or give them back with finish_task.";
  return "Nothing is open. list_tasks shows work to take, list_agents who else is here.";
}

export const setSummary = forgivingTool({
  name: "set_summary",
  title: "Say what you are doing",
  description:
    "Tell the other agents and the human in one sentence what you are working on. Call it when that changes; an empty text " +
    "takes it back.",
  ...ownSummary,
});
