import { describe, expect, test } from "vitest";
import { EVENT_KINDS, type Event, LIMITS, type OperationInput } from "../../../protocol/index.ts";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { fillMessages } from "../../support/fill.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** What the owner looks through: settled questions, events, and who talks with whom. */

const intercom = useDaemon();

const ask = async (agent: AgentActor, question: string) => (await agent.call("askHuman", { question })).id;

describe("where a question was shown", () => {
  test("is recorded once for each surface and verdict, also when the question is settled", async () => {
    const scope = await intercom().scope();
    const escalationId = await ask(await scope.agent("a"), "may I?");
    const record = (surface: "tray" | "notification", verdict: "shown" | "withdrawn") =>
      scope.call("recordEscalationNotice", { escalationId, surface, verdict });
    const events = await scope.eventsOf(async () => {
      expect(await record("tray", "shown")).toEqual({ recorded: true });
      expect(await record("tray", "shown")).toEqual({ recorded: false });
      expect(await record("notification", "shown")).toEqual({ recorded: true });
    });
    expect(events).toEqual([
      ["escalation.shown", escalationId, { agentId: "a", surface: "tray", verdict: "shown", actor: "scope" }],
      ["escalation.shown", escalationId, { agentId: "a", surface: "notification", verdict: "shown", actor: "scope" }],
    ]);
    await scope.call("resolveEscalation", { escalationId, answer: "yes", surface: "notification" });
    expect(await record("notification", "withdrawn")).toEqual({ recorded: true });
    const { events: all } = await scope.call("listEventsPage", { subjectId: escalationId });
    expect(all.map(({ type, attributes }) => attributes.verdict ?? type)).toEqual([
      "withdrawn",
      "escalation.resolved",
      "shown",
      "shown",
      "escalation.created",
    ]);
    const unknown = { escalationId: "ask_unknown", surface: "tray", verdict: "shown" };
    expect(await scope.refused("recordEscalationNotice", unknown)).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("settled questions", () => {
  async function history(): Promise<{ scope: ScopeActor; ids: Record<string, string> }> {
    const scope = await intercom().scope();
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    const ids = {
      resolved: await ask(a, "Blue or red?"),
      cancelled: await ask(b, "Big or small?"),
      pending: await ask(a, "Now?"),
      answered: await ask(b, "Here?"),
    };
    await scope.call("resolveEscalation", { escalationId: ids.answered, answer: "Dark RED", note: "not blue" });
    await scope.call("resolveEscalation", { escalationId: ids.resolved, answer: "Green" });
    await b.call("cancelEscalation", { escalationId: ids.cancelled });
    return { scope, ids };
  }

  test("are listed newest first, narrowed as asked, in pages", async () => {
    const { scope, ids } = await history();
    const read = async (input: OperationInput<"listEscalationHistory"> = {}) =>
      (await scope.call("listEscalationHistory", input)).escalations.map(({ id }) => id);
    expect(await read()).toEqual([ids.answered, ids.cancelled, ids.resolved]);
    expect(await read({ status: "cancelled" })).toEqual([ids.cancelled]);
    expect(await read({ agentId: "a" })).toEqual([ids.resolved]);
    expect(await read({ agentId: "b", status: "resolved" })).toEqual([ids.answered]);
    expect(await read({ text: "red" }), "in question or answer").toEqual([ids.answered, ids.resolved]);
    expect(await read({ text: "NOT BLUE" }), "in the note").toEqual([ids.answered]);
    expect(await read({ text: "nothing" })).toEqual([]);
    const first = await scope.call("listEscalationHistory", { limit: 2 });
    const second = await scope.call("listEscalationHistory", { limit: 2, before: first.nextCursor });
    expect(second.escalations.map(({ id }) => id)).toEqual([ids.resolved]);
    expect(second).not.toHaveProperty("nextCursor");
    expect(await scope.refused("listEscalationHistory", { agentId: "nobody" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await scope.refused("listEscalationHistory", { status: "pending" })).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    expect(await (await intercom().scope()).call("listEscalationHistory", {})).toEqual({ escalations: [] });
  });

  test("are looked through a bounded number at a time", async () => {
    const { scope, ids } = await history();
    const count = LIMITS.searchedEscalations;
    intercom().sql((db) =>
      db
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
           INSERT INTO escalations (id, scope_no, agent_no, kind, urgency, question, options, context, status, created_at, cancelled_at)
           SELECT 'ask_' || q.scope_no || '_' || i, scope_no, agent_no, kind, urgency, 'filled', '[]', '[]', 'cancelled', 0, 0
             FROM n, escalations q WHERE q.id = ?`,
        )
        .run(count, ids.resolved),
    );
    const first = await scope.call("listEscalationHistory", { text: "green" });
    expect(first).toEqual({ escalations: [], nextCursor: expect.any(String) });
    const second = await scope.call("listEscalationHistory", { text: "green", before: first.nextCursor });
    expect(second.escalations).toMatchObject([{ id: ids.resolved }]);
    expect(second).not.toHaveProperty("nextCursor");
  });
});

describe("events newest first", () => {
  const typesOf = (events: readonly Event[]) => events.map(({ type }) => type);

  test("are narrowed by kind, subject and agent", async () => {
    const scope = await intercom().scope();
    const [ada, ben, cleo] = await scope.agents("ada", "ben", "cleo");
    const { id: taskId } = await ada.call("addTask", { title: "Build" });
    await ben.call("claimTask", { taskId });
    await ada.tell(ben);
    const all = (await scope.events()).toReversed();
    const read = async (input: OperationInput<"listEventsPage">) =>
      (await scope.call("listEventsPage", { limit: 100, ...input })).events;
    expect(await read({})).toEqual(all);
    for (const kind of EVENT_KINDS) {
      expect(await read({ kind })).toEqual(all.filter(({ type }) => type.startsWith(`${kind}.`)));
    }
    expect(typesOf(await read({ subjectId: taskId }))).toEqual(["task.claimed", "task.created"]);
    expect(typesOf(await read({ subjectId: taskId, kind: "task", agentId: "ben" }))).toEqual(["task.claimed"]);
    expect(typesOf(await read({ subjectId: "ada:ben" }))).toEqual(["link.created"]);
    expect(typesOf(await read({ agentId: "ben" }))).toEqual([
      "message.accepted",
      "task.claimed",
      "link.created",
      "agent.registered",
    ]);
    expect(typesOf(await read({ agentId: cleo.id }))).toEqual(["link.created", "agent.registered"]);
    expect(await read({ agentId: "nobody" })).toEqual([]);
    expect(await read({ subjectId: "nothing" })).toEqual([]);
    expect(await scope.refused("listEventsPage", { kind: "weather" })).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await ada.refused("listEventsPage", {})).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("come in pages by revision", async () => {
    const scope = await intercom().scope();
    for (const id of ["a", "b", "c", "d"]) await scope.agent(id);
    const revisions: number[] = [];
    for (let before: string | undefined; ; ) {
      const input = { limit: 2, kind: "agent" as const, ...(before === undefined ? {} : { before }) };
      const page = await scope.call("listEventsPage", input);
      revisions.push(...page.events.map(({ revision }) => revision));
      before = page.nextCursor;
      if (before === undefined) break;
    }
    expect(revisions).toEqual([5, 4, 3, 2]);
  });

  test("are looked through a bounded number at a time", async () => {
    const scope = await intercom().scope();
    await scope.agent("a");
    await scope.agent("b");
    intercom().sql((db) => {
      db.prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO events (scope_no, revision, id, type, subject_id, attributes, created_at)
         SELECT s.no, s.revision + i, 'evt_' || s.id || i, 'task.created', 'task_x', '{"status":"open"}', 0
           FROM n, scopes s WHERE s.id = ?`,
      ).run(LIMITS.searchedEvents, scope.id);
      db.prepare("UPDATE scopes SET revision = revision + ? WHERE id = ?").run(LIMITS.searchedEvents, scope.id);
    });
    const first = await scope.call("listEventsPage", { agentId: "a" });
    expect(first).toEqual({ events: [], nextCursor: expect.any(String) });
    const second = await scope.call("listEventsPage", { agentId: "a", before: first.nextCursor });
    expect(typesOf(second.events)).toEqual(["agent.registered"]);
    expect(second).not.toHaveProperty("nextCursor");
  });
});

describe("conversations", () => {
  test("are who has written to whom, the newest first, with what waits in them", async () => {
    const scope = await intercom().scope();
    const [ada, ben, cleo] = await scope.agents("ada", "ben", "cleo");
    await ada.tell(ben, { body: "one" });
    await ben.drain();
    await ada.tell(ben, { body: "two" });
    await ben.tell(ada, { body: "three" });
    await cleo.tell(ada, { body: "four" });
    await cleo.tell("human", { toKind: "human", body: "five" });
    await cleo.tell("human", { toKind: "human", body: "six" });
    const { conversations, ...rest } = await scope.call("listConversations", {});
    expect(rest).toEqual({});
    const agents = (left: string, right: string) => ({
      left: { kind: "agent", id: left },
      right: { kind: "agent", id: right },
    });
    expect(conversations).toMatchObject([
      {
        left: { kind: "human", id: "human" },
        right: { kind: "agent", id: "cleo" },
        messages: 2,
        undelivered: 0,
        unreadByHuman: 2,
        lastMessage: { body: "six" },
      },
      { ...agents("ada", "cleo"), messages: 1, undelivered: 1, unreadByHuman: 0, lastMessage: { body: "four" } },
      { ...agents("ada", "ben"), messages: 3, undelivered: 2, unreadByHuman: 0, lastMessage: { body: "three" } },
    ]);
    // Handed out again is not undelivered; held for the first time is.
    await ben.call("reserveInbox", {});
    await ada.pull();
    await ada.call("reserveInbox", {});
    const { conversations: later } = await scope.call("listConversations", {});
    expect(later.map(({ undelivered }) => undelivered)).toEqual([0, 0, 1]);
  });

  test("come in pages, and those nobody writes in are none", async () => {
    const scope = await intercom().scope();
    const [hub, ...others] = await scope.agents("hub", "a", "b", "c");
    for (const other of others) await hub.tell(other);
    await scope.agents("x", "y");
    const first = await scope.call("listConversations", { limit: 2 });
    const second = await scope.call("listConversations", { limit: 2, before: first.nextCursor });
    expect(first.conversations.map(({ right }) => right.id)).toEqual(["c", "b"]);
    expect(second.conversations.map(({ right }) => right.id)).toEqual(["a"]);
    expect(second).not.toHaveProperty("nextCursor");
    expect(await hub.refused("listConversations", {})).toMatchObject({ code: "PERMISSION_DENIED" });
  });
});

describe("messages with a text in them", () => {
  test("are found in the whole scope, in one conversation and among those set aside", async () => {
    const scope = await intercom().scope();
    const [ada, ben, cleo] = await scope.agents("ada", "ben", "cleo");
    await ada.tell(ben, { body: "The Red one" });
    await ada.tell(ben, { body: "the blue one" });
    await cleo.tell(ada, { body: "all is RED" });
    const dead = (await ben.pull())[0]?.id ?? "";
    await ben.call("deadLetterMessage", { messageId: dead, reason: "no" });
    const read = async (input: OperationInput<"listMessages">) =>
      (await scope.call("listMessages", input)).messages.map(({ body }) => body);
    expect(await read({ text: "red" })).toEqual(["all is RED", "The Red one"]);
    expect(await read({ text: "red", agent: "ben" })).toEqual(["The Red one"]);
    expect(await read({ text: "red", state: "dead_lettered" })).toEqual(["The Red one"]);
    expect(await read({ text: "blue", state: "dead_lettered" })).toEqual([]);
    expect(await read({ text: "green" })).toEqual([]);
  });

  test("are looked for a bounded number of messages at a time, newest first over all conversations", async () => {
    const scope = await intercom().scope();
    const [ada, ben, cleo] = await scope.agents("ada", "ben", "cleo");
    await ada.tell(cleo, { body: "needle" });
    const filler = await ada.tell(ben, { body: "hay" });
    fillMessages(intercom(), scope.id, filler, 2 * LIMITS.searchedMessages);
    const newest = await ada.tell(cleo, { body: "needle again" });
    const first = await scope.call("listMessages", { text: "needle" });
    expect(first.messages.map(({ id }) => id)).toEqual([newest]);
    const found: string[] = [];
    let before = first.nextCursor;
    for (let pages = 0; before !== undefined && pages < 5; pages += 1) {
      const page = await scope.call("listMessages", { text: "needle", before });
      found.push(...page.messages.map(({ body }) => body));
      before = page.nextCursor;
    }
    expect(found).toEqual(["needle"]);
    expect(before).toBeUndefined();
  });
});
