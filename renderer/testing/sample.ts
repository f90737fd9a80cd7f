import type { LiveAgent } from "../../protocol/desktop/live.ts";
import type { Lifecycle } from "../../protocol/objects/agent.ts";
import type { Escalation } from "../../protocol/objects/escalation.ts";
import type { Message } from "../../protocol/objects/message.ts";
import type { Task } from "../../protocol/objects/task.ts";

/** Instants are counted back from here, so that pages look the same on every day. */
export type Ago = (minutes: number) => string;

export function agoFrom(nowMs: number): Ago {
  return (minutes) => new Date(nowMs - minutes * 60_000).toISOString();
}

export function sampleAgent(ago: Ago, agent: Pick<LiveAgent, "id" | "scopeId"> & Partial<LiveAgent>): LiveAgent {
  return {
    displayName: agent.id,
    capabilities: [],
    lifecycle: "working" satisfies Lifecycle,
    ready: true,
    reachable: true,
    executionId: `exe_${agent.id}`,
    registeredAt: ago(180),
    updatedAt: ago(3),
    lastSeenAt: ago(0.2),
    owes: { undelivered: 0, unanswered: 0 },
    ...agent,
  };
}

export function sampleQuestion(
  ago: Ago,
  question: Pick<Escalation, "id" | "scopeId" | "agentId" | "question"> & Partial<Escalation>,
): Escalation {
  return {
    kind: question.options && question.options.length > 0 ? "choice" : "input",
    urgency: "normal",
    options: [],
    context: [],
    status: "pending",
    createdAt: ago(4),
    ...question,
  };
}

export function sampleMessage(
  ago: Ago,
  message: Pick<Message, "id" | "scopeId" | "from" | "to" | "body"> & Partial<Message>,
): Message {
  return {
    fromKind: message.from === "human" ? "human" : "agent",
    toKind: message.to === "human" ? "human" : "agent",
    mode: "notify",
    context: [],
    state: "acknowledged",
    deliveryCount: 1,
    createdAt: ago(10),
    ...message,
  };
}

export function sampleTask(ago: Ago, task: Pick<Task, "id" | "scopeId" | "title"> & Partial<Task>): Task {
  return {
    description: "",
    createdBy: null,
    status: "open",
    priority: "normal",
    requires: [],
    dependencies: [],
    blockedBy: [],
    ready: true,
    recentProgress: [],
    createdAt: ago(60),
    updatedAt: ago(20),
    ...task,
  };
}
