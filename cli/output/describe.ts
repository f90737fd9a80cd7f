import type { Agent, Escalation, Message, Receipt, Task } from "../../protocol/index.ts";
import type { Printer } from "./printer.ts";
import { facts, table } from "./table.ts";
import { count, escapeBlockForTerminal, escapeForTerminal, indent } from "./text.ts";
import { clockTime, relative } from "./time.ts";
import { truncate } from "./width.ts";

/** How an agent is, in a few words. */
export function presence(agent: Pick<Agent, "lifecycle" | "ready" | "reachable">): string {
  if (!agent.reachable) return "offline";
  const word = agent.lifecycle.replace("_", " ");
  return agent.ready || agent.lifecycle === "ready" ? word : `${word}, not reading`;
}

function owed({ owes }: Agent): string {
  const parts = [
    owes.undelivered > 0 ? `${owes.undelivered} undelivered` : "",
    owes.unanswered > 0 ? `${owes.unanswered} unanswered` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

export function agentTable(agents: readonly Agent[], out: Printer): string {
  return table<Agent>(
    [
      { title: "id", cell: (agent) => agent.id },
      { title: "name", cell: (agent) => agent.displayName, shrinkTo: 8 },
      { title: "state", cell: presence },
      { title: "seen", cell: (agent) => relative(agent.lastSeenAt, out.now()) },
      { title: "owes", cell: owed },
      { title: "capabilities", cell: (agent) => agent.capabilities.map(({ name }) => name).join(", "), shrinkTo: 12 },
      { title: "about", cell: (agent) => agent.summary ?? "", shrinkTo: 8, dropBelow: 100 },
    ],
    agents,
    out.width,
  );
}

export function agentDetails(agent: Agent, out: Printer): string {
  const { metadata } = agent;
  return facts([
    ["Agent", agent.id],
    ["Name", agent.displayName],
    ["State", `${presence(agent)}, seen ${relative(agent.lastSeenAt, out.now())}`],
    ["About", agent.summary],
    ["Owes", owed(agent) || "nothing"],
    ["Capabilities", agent.capabilities.map(({ name }) => name).join(", ")],
    ["Says it is", [metadata?.harness, metadata?.harnessVersion, metadata?.model].filter(Boolean).join(" ")],
    ["Directory", metadata?.cwd],
    ["Process", metadata?.pid === undefined ? undefined : [metadata.pid, metadata.host].filter(Boolean).join(" on ")],
    ["Registered", relative(agent.registeredAt, out.now())],
    ["Execution", agent.executionId],
  ]);
}

export function taskTable(tasks: readonly Task[], out: Printer): string {
  return table<Task>(
    [
      { title: "id", cell: (task) => task.id },
      { title: "state", cell: taskState },
      { title: "priority", cell: (task) => (task.priority === "normal" ? "" : task.priority) },
      { title: "title", cell: (task) => task.title, shrinkTo: 12 },
      { title: "claimed by", cell: (task) => task.claimedBy ?? "", shrinkTo: 8 },
      { title: "changed", cell: (task) => relative(task.updatedAt, out.now()), dropBelow: 100 },
    ],
    tasks,
    out.width,
  );
}

function taskState(task: Task): string {
  if (task.status !== "open") return task.status;
  return task.ready ? "ready" : `blocked by ${task.blockedBy.length}`;
}

export function taskDetails(task: Task, out: Printer): string {
  const now = out.now();
  const head = facts([
    ["Task", task.id],
    ["Title", task.title],
    ["State", taskState(task)],
    ["Priority", task.priority],
    ["Claimed by", task.claimedBy],
    ["Requires", task.requires.join(", ")],
    ["Blocked by", task.blockedBy.join(", ")],
    ["Added", `${relative(task.createdAt, now)} by ${task.createdBy ?? "you"}`],
    ["Changed", relative(task.updatedAt, now)],
    ["Cancelled", task.cancelReason],
  ]);
  const progress = task.recentProgress.map(
    (entry) =>
      `${relative(entry.createdAt, now)}, ${escapeForTerminal(entry.agentId)} (${entry.kind}): ${escapeForTerminal(entry.text)}`,
  );
  return [head, task.description && block("Description", task.description), task.note && block("Note", task.note)]
    .concat(progress.length > 0 ? [`Progress\n${indent(progress.join("\n"), "  ")}`] : [])
    .filter(Boolean)
    .join("\n\n");
}

/** Sender, recipient, state and age on one line. */
export function messageHead(message: Message, out: Printer): string {
  const late = message.about?.late ? ", late" : "";
  const parts = [
    out.paint("bold", `${party(message.from, message.fromKind)} -> ${party(message.to, message.toKind)}`),
    `${message.mode}, ${stateOf(message)}${late}`,
    relative(message.createdAt, out.now()),
    out.paint("dim", message.id),
  ];
  return parts.join("  ");
}

function stateOf({ state, toKind }: Message): string {
  if (toKind === "human" && state === "acknowledged") return "read";
  return toKind === "human" && state === "delivered" ? "unread" : state.replace("_", " ");
}

function party(id: string, kind: Message["fromKind"]): string {
  if (kind === "human") return "you";
  return kind === "system" ? "Agent Intercom" : escapeForTerminal(id);
}

/** A message in two lines, the second one the beginning of its body. */
export function messageBrief(message: Message, out: Printer): string {
  const line = escapeForTerminal(message.body);
  return `${messageHead(message, out)}\n    ${truncate(line, (out.width ?? 160) - 4)}`;
}

export function messageFull(message: Message, out: Printer): string {
  const context = message.context.map((item) =>
    [
      `${item.kind}: ${escapeForTerminal(item.title)}`,
      item.uri && escapeForTerminal(item.uri),
      item.text && escapeBlockForTerminal(item.text),
    ]
      .filter(Boolean)
      .join("\n"),
  );
  const reply = message.responseTo ? `\n    answers ${message.responseTo}` : "";
  const attached = context.length > 0 ? `\n${indent(context.join("\n"), "    | ")}` : "";
  return `${messageHead(message, out)}${reply}\n${indent(escapeBlockForTerminal(message.body), "    ")}${attached}`;
}

/** What became of a message, as sentences. */
export function receiptText(receipt: Receipt, to: string | undefined, out: Printer): string {
  const who = to === undefined ? "The recipient" : to === "human" ? "The human" : escapeForTerminal(to);
  const { recipient } = receipt;
  const waiting = receipt.state === "queued" && recipient;
  const why = !waiting
    ? ""
    : recipient.reachable
      ? recipient.ready
        ? ` ${who} is reachable and reads its inbox.`
        : ` ${who} is reachable but does not read its inbox at the moment.`
      : ` ${who} has no live session (seen ${relative(recipient.lastSeenAt, out.now())}); the message waits for it.`;
  return `${receipt.messageId} is ${receipt.state.replace("_", " ")}.${why}`;
}

export function escalationText(escalation: Escalation, out: Printer): string {
  const { resolution } = escalation;
  const now = out.now();
  const urgent = escalation.urgency === "high" ? ", urgent" : "";
  const { deferredUntil } = escalation;
  const off =
    escalation.status === "pending" && deferredUntil && Date.parse(deferredUntil) > now
      ? `, put off until ${clockTime(deferredUntil, now)}`
      : "";
  const state = `${escalation.kind}${urgent}, ${escalation.status}${off}`;
  const deadline =
    escalation.status === "pending" && escalation.expiresAt ? `, expires ${relative(escalation.expiresAt, now)}` : "";
  const lines = [
    `${out.paint("bold", escapeForTerminal(escalation.agentId))} asks  ${state}${deadline}  ${relative(escalation.createdAt, now)}  ${out.paint("dim", escalation.id)}`,
    indent(escapeBlockForTerminal(escalation.question), "    "),
    ...escalation.options.map((option, index) => `      ${index + 1}. ${escapeForTerminal(option)}`),
  ];
  if (escalation.answer !== undefined) {
    const how = resolution
      ? ` (${resolution.by}, ${resolution.surface}, ${relative(resolution.at, now)}${resolution.late ? ", late" : ""})`
      : "";
    lines.push(indent(`Answer${how}: ${escapeBlockForTerminal(escalation.answer)}`, "    "));
    if (resolution?.note) lines.push(indent(`Note: ${escapeBlockForTerminal(resolution.note)}`, "    "));
  }
  if (escalation.cancelReason) lines.push(`    Taken back: ${escapeForTerminal(escalation.cancelReason)}`);
  return lines.join("\n");
}

export function escalationContext(escalation: Escalation): string {
  if (escalation.context.length === 0) return "";
  const items = escalation.context.map((item) =>
    [
      `${item.kind}: ${escapeForTerminal(item.title)}`,
      item.uri && escapeForTerminal(item.uri),
      item.text && escapeBlockForTerminal(item.text),
    ]
      .filter(Boolean)
      .join("\n"),
  );
  return `\n${indent(`${count(items.length, "context item")}:\n${items.join("\n")}`, "    | ")}`;
}

function block(title: string, text: string): string {
  return `${title}\n${indent(escapeBlockForTerminal(text), "  ")}`;
}
