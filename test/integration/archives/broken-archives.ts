import { ARCHIVE_EXTENSION_LISTS, ARCHIVE_LISTS, LIMITS } from "../../../protocol/index.ts";
import { handWritten } from "./hand-written.ts";

/** Archives with one fault each. A fault is made in an archive that is sound and has one of everything. */

// biome-ignore lint/suspicious/noExplicitAny: faults are what types forbid.
export type Loose = any;

export interface Broken {
  readonly what: string;
  /** Changes the archive in place, or gives what takes its place. */
  readonly break: (archive: Loose) => unknown;
  /** What the refusal begins with. */
  readonly says: string;
}

const AT = "2025-03-01T12:00:00.000Z";

/** The archive written by hand, with extensions. */
export function soundArchive(scopeId: string): Loose {
  const archive: Loose = handWritten(scopeId);
  const extended = (message: object) => ({ context: [], createdAt: AT, mode: "notify", deliveryCount: 0, ...message });
  archive.extensions = {
    linkPolicy: "open",
    agents: [{ ...archive.agents[0], summary: "plans", notices: true }],
    messages: [
      extended({
        id: "x-1",
        from: "human",
        fromKind: "human",
        to: "planner",
        toKind: "agent",
        body: "b",
        state: "queued",
      }),
      extended({
        id: "x-2",
        from: "planner",
        fromKind: "agent",
        to: "reviewer",
        toKind: "agent",
        body: "dead",
        state: "dead_lettered",
        deliveredAt: AT,
        deadLetteredAt: AT,
        deadLetterReason: "why",
        deliveryCount: 1,
      }),
    ],
    tasks: [{ ...taskOf("x-t", "cancelled"), priority: "high", requires: ["planning"], cancelReason: "no" }],
    taskProgress: [{ taskId: "x-t", sequence: 1, agentId: "planner", kind: "note", text: "t", createdAt: AT }],
    escalations: [
      {
        id: "x-a",
        agentId: "planner",
        question: "q",
        options: [],
        status: "expired",
        kind: "input",
        urgency: "low",
        context: [],
        createdAt: AT,
        expiredAt: AT,
      },
    ],
    linkRequests: [{ id: "l-1", from: "planner", to: "reviewer", status: "pending", createdAt: AT }],
  };
  return archive;
}

function taskOf(id: string, status: string, more: object = {}) {
  return {
    id,
    title: id,
    description: "",
    createdBy: null,
    dependencies: [],
    createdAt: AT,
    updatedAt: AT,
    status,
    ...more,
  };
}

const broken = (what: string, says: string, change: Broken["break"]): Broken => ({ what, says, break: change });

const HEAD = ["format", "version", "exportedAt", "scope"] as const;
const REQUIRED = { format: "format", version: "version", exportedAt: "exportedAt", scope: "scope" };

/** The object a list's first record is in. */
function listOf(archive: Loose, path: string): Loose[] {
  return path.split(".").reduce((value: Loose, name) => value[name], archive);
}

const LISTS = [...ARCHIVE_LISTS, ...ARCHIVE_EXTENSION_LISTS.map((name) => `extensions.${name}`)];

/** Faults every list and every member can have. */
function generated(): Broken[] {
  const sound = soundArchive("sound");
  const faults: Broken[] = [];
  for (const name of HEAD) {
    faults.push(broken(`without ${name}`, `${REQUIRED[name]}: is required`, (a) => void delete a[name]));
    faults.push(
      broken(`${name} null`, name, (a) => {
        a[name] = null;
      }),
    );
  }
  faults.push(
    broken("linkPolicy missing", "extensions.linkPolicy: is required", (a) => void delete a.extensions.linkPolicy),
  );
  for (const path of LISTS) {
    const [name, parent] = [path.split(".").at(-1) as string, (a: Loose) => (path.includes(".") ? a.extensions : a)];
    faults.push(broken(`without ${path}`, `${path}: is required`, (a) => void delete parent(a)[name]));
    for (const [kind, value] of [
      ["null", null],
      ["an object", {}],
      ["text", "[]"],
    ] as const) {
      faults.push(
        broken(`${path} is ${kind}`, `${path}: expected a list`, (a) => {
          parent(a)[name] = value;
        }),
      );
    }
    faults.push(broken(`${path} with null`, `${path}.0: `, (a) => void listOf(a, path).unshift(null)));
    faults.push(broken(`${path} with a list`, `${path}.0: `, (a) => void listOf(a, path).unshift([])));
    faults.push(
      broken(`${path} with an unknown member`, `${path}.0.more: unknown field`, (a) => {
        listOf(a, path)[0].more = 1;
      }),
    );
    const [record] = listOf(sound, path);
    for (const member of Object.keys(record)) {
      const says = `${path}.0.${member}`;
      faults.push(
        broken(`${says} is null`, says, (a) => {
          listOf(a, path)[0][member] = null;
        }),
      );
    }
  }
  const allowed = [
    "outputValues.0.value is an object",
    "tasks.0.createdBy is null",
    "extensions.tasks.0.createdBy is null",
  ];
  return faults.filter(({ what }) => !allowed.includes(what));
}

