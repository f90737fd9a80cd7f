import type { ToolContext } from "../tool.ts";

export const INBOX = "intercom://inbox";
export const AGENTS = "intercom://agents";
export const TASKS = "intercom://tasks";
const TASK = `${TASKS}/`;
const CONVERSATION = "intercom://conversation/";

export const taskUri = (taskId: string) => `${TASK}${encodeURIComponent(taskId)}`;
export const conversationUri = (agentId: string) => `${CONVERSATION}${encodeURIComponent(agentId)}`;

/** What an address leads to. */
export type Target =
  | { readonly kind: "inbox" | "agents" | "tasks" }
  | { readonly kind: "task" | "conversation"; readonly id: string };

/** Reads an address of a resource; undefined for one that leads nowhere. */
export function parseUri(uri: string): Target | undefined {
  if (uri === INBOX) return { kind: "inbox" };
  if (uri === AGENTS) return { kind: "agents" };
  if (uri === TASKS) return { kind: "tasks" };
  if (uri.startsWith(TASK)) return target("task", uri.slice(TASK.length));
  if (uri.startsWith(CONVERSATION)) return target("conversation", uri.slice(CONVERSATION.length));
  return undefined;
}

function target(kind: "task" | "conversation", encoded: string): Target | undefined {
  try {
    const id = decodeURIComponent(encoded);
    return id === "" || id.includes("/") ? undefined : { kind, id };
  } catch {
    return undefined;
  }
}

type Call = ToolContext["call"];

/** How many entries a resource shows; tools page through the rest. */
const MOST = 50;
/** How much of a text it shows, characters. */
const LONGEST = 1000;

/** @throws {IntercomError} as the operations behind it do */
export async function readTarget(target: Target, call: Call): Promise<unknown> {
  switch (target.kind) {
    case "inbox":
      return readInbox(call);
    case "agents":
      return readAgents(call);
    case "tasks":
      return readTasks(call);
    case "task":
      return readTask(call, target.id);
    case "conversation":
      return readConversation(call, target.id);
  }
}

/** Looking at it takes nothing out of it. */
async function readInbox(call: Call): Promise<unknown> {
  const { agent } = await call("whoAmI", {});
  const { messages } = await call("listMyMessages", { limit: 100 });
  const waiting = messages.filter(
    ({ to, state }) => to === agent.id && (state === "queued" || state === "reserved" || state === "delivered"),
  );
  return { owes: agent.owes, newestFirst: waiting.slice(0, MOST).map(shorten) };
}

async function readAgents(call: Call): Promise<unknown> {
  const [{ agent }, peers] = [await call("whoAmI", {}), await call("listPeers", {})];
  return { you: agent, peers: peers.slice(0, MOST), total: peers.length };
}

async function readTasks(call: Call): Promise<unknown> {
  const open = await call("listTasksPage", { status: "open", limit: MOST });
  const claimed = await call("listTasksPage", { status: "claimed", limit: MOST });
  return { open: open.tasks, claimed: claimed.tasks };
}

async function readTask(call: Call, taskId: string): Promise<unknown> {
  const task = await call("getTask", { taskId });
  const progress = await call("listTaskProgress", { taskId });
  return { task, progress: progress.slice(-MOST) };
}

async function readConversation(call: Call, peer: string): Promise<unknown> {
  const { messages } = await call("listMyMessages", { peer, limit: MOST });
  return { with: peer, newestFirst: messages.map(shorten) };
}

function shorten<T extends { readonly body: string }>(message: T): T & { readonly truncated?: true } {
  const { body } = message;
  return body.length <= LONGEST ? message : { ...message, body: body.slice(0, LONGEST), truncated: true };
}