const message = (a: Loose, id: string) => a.messages.find((one: Loose) => one.id === id);
const set = (pick: (a: Loose) => Loose, values: object) => (a: Loose) => void Object.assign(pick(a), values);
const without =
  (pick: (a: Loose) => Loose, ...names: string[]) =>
  (a: Loose) => {
    for (const name of names) delete pick(a)[name];
  };
const many = (count: number, make: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => make(index));
const queued = (index: number, more: object = {}) => ({ ...handWritten("s").messages[2], id: `n-${index}`, ...more });

/** Faults in how records belong together, one for each rule. */
const rules: Broken[] = [
  broken("another format", "format: expected october-bus.scope", (a) => {
    a.format = "other";
  }),
  broken("another version", "version: expected 2", (a) => {
    a.version = 3;
  }),
  broken("an unknown member", "more: unknown field", (a) => {
    a.more = [];
  }),
  broken("a member whose name looks like a path", "extensions\\.agents: unknown field", (a) => {
    a["extensions.agents"] = [];
  }),
  broken("an unknown extension", "extensions.more: unknown field", (a) => {
    a.extensions.more = [];
  }),
  broken("a bad scope id", "scope.id: expected an identifier", (a) => {
    a.scope.id = "no id";
  }),
  broken("extensions that are a list", "extensions: expected an object", (a) => {
    a.extensions = [];
  }),
  broken("a day that is none", "exportedAt: expected an RFC 3339 instant", (a) => {
    a.exportedAt = "2025-02-30T00:00:00Z";
  }),
  broken("an instant no other can be told from", "agents.0.registeredAt: expected an instant in the years", (a) => {
    a.agents[0].registeredAt = "9999-12-31T23:59:59-01:00";
  }),

  broken("an agent twice", "agents.2.id: planner is there twice", (a) => void a.agents.push({ ...a.agents[0] })),
  broken(
    "an extended agent twice",
    "extensions.agents.1.id: planner is there twice",
    (a) => void a.extensions.agents.push(a.extensions.agents[0]),
  ),
  broken(
    "a capability twice",
    "agents.0.capabilities: expected each capability name once",
    (a) => void a.agents[0].capabilities.push({ name: "planning" }),
  ),

  broken(
    "a link the wrong way",
    "links.0: expected left before right",
    set((a) => a.links[0], { left: "reviewer", right: "planner" }),
  ),
  broken(
    "a link with itself",
    "links.0: expected left before right",
    set((a) => a.links[0], { right: "planner" }),
  ),
  broken("a link twice", "links.1: is there twice", (a) => void a.links.push(a.links[0])),
  broken(
    "a link with nobody",
    "links.0: right: zoe is not an agent",
    set((a) => a.links[0], { right: "zoe" }),
  ),

  broken(
    "a message twice",
    "messages.6.id: m-1 is there twice",
    (a) => void a.messages.push({ ...message(a, "m-1"), idempotencyKey: "other" }),
  ),
  broken(
    "a message from nobody",
    "messages.2: from: zoe is not an agent",
    set((a) => message(a, "m-3"), { from: "zoe" }),
  ),
  broken(
    "a message to nobody",
    "messages.2: to: zoe is not an agent",
    set((a) => message(a, "m-3"), { to: "zoe" }),
  ),
  broken(
    "a message to oneself",
    "messages.2: to: expected another agent",
    set((a) => message(a, "m-3"), { to: "planner" }),
  ),
  broken(
    "a reserved message",
    "messages.2.state: expected one of",
    set((a) => message(a, "m-3"), { state: "reserved" }),
  ),
  broken(
    "a dead letter outside of extensions",
    "messages.2.state: expected one of",
    set((a) => message(a, "m-3"), { state: "dead_lettered" }),
  ),
  broken(
    "a human outside of extensions",
    "messages.2.fromKind: expected one of",
    set((a) => message(a, "m-3"), { fromKind: "human" }),
  ),
  broken(
    "queued, though delivered",
    "messages.2: deliveredAt: expected none in state queued",
    set((a) => message(a, "m-3"), { deliveredAt: AT }),
  ),
  broken(
    "delivered at no instant",
    "messages.1: deliveredAt: expected one in state delivered",
    without((a) => message(a, "m-2"), "deliveredAt"),
  ),
  broken(
    "acknowledged at no instant",
    "messages.0: acknowledgedAt: expected one",
    without((a) => message(a, "m-1"), "acknowledgedAt"),
  ),
  broken(
    "acknowledged, never delivered",
    "messages.0: deliveredAt: expected one",
    without((a) => message(a, "m-1"), "deliveredAt"),
  ),
  broken(
    "delivered, though acknowledged",
    "messages.1: acknowledgedAt: expected none",
    set((a) => message(a, "m-2"), { acknowledgedAt: AT }),
  ),
  broken(
    "expired at no instant",
    "messages.3: expiresAt: expected one in state expired",
    without((a) => message(a, "m-4"), "expiresAt"),
  ),
  broken(
    "expired, though acknowledged",
    "messages.3: acknowledgedAt: expected none",
    set((a) => message(a, "m-4"), { acknowledgedAt: AT }),
  ),
  broken(
    "a response to nothing",
    "messages.1: responseTo: goes with mode response",
    without((a) => message(a, "m-2"), "responseTo"),
  ),
  broken(
    "a note that answers",
    "messages.2: responseTo: goes with mode response",
    set((a) => message(a, "m-3"), { responseTo: "m-1" }),
  ),
  broken(
    "answered at no instant",
    "messages.0: repliedAt and responseMessageId",
    without((a) => message(a, "m-1"), "repliedAt"),
  ),
  broken(
    "a note that was answered",
    "messages.2: responseMessageId: goes with mode request",
    set((a) => message(a, "m-3"), { repliedAt: AT, responseMessageId: "m-2" }),
  ),
  broken(
    "an answer that is missing",
    "messages: the answer to m-1 is not in the archive",
    (a) => void a.messages.splice(1, 1),
  ),
  broken(
    "an answer its request does not know",
    "messages: m-2 answers no request",
    without((a) => message(a, "m-1"), "repliedAt", "responseMessageId"),
  ),
  broken(
    "an answer to another's request",
    "messages: m-2 answers no request",
    set((a) => message(a, "m-2"), { responseTo: "m-4" }),
  ),
  broken(
    "an answer to nothing there is",
    "messages: m-2 answers no request",
    set((a) => message(a, "m-2"), { responseTo: "m-0" }),
  ),
  broken(
    "two requests with one answer",
    "messages: the answer to m-4 is not",
    set((a) => message(a, "m-4"), { repliedAt: AT, responseMessageId: "m-2", deliveredAt: AT }),
  ),
  broken(
    "two answers to one request",
    "messages: m-7 answers no request",
    (a) => void a.messages.push({ ...message(a, "m-2"), id: "m-7" }),
  ),
  broken(
    "a key twice",
    "messages.2: idempotencyKey: the sender has used it",
    set((a) => message(a, "m-3"), { idempotencyKey: "first" }),
  ),
  broken(
    "too many to deal with",
    `messages.10004: expected at most ${LIMITS.activeMessagesPerScope} messages nobody`,
    (a) => {
      // Two of those that are there wait, too.
      a.messages.push(...many(LIMITS.activeMessagesPerScope - 1, queued));
      a.extensions.messages.shift();
    },
  ),
  broken(
    "a note from outside",
    "messages.4: mode: expected request from a2aPrincipal to agent",
    set((a) => message(a, "m-5"), { mode: "notify", repliedAt: undefined, responseMessageId: undefined }),
  ),
  broken(
    "a message between outsiders",
    "messages.4: toKind: expected agent",
    set((a) => message(a, "m-5"), { toKind: "a2aPrincipal" }),
  ),
  broken(
    "a message to outside that waits",
    "messages.5: state: expected acknowledged",
    set((a) => message(a, "m-6"), { state: "delivered", acknowledgedAt: undefined }),
  ),
  broken(
    "too much from outside",
    `messages.${6 + 5000}: expected at most ${LIMITS.a2aMessagesPerScope} unfinished`,
    (a) => {
      const from = { from: message(a, "m-5").from, fromKind: "a2aPrincipal", mode: "request" };
      a.messages.push(...many(LIMITS.a2aMessagesPerScope + 1, (index) => queued(index, from)));
    },
  ),

  broken(
    "a message between human and daemon",
    "extensions.messages.0: toKind: expected agent",
    set((a) => a.extensions.messages[0], { toKind: "system", to: "intercom" }),
  ),
  broken(
    "a human who writes to itself",
    "extensions.messages.0: toKind: expected agent",
    set((a) => a.extensions.messages[0], { toKind: "human", to: "human", state: "delivered", deliveredAt: AT }),
  ),
  broken(
    "a message to the daemon",
    "extensions.messages.0: mode: expected no message",
    set((a) => a.extensions.messages[0], { from: "planner", fromKind: "agent", to: "intercom", toKind: "system" }),
  ),
  broken(
    "a request of the daemon",
    "extensions.messages.0: mode: expected notify",
    set((a) => a.extensions.messages[0], { from: "intercom", fromKind: "system", mode: "request" }),
  ),
  broken(
    "a human of another name",
    "extensions.messages.0: from: expected human",
    set((a) => a.extensions.messages[0], { from: "boss" }),
  ),
  broken(
    "a daemon of another name",
    "extensions.messages.0: from: expected intercom",
    set((a) => a.extensions.messages[0], { from: "boss", fromKind: "system" }),
  ),
  broken(
    "a message to the human in a queue",
    "extensions.messages.0: state: expected delivered",
    set((a) => a.extensions.messages[0], { from: "planner", fromKind: "agent", to: "human", toKind: "human" }),
  ),
  broken(
    "a dead letter at no instant",
    "extensions.messages.1: deadLetteredAt: expected one",
    without((a) => a.extensions.messages[1], "deadLetteredAt"),
  ),
  broken(
    "a reason of none that is dead",
    "extensions.messages.0: deadLetterReason: goes with",
    set((a) => a.extensions.messages[0], { deadLetterReason: "why" }),
  ),
  broken(
    "a subject with more to it",
    "extensions.messages.0.about.more: unknown field",
    set((a) => a.extensions.messages[0], { about: { kind: "task", id: "t-1", more: 1 } }),
  ),
  broken(
    "more than a human reads",
    `extensions.messages.${2 + 1000}: expected at most ${LIMITS.unreadHumanMessagesPerScope} messages the human`,
    (a) => {
      const unread = {
        to: "human",
        toKind: "human",
        state: "delivered",
        deliveredAt: AT,
        deliveryCount: 0,
        createdAt: AT,
      };
      a.extensions.messages.push(...many(LIMITS.unreadHumanMessagesPerScope + 1, (index) => queued(index, unread)));
    },
  ),

  broken("a task twice", "tasks.3.id: t-1 is there twice", (a) => void a.tasks.push({ ...a.tasks[0] })),
  broken(
    "an open task of somebody",
    "tasks.1: claimedBy: expected none with status open",
    set((a) => a.tasks[1], { claimedBy: "planner" }),
  ),
  broken(
    "a claimed task",
    "tasks.1.status: expected one of open, done",
    set((a) => a.tasks[1], { status: "claimed", claimedBy: "planner" }),
  ),
  broken(
    "a task nobody did",
    "tasks.0: claimedBy: expected who has done it",
    without((a) => a.tasks[0], "claimedBy"),
  ),
  broken(
    "a task of nobody",
    "tasks.0: createdBy: zoe is not an agent",
    set((a) => a.tasks[0], { createdBy: "zoe" }),
  ),
  broken(
    "a task done by nobody",
    "tasks.0: claimedBy: zoe is not an agent",
    set((a) => a.tasks[0], { claimedBy: "zoe" }),
  ),
  broken(
    "a dependency on nothing",
    "tasks.1: dependencies: t-0 is not a task",
    set((a) => a.tasks[1], { dependencies: ["t-0"] }),
  ),
  broken(
    "a dependency twice",
    "tasks.2: dependencies: t-1 is there twice",
    set((a) => a.tasks[2], { dependencies: ["t-1", "t-1"] }),
  ),
  broken(
    "a task that waits for itself",
    "tasks.1: dependencies: a task cannot depend on itself",
    set((a) => a.tasks[1], { dependencies: ["t-2"] }),
  ),
  broken(
    "tasks that wait in a circle",
    "tasks: dependencies: expected no circle",
    set((a) => a.tasks[1], { dependencies: ["t-3"] }),
  ),
  broken("done before what it waits for", "tasks.0: dependencies: t-2 is not done", (a) => {
    a.tasks[0].dependencies = ["t-2"];
    a.tasks[1].dependencies = [];
  }),
  broken(
    "too many dependencies",
    "tasks.1.dependencies: expected at most 128",
    set((a) => a.tasks[1], { dependencies: many(129, (n) => `t${n}` as never) }),
  ),
  broken(
    "too many unfinished tasks",
    `tasks.${3 + 4998}: expected at most ${LIMITS.unfinishedTasksPerScope} unfinished`,
    (a) => void a.tasks.push(...many(LIMITS.unfinishedTasksPerScope - 1, (index) => taskOf(`n-${index}`, "open"))),
  ),
  broken(
    "a cancelled task of somebody",
    "extensions.tasks.0: claimedBy: expected none",
    set((a) => a.extensions.tasks[0], { claimedBy: "planner" }),
  ),
  broken(
    "a reason of one not cancelled",
    "extensions.tasks.0: cancelReason: goes with",
    set((a) => a.extensions.tasks[0], { status: "open" }),
  ),

  broken(
    "progress of nothing",
    "taskProgress.0: taskId: t-0 is not a task",
    set((a) => a.taskProgress[0], { taskId: "t-0" }),
  ),
  broken(
    "progress of nobody",
    "taskProgress.0: agentId: zoe is not an agent",
    set((a) => a.taskProgress[0], { agentId: "zoe" }),
  ),
  broken(
    "progress twice",
    "taskProgress.1: sequence: 1 of the task is there twice",
    set((a) => a.taskProgress[1], { sequence: 1 }),
  ),
  broken(
    "progress with a gap",
    "taskProgress: sequence: expected no gaps",
    set((a) => a.taskProgress[1], { sequence: 3 }),
  ),
  broken("progress from nothing on", "taskProgress: sequence: expected no gaps", (a) => void a.taskProgress.shift()),
  broken(
    "progress at zero",
    "taskProgress.0.sequence: expected a whole number",
    set((a) => a.taskProgress[0], { sequence: 0 }),
  ),
  broken("too much progress", "taskProgress.1000: the task has more progress", (a) => {
    const make = (n: number) => ({ ...a.taskProgress[0], sequence: n + 1 });
    a.taskProgress = many(LIMITS.progressEntriesPerTask + 1, make);
  }),
  broken("too long a progress", "taskProgress.262: the task has more progress", (a) => {
    const make = (n: number) => ({ ...a.taskProgress[0], text: "x".repeat(4000), sequence: n + 1 });
    a.taskProgress = many(263, make);
  }),

  broken("a question twice", "escalations.3.id: a-1 is there twice", (a) => void a.escalations.push(a.escalations[0])),
  broken(
    "a question of nobody",
    "escalations.1: agentId: zoe is not an agent",
    set((a) => a.escalations[1], { agentId: "zoe" }),
  ),
  broken(
    "one option",
    "escalations.0.options: expected none or at least 2",
    set((a) => a.escalations[0], { options: ["yes"] }),
  ),
  broken(
    "an answer at no instant",
    "escalations.0: resolvedAt: expected one",
    without((a) => a.escalations[0], "resolvedAt"),
  ),
  broken(
    "resolved without an answer",
    "escalations.0: answer: expected one",
    without((a) => a.escalations[0], "answer"),
  ),
  broken(
    "resolved by an empty answer",
    "escalations.0: answer: expected one",
    set((a) => a.escalations[0], { answer: "" }),
  ),
  broken(
    "pending with an answer",
    "escalations.1: answer: expected none",
    set((a) => a.escalations[1], { answer: "yes" }),
  ),
  broken(
    "pending, though resolved",
    "escalations.1: resolvedAt: expected none",
    set((a) => a.escalations[1], { resolvedAt: AT }),
  ),
  broken(
    "expired outside of extensions",
    "escalations.1.status: expected one of",
    set((a) => a.escalations[1], { status: "expired" }),
  ),
  broken(
    "expired at no instant",
    "extensions.escalations.0: expiredAt: expected one",
    without((a) => a.extensions.escalations[0], "expiredAt"),
  ),
  broken(
    "late without an answer",
    "extensions.escalations.0: late: goes with",
    set((a) => a.extensions.escalations[0], { late: true }),
  ),
  broken(
    "a note without an answer",
    "extensions.escalations.0: note: expected none",
    set((a) => a.extensions.escalations[0], { note: "n" }),
  ),
  broken(
    "an answer that was read and is none",
    "extensions.escalations.0: answerReadAt: expected none",
    set((a) => a.extensions.escalations[0], { answerReadAt: AT }),
  ),
  broken(
    "a reason of a question not taken back",
    "extensions.escalations.0: cancelReason: expected none",
    set((a) => a.extensions.escalations[0], { cancelReason: "n" }),
  ),
  broken(
    "taken back at no instant",
    "extensions.escalations.0: cancelledAt: expected one",
    set((a) => a.extensions.escalations[0], { status: "cancelled", expiredAt: undefined }),
  ),
  broken(
    "resolved by nobody",
    "extensions.escalations.0: resolvedBy: expected one",
    set((a) => a.extensions.escalations[0], { status: "resolved", answer: "y", resolvedAt: AT, expiredAt: undefined }),
  ),
  broken(
    "too many questions of an agent",
    "escalations.102: more questions are pending",
    (a) =>
      void a.escalations.push(
        ...many(LIMITS.pendingEscalationsPerAgent, (n) => ({ ...a.escalations[1], id: `n-${n}` })),
      ),
  ),

  broken(
    "a publication twice",
    "agentCardPublications.1.id: pub-1 is there twice",
    (a) => void a.agentCardPublications.push(a.agentCardPublications[0]),
  ),
  broken(
    "an agent published twice",
    "agentCardPublications.1: agentId: reviewer is published twice",
    (a) => void a.agentCardPublications.push({ ...a.agentCardPublications[0], id: "pub-2" }),
  ),
  broken(
    "nobody published",
    "agentCardPublications.0: agentId: zoe is not an agent",
    set((a) => a.agentCardPublications[0], { agentId: "zoe" }),
  ),
  broken("an A2A task twice", "a2aTasks.1.id: a2at-1 is there twice", (a) => void a.a2aTasks.push(a.a2aTasks[0])),
  broken(
    "an A2A task of nothing",
    "a2aTasks.0: publicationId: pub-0 is not",
    set((a) => a.a2aTasks[0], { publicationId: "pub-0" }),
  ),
  broken(
    "an A2A task of nobody",
    "a2aTasks.0: targetAgentId: zoe is not",
    set((a) => a.a2aTasks[0], { targetAgentId: "zoe" }),
  ),
  broken(
    "an A2A task of another agent",
    "a2aTasks.0: targetAgentId: expected the agent of the publication",
    set((a) => a.a2aTasks[0], { targetAgentId: "planner" }),
  ),
  broken(
    "an A2A message of no task",
    "a2aMessages.0: taskId: a2at-0 is not",
    set((a) => a.a2aMessages[0], { taskId: "a2at-0" }),
  ),
  broken(
    "an A2A message of another",
    "a2aMessages.0: taskId: a2at-1 is not a task of the principal",
    set((a) => a.a2aMessages[0], { principalId: "a2ap_x" }),
  ),
  broken(
    "an A2A message twice",
    "a2aMessages.1: clientMessageId: c-1 is there twice",
    (a) => void a.a2aMessages.push(a.a2aMessages[0]),
  ),
  broken(
    "a request of two A2A messages",
    "a2aMessages.1: busRequestMessageId: m-5 is there twice",
    (a) => void a.a2aMessages.push({ ...a.a2aMessages[0], clientMessageId: "c-2" }),
  ),
  broken(
    "an A2A message that is none",
    "a2aMessages.0: busRequestMessageId: expected a request of the principal",
    set((a) => a.a2aMessages[0], { busRequestMessageId: "m-1" }),
  ),
  broken(
    "an A2A message with another's answer",
    "a2aMessages.0: busResponseMessageId: expected the answer",
    set((a) => a.a2aMessages[0], { busResponseMessageId: "m-2" }),
  ),
  broken(
    "an A2A message without its answer",
    "a2aMessages.0: busResponseMessageId: expected the answer",
    without((a) => a.a2aMessages[0], "busResponseMessageId"),
  ),
  broken("a message from outside of no task", "a2aMessages: expected one for the message m-5", (a) => {
    a.a2aMessages = [];
  }),

  broken(
    "a stream twice",
    "outputStreams.1.id: out-1 is there twice",
    (a) => void a.outputStreams.push(a.outputStreams[0]),
  ),
  broken(
    "a name twice",
    "outputStreams.1: name: status is there twice",
    (a) => void a.outputStreams.push({ ...a.outputStreams[0], id: "out-2" }),
  ),
  broken(
    "a publisher who is nobody",
    "outputStreams.0: publisherAgentIds: zoe is not",
    set((a) => a.outputStreams[0], { publisherAgentIds: ["zoe"] }),
  ),
  broken(
    "a publisher twice",
    "outputStreams.0: publisherAgentIds: expected each once",
    set((a) => a.outputStreams[0], { publisherAgentIds: ["planner", "planner"] }),
  ),
  broken(
    "too many publishers",
    "outputStreams.0.publisherAgentIds: expected at most 128",
    set((a) => a.outputStreams[0], { publisherAgentIds: many(129, (n) => `a${n}` as never) }),
  ),
  broken(
    "too many streams",
    "outputStreams.1000: expected at most 1000 streams",
    (a) =>
      void a.outputStreams.push(
        ...many(LIMITS.outputStreamsPerScope, (n) => ({
          ...a.outputStreams[0],
          id: `o${n}`,
          name: `o${n}`,
          currentSequence: 1,
        })),
      ),
  ),
  broken(
    "a cursor behind the end",
    "outputStreams.0: currentSequence: expected minimumCursor",
    set((a) => a.outputStreams[0], { minimumCursor: 4 }),
  ),
  broken(
    "more than is kept",
    "outputStreams.0: currentSequence: expected minimumCursor",
    set((a) => a.outputStreams[0], { retentionLimit: 1 }),
  ),
  broken(
    "keeping too many",
    "outputStreams.0.retentionLimit: expected a whole number",
    set((a) => a.outputStreams[0], { retentionLimit: 10_001 }),
  ),
  broken(
    "a value of nothing",
    "outputValues.0: streamId: out-0 is not",
    set((a) => a.outputValues[0], { streamId: "out-0" }),
  ),
  broken(
    "a value of nobody",
    "outputValues.0: producerId: zoe is not",
    set((a) => a.outputValues[0], { producerId: "zoe" }),
  ),
  broken(
    "a value twice",
    "outputValues.1: sequence: 2 of the stream is there twice",
    set((a) => a.outputValues[1], { sequence: 2 }),
  ),
  broken("a value missing", "outputValues: expected every value of out-1", (a) => void a.outputValues.pop()),
  broken(
    "a value that was removed",
    "outputValues.0: sequence: expected 2 to 3",
    set((a) => a.outputValues[0], { sequence: 1 }),
  ),
  broken(
    "a value to come",
    "outputValues.0: sequence: expected 2 to 3",
    set((a) => a.outputValues[0], { sequence: 4 }),
  ),
  broken(
    "null as a value",
    "outputValues.1.value: expected a value other than null",
    set((a) => a.outputValues[1], { value: null }),
  ),
  broken(
    "a number as text",
    "outputValues.0: value: expected a string",
    set((a) => a.outputValues[0], { value: 1 }),
  ),
  broken(
    "too large a value",
    "outputValues.1: value: expected at most 262144",
    set((a) => a.outputValues[1], { value: "x".repeat(262_143) }),
  ),
  broken(
    "too deep a value",
    "outputValues.1.value: expected at most 64",
    set((a) => a.outputValues[1], { value: nested(65) }),
  ),
  broken(
    "a link nobody may follow",
    "outputValues.1.reference.uri: expected the address",
    set((a) => a.outputValues[1], { reference: { uri: "javascript:alert(1)" } }),
  ),

  broken(
    "a request for a link with itself",
    "extensions.linkRequests.0: to: expected another",
    set((a) => a.extensions.linkRequests[0], { to: "planner" }),
  ),
  broken(
    "a request for a link of nobody",
    "extensions.linkRequests.0: from: zoe is not",
    set((a) => a.extensions.linkRequests[0], { from: "zoe" }),
  ),
  broken(
    "a request for a link twice",
    "extensions.linkRequests.1.id: l-1 is there twice",
    (a) => void a.extensions.linkRequests.push(a.extensions.linkRequests[0]),
  ),
  broken(
    "the same request for a link",
    "extensions.linkRequests.1: to: planner has asked",
    (a) => void a.extensions.linkRequests.push({ ...a.extensions.linkRequests[0], id: "l-2" }),
  ),
  broken(
    "accepted at no instant",
    "extensions.linkRequests.0: resolvedAt: expected one",
    set((a) => a.extensions.linkRequests[0], { status: "accepted" }),
  ),
  broken(
    "pending, though accepted",
    "extensions.linkRequests.0: resolvedAt: expected none",
    set((a) => a.extensions.linkRequests[0], { resolvedAt: AT }),
  ),
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

export const brokenRecords: readonly Broken[] = [...generated(), ...rules];

/** Texts that are no archive, or hide something from a reader. Each is made of a sound one. */
export const brokenTexts: readonly (readonly [
  what: string,
  says: string,
  change: (text: string) => string | Buffer,
])[] = [
  ["nothing", "The archive ends early", () => ""],
  ["blanks", "The archive ends early", () => " \n"],
  ["half of it", "", (text) => text.slice(0, text.length / 2)],
  ["all but the last brace", "The archive ends early", (text) => text.slice(0, -1)],
  ["a brace too many", "The archive is not one JSON object", (text) => `${text}}`],
  ["two of it", "The archive is not one JSON object", (text) => text + text],
  ["something after it", "The archive is not one JSON object", (text) => `${text} x`],
  ["a list of it", "The archive is not one JSON object", (text) => `[${text}]`],
  ["it as text", "The archive is not one JSON object", (text) => JSON.stringify(text)],
  ["null", "The archive is not one JSON object", () => "null"],
  ["a mark in front", "The archive is not one JSON object", (text) => `\uFEFF${text}`],
  ["UTF-16", "The archive is not one JSON object", (text) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["zeros", "The archive is not one JSON object", () => Buffer.alloc(1000)],
  ["gzip", "The archive is not one JSON object", () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
  ["a comment", "The archive is not one JSON object", (text) => text.replace("{", "{/* */")],
  ["a comma at the end", "The archive is not one JSON object", (text) => text.replace(/}$/, ",}")],
  ["a comma at the end of a list", "links.1: is not JSON", (text) => text.replace(/("links":\[\{[^}]*\})\]/, "$1,]")],
  ["no comma", "The archive is not one JSON object", (text) => text.replace(',"links"', ' "links"')],
  ["no colon", "The archive is not one JSON object", (text) => text.replace('"links":', '"links" ')],
  ["single quotes", "The archive is not one JSON object", (text) => text.replace('"links"', "'links'")],
  [
    "brackets that do not fit",
    "links.0: is not JSON",
    (text) => text.replace('"links":[{"left":"planner"', '"links":[{"left":["planner"}'),
  ],
  ["a hexadecimal number", "version: is not JSON", (text) => text.replace('"version":2', '"version":0x2')],
  ["a number with a zero in front", "version: is not JSON", (text) => text.replace('"version":2', '"version":02')],
  ["not a number", "version: is not JSON", (text) => text.replace('"version":2', '"version":NaN')],
  ["a number with text", "version: is not JSON", (text) => text.replace('"version":2', '"version":2"2"')],
  ["a control character", "messages.2: is not JSON", (text) => text.replace("body of m-3", "body\nof m-3")],
  ["a bad escape", "messages.2: is not JSON", (text) => text.replace("body of m-3", "body \\x")],
  ["a NUL", "messages.2.body: must not contain the NUL", (text) => text.replace("body of m-3", "body \\u0000")],
  [
    "half a surrogate pair",
    "messages.2.body: must be well-formed",
    (text) => text.replace("body of m-3", "\\ud83d body"),
  ],
  [
    "half a surrogate pair in a name",
    "outputValues.1.value: must be well-formed",
    (text) => text.replace('{"b":[1,null]', '{"\\udead":[1,null]'),
  ],
  ["bytes that are not UTF-8", "messages.2: is not UTF-8", (text) => bytes(text, "body of m-3", [0xff])],
  ["a character in too many bytes", "messages.2: is not UTF-8", (text) => bytes(text, "body of m-3", [0xc0, 0xaf])],
  ["a surrogate in UTF-8", "messages.2: is not UTF-8", (text) => bytes(text, "body of m-3", [0xed, 0xa0, 0x80])],
  ["bytes that are not UTF-8 in a name", "A name is not UTF-8", (text) => bytes(text, "exportedAt", [0xff])],
  ["a member twice", "links: expected once", (text) => text.replace('"links"', '"links":[],"links"')],
  [
    "extensions twice",
    "extensions: expected once",
    (text) => text.replace('"extensions"', '"extensions":{},"extensions"'),
  ],
  [
    "an extension twice",
    "extensions.agents: expected once",
    (text) => text.replace('"linkPolicy"', '"agents":[],"linkPolicy"'),
  ],
  [
    "a member twice, once written otherwise",
    "links: expected once",
    (text) => text.replace('"links"', '"l\\u0069nks":[],"links"'),
  ],
  [
    "a member of a record twice",
    "messages.2: has a name twice",
    (text) => text.replace('"body":"body of m-3"', '"body":"x","body":"y"'),
  ],
  [
    "a member of the head twice",
    "scope: has a name twice",
    (text) => text.replace('"scope":{', '"scope":{"id":"other",'),
  ],
  [
    "a name twice in a value",
    "outputValues.1: has a name twice",
    (text) => text.replace('{"b":[1,null]', '{"b":1,"b":[1,null]'),
  ],
  ["a prototype", "__proto__: unknown field", (text) => text.replace('"links"', '"__proto__":{"links":[]},"links"')],
  [
    "a prototype of a record",
    "links.0.__proto__: unknown field",
    (text) => text.replace('"links":[{', '"links":[{"__proto__":{"left":"a"},'),
  ],
  [
    "a record that is its prototype",
    "links.0",
    (text) => text.replace(/"links":\[(\{[^}]*\})/, '"links":[{"__proto__":$1}'),
  ],
  [
    "a number too large",
    "outputValues.1.value: expected numbers within the range",
    (text) => text.replace('{"b":[1,null]', '{"b":[1e999,null]'),
  ],
  [
    "a sequence too large",
    "outputValues.1.sequence: expected a whole number",
    (text) => text.replace('"sequence":3', '"sequence":1e300'),
  ],
  [
    "a sequence that is not whole",
    "outputValues.1.sequence: expected a whole number",
    (text) => text.replace('"sequence":3', '"sequence":2.5'),
  ],
  [
    "very deep",
    "outputValues.1: expected at most 100 levels",
    (text) => text.replace('{"b":[1,null]', `{"b":${"[".repeat(100_000)}`),
  ],
  [
    "very deep outside of records",
    "scope: expected at most 100 levels",
    (text) => text.replace('"scope":', `"scope":${'{"a":'.repeat(1000)}`),
  ],
  [
    "a record without end",
    "messages.2: expected at most 8388608 bytes",
    (text) => text.replace("body of m-3", "x".repeat(9_000_000)),
  ],
  [
    "a name without end",
    "A name expected at most 8388608 bytes",
    (text) => text.replace('"links"', `"${"x".repeat(9_000_000)}"`),
  ],
];

function bytes(text: string, at: string, instead: number[]): Buffer {
  const [before, after] = text.split(at) as [string, string];
  return Buffer.concat([Buffer.from(before), Buffer.from(instead), Buffer.from(after)]);
}
