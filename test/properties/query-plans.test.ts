import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handlers } from "../../daemon/core/handlers.ts";
import { issueSignInCode, startSession } from "../../daemon/core/index.ts";
import { followEvents } from "../../daemon/engine/index.ts";
import { LIMITS } from "../../protocol/index.ts";
import { Bench } from "./bench.ts";
import { content } from "./invariants.ts";

/** These grow without end; no call may read one from one end to the other. */
const GROWING = [
  ...["messages", "tasks", "events", "agents", "escalations", "executions", "conversations", "reservations"],
  ...["principals", "a2a_publications", "a2a_tasks", "a2a_messages"],
  ...["connectors", "connector_agents"],
  ...["output_streams", "output_publishers", "output_values"],
];

/** Full looks that are allowed, and why. */
const ALLOWED: readonly { readonly sql: RegExp; readonly why: string }[] = [
  {
    sql: /^UPDATE executions SET lease_expires_at = lease_expires_at \+ \?/,
    why: "once after a clock jump, over the index of running executions",
  },
  {
    sql: /^UPDATE reservations SET expires_at = expires_at \+ \?/,
    why: "once after a clock jump, over the index of open reservations",
  },
  {
    sql: /^SELECT no, state, expires_at AS expiresAt FROM reservations ORDER BY no LIMIT \?/,
    why: "a few of the oldest, in the order of the table",
  },
  {
    sql: /^SELECT no FROM reservations WHERE state = 'open' AND execution_no = \?/,
    why: "when an execution ends, over the index of open reservations",
  },
  {
    sql: /^DELETE FROM reservations WHERE agent_no IN/,
    why: "when a scope is deleted; reservations are kept for an hour",
  },
];

let bench: Bench;
beforeAll(async () => {
  bench = new Bench();
  await callEverything(bench);
});
afterAll(() => bench.close());

/** Every operation of the core, in every form that is a statement of its own. */
async function callEverything(bench: Bench): Promise<void> {
  const { scopeToken: owner } = await bench.admin("createScope", { id: "s" });
  const agent = async (id: string, connectTo: string[] = []) => {
    const input = { id, displayName: id, connectTo, leaseMs: 86_400_000, capabilities: [{ name: "rust" }] };
    return (await bench.call("registerAgent", owner, input)).agentToken;
  };
  await agent("ada");
  const ada = await agent("ada");
  const bob = await agent("bob", ["ada"]);
  const cy = await agent("cy");

  await bench.admin("listScopes", {});
  await bench.admin("getScope", {}, "s");
  await bench.call("listAgents", owner, {});
  await bench.call("listAgentsPage", owner, {});
  await bench.call("getAgent", owner, { agentId: "ada" });
  await bench.call("whoAmI", ada, {});
  await bench.call("heartbeat", ada, { lifecycle: "ready", ready: true, leaseMs: 86_400_000 });
  await bench.call("updateProfile", ada, { summary: "s" });
  await bench.call("listPeers", ada, {});
  await bench.call("linkAgents", owner, { left: "bob", right: "ada" });
  await bench.call("listLinks", owner, {});
  const request = await bench.call("requestLink", cy, { to: "ada" });
  await bench.call("listLinkRequests", owner, {});
  await bench.call("listLinkRequests", owner, { status: "pending" });
  await bench.call("resolveLinkRequest", owner, { linkRequestId: request.id, accept: true });
  await bench.call("unlinkAgents", owner, { left: "cy", right: "ada" });

  const body = content("b");
  const send = async (mode: "notify" | "request" = "notify") => {
    const input = { to: "bob", body, mode, expiresInMs: 3_600_000, idempotencyKey: `k${Math.random()}` };
    return (await bench.call("sendMessage", ada, input)).messageId;
  };
  const pull = async () => {
    const reservation = await bench.call("reserveInbox", bob, {});
    await bench.call("commitInbox", bob, { reservationId: reservation?.id ?? "" });
  };
  const [answered, released, dead] = [await send("request"), await send(), await send()];
  await bench.call("sendMessage", ada, { to: "human", toKind: "human", body });
  const fromHuman = await bench.call("sendHumanMessage", owner, { to: "bob", body, mode: "request" });
  const reservation = await bench.call("reserveInbox", bob, {});
  await bench.call("releaseInbox", bob, { reservationId: reservation?.id ?? "" });
  await pull();
  await bench.call("listMyRequests", bob, {});
  const once = { to: "bob", body, mode: "request", unlessUnanswered: true } as const;
  await expect(bench.call("sendMessage", ada, once)).rejects.toMatchObject({ code: "CONFLICT" });
  await bench.call("sendMessage", bob, { to: "ada", body, mode: "response", responseTo: answered });
  await bench.call("takeResponse", ada, { messageId: answered });
  const response = { to: "human", toKind: "human", body, mode: "response", responseTo: fromHuman.messageId } as const;
  await bench.call("sendMessage", bob, response);
  await bench.call("getReceipt", ada, { messageId: answered });
  await bench.call("acknowledgeMessages", bob, { messageIds: [answered] });
  await bench.call("acknowledgeHumanMessages", owner, { messageIds: [answered] });
  await bench.call("deferMessages", bob, { messageIds: [released], delayMs: 1000 });
  await bench.call("deadLetterMessage", bob, { messageId: dead, reason: content("r") });
  await bench.call("listMessages", owner, { state: "dead_lettered" });
  await bench.call("requeueMessage", owner, { messageId: dead });
  await bench.call("getMessage", owner, { messageId: dead });
  for (const input of [{ agent: "ada" }, { agent: "ada", peer: "bob" }, { agent: "bob", peerKind: "human" as const }]) {
    await bench.call("listMessages", owner, input);
  }
  await bench.call("listMessages", owner, { text: "b" });
  await bench.call("listConversations", owner, {});
  await bench.call("listMyMessages", ada, {});
  for (const input of [{ peer: "bob" }, { peerKind: "human" as const }, { peerKind: "agent" as const, text: "b" }]) {
    await bench.call("listMyMessages", ada, input);
  }
  await bench.call("getMyMessage", ada, { messageId: answered });

  const task = async (dependencies: string[] = []) =>
    (await bench.call("addTask", ada, { title: "t", dependencies, requires: ["rust"] }, { key: `t${Math.random()}` }))
      .id;
  const first = await task();
  const second = await task([first]);
  const third = await task([first]);
  await bench.call("getTask", ada, { taskId: first });
  for (const ready of [undefined, true, false]) {
    const withReady = ready === undefined ? {} : { ready };
    await bench.call("listTasks", ada, withReady);
    await bench.call("listTasksPage", ada, withReady);
    await bench.call("listTasksPage", ada, { ...withReady, status: "open" });
    await bench.call("listTasksPage", ada, { ...withReady, claimedBy: "bob" });
    await bench.call("listTasksPage", ada, { ...withReady, claimedBy: "bob", status: "claimed" });
  }
  await bench.call("updateTask", ada, { taskId: first, title: "u" });
  await bench.call("editTaskDependencies", ada, { taskId: third, add: [second], remove: [first] });
  await bench.call("claimTask", bob, { taskId: first });
  await bench.call("releaseTask", bob, { taskId: first });
  await bench.call("claimNextTask", bob, {});
  await bench.call("addTaskProgress", bob, { taskId: first, kind: "note", text: content("p") });
  await bench.call("listTaskProgress", bob, { taskId: first });
  await bench.call("completeTask", bob, { taskId: first });
  await bench.call("claimTask", bob, { taskId: second });
  await bench.call("cancelTask", ada, { taskId: second });

  const ask = async (expiresInMs?: number) => {
    const input = { question: content("q"), ...(expiresInMs === undefined ? {} : { expiresInMs }) };
    return (await bench.call("askHuman", ada, input)).id;
  };
  const escalationId = await ask();
  await bench.call("getEscalation", ada, { escalationId });
  await bench.call("cancelEscalation", ada, { escalationId: await ask() });
  await ask(1000);
  await bench.call("listMyEscalations", ada, {});
  await bench.call("listMyEscalations", ada, { status: "pending" });
  await bench.call("listEscalations", owner, {});
  await bench.call("listEscalationsPage", owner, {});
  await bench.call("listEscalationsPage", owner, { status: "pending" });
  await bench.call("getScopeEscalation", owner, { escalationId });
  await bench.call("deferEscalation", owner, { escalationId, delayMs: 60_000 });
  await bench.call("recordEscalationNotice", owner, { escalationId, surface: "tray", verdict: "shown" });
  await bench.call("resolveEscalation", owner, { escalationId, answer: content("a") });
  await bench.call("withdrawAnswer", owner, { escalationId });
  await bench.call("resolveEscalation", owner, { escalationId, answer: content("a"), note: content("n") });
  await bench.call("getEscalation", ada, { escalationId });
  await bench.call("listEscalationHistory", owner, {});
  await bench.call("listEscalationHistory", owner, { status: "resolved", agentId: "ada", text: "a" });

  await bench.call("listEvents", owner, { after: 0 });
  await bench.call("listEventsPage", owner, { kind: "task", agentId: "ada" });
  await bench.call("listEventsPage", owner, { subjectId: escalationId });
  const stop = new AbortController();
  for await (const { kind } of followEvents(bench.engine, 0, 1, stop.signal)) if (kind === "idle") stop.abort();

  await useA2a(bench, owner, bob);
  await useOutputs(bench, owner, ada);
  await useConnectors(bench, owner);
  await useSessions(bench);

  await bench.call("updateScope", owner, { linkPolicy: "open" });
  await bench.call("listPeers", ada, {});
  await bench.call("sendMessage", cy, { to: "bob", body });
  await bench.call("claimTask", bob, { taskId: await task() });
  await bench.call("reserveInbox", bob, {});
  await bench.pass(60_000);
  await bench.jump(-3_600_000);
  await bench.pass(2 * 86_400_000);
  await agent("bob");
  await bench.call("retire", await agent("cy"), {});
  await bench.call("removeAgent", owner, { agentId: "cy" });
  await bench.admin("rotateScopeToken", { scopeId: "s" });
  await bench.admin("deleteScope", { scopeId: "s", confirmScopeId: "s" });
}

/** The owner publishes bob, and clients of his write to him. */
async function useA2a(bench: Bench, owner: string, bob: string): Promise<void> {
  const { id: publicationId } = await bench.call("publishAgentCard", owner, { agentId: "bob" });
  await bench.call("listAgentCardPublications", owner, {});
  await bench.call("disableAgentCardPublication", owner, { publicationId });
  await bench.call("enableAgentCardPublication", owner, { publicationId });
  await bench.call("getAgentCard", "", { publicationId });
  const { principal } = await bench.call("createA2aPrincipal", owner, { publicationId, label: "client" });
  await bench.call("disableA2aPrincipal", owner, { principalId: principal.id });
  await bench.call("enableA2aPrincipal", owner, { principalId: principal.id });
  const { credential } = await bench.call("rotateA2aPrincipal", owner, { principalId: principal.id });
  await bench.call("listA2aPrincipals", owner, {});
  await bench.call("updateProfile", bob, { displayName: "Bob" });

  await bench.call("reserveInbox", bob, { limit: 100 });
  await bench.pass(31_000);
  const send = async () => {
    const message = { messageId: `m${Math.random()}`, role: "ROLE_USER", parts: [{ text: content("a2a") }] };
    return (await bench.call("sendA2aMessage", credential, { publicationId, message })).task.id;
  };
  const waiting = [await send(), await send()];
  await bench.call("listA2aPrincipalUsage", owner, {});
  const reservation = await bench.call("reserveInbox", bob, { limit: 100 });
  const messages = await bench.call("commitInbox", bob, { reservationId: reservation?.id ?? "" });
  const [answered, dead] = messages.filter(({ fromKind }) => fromKind === "a2aPrincipal").map(({ id }) => id);
  const answer = { to: principal.id, body: content("a2a"), mode: "response" as const, responseTo: answered };
  await bench.call("sendMessage", bob, answer);
  await bench.call("deadLetterMessage", bob, { messageId: dead as string, reason: content("a2a") });
  for (const taskId of waiting) await bench.call("getA2aTask", credential, { publicationId, taskId });
}

/** A browser signs in and is signed out. */
async function useSessions(bench: Bench): Promise<void> {
  const { code } = await bench.engine.transact("write", issueSignInCode);
  const { session } = await bench.engine.transact("write", (ctx) => startSession(ctx, code, "browser"));
  await bench.admin("listUiSessions", {});
  await bench.admin("endUiSession", { sessionId: session.id });
}

/** Clients connect, and one of them does so once more. */
async function useConnectors(bench: Bench, owner: string): Promise<void> {
  const { connector } = await bench.call("createConnector", owner, { name: content("connector"), agentName: "dora" });
  const { credential } = await bench.call("rotateConnector", owner, { connectorId: connector.id });
  const connect = (session?: string) =>
    bench.call("connect", credential, session === undefined ? {} : { session, displayName: content("dora") });
  const { agentToken } = await connect("one");
  await connect();
  await connect("one");
  // Whose token was replaced hears so, which takes a look of its own.
  await bench.call("whoAmI", agentToken, {}).catch(() => {});
  await bench.pass(2 * LIMITS.leaseDefaultMs);
  await connect("one");
  await bench.call("listConnectors", owner, {});
  await bench.call("registerAgent", owner, { id: "dora-2", displayName: content("dora") });
  await bench.call("revokeConnector", owner, { connectorId: connector.id });
}

/** Ada and somebody outside publish, others read. */
async function useOutputs(bench: Bench, owner: string, ada: string): Promise<void> {
  const open = { name: "news", retentionLimit: 1, publisherAgentIds: ["ada"] };
  const { id: streamId } = await bench.call("createOutputStream", owner, open, { key: "open" });
  await bench.call("listOutputStreams", owner, {});
  await bench.call("getOutputStream", owner, { streamId });
  await bench.call("addOutputPublisher", owner, { streamId, agentId: "bob" });
  await bench.call("removeOutputPublisher", owner, { streamId, agentId: "bob" });
  const issue = { streamId, label: "reader", permissions: ["read" as const, "publish" as const] };
  const { principal } = await bench.call("createOutputPrincipal", owner, issue);
  await bench.call("disableOutputPrincipal", owner, { principalId: principal.id });
  await bench.call("enableOutputPrincipal", owner, { principalId: principal.id });
  const { credential } = await bench.call("rotateOutputPrincipal", owner, { principalId: principal.id });
  await bench.call("listOutputPrincipals", owner, {});
  for (const token of [ada, credential]) {
    const value = { streamId, contentType: "text/plain" as const, value: content("output") };
    await bench.call("publishOutput", token, value, { key: "value" });
  }
  for (const token of [owner, credential]) {
    await bench.call("latestOutput", token, { streamId });
    await bench.call("listOutputValues", token, { streamId, after: 1 });
  }
  await bench.call("removeOutputStream", owner, { streamId });
}

/** Tables by the name a statement gives them. */
function tablesOf(sql: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, table, alias] of sql.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?/g)) {
    names.set(table as string, table as string);
    if (alias) names.set(alias, table as string);
  }
  return names;
}

/** What SQLite would read from end to end for a statement, among the tables that grow. */
function fullScans(sql: string): string[] {
  const tables = tablesOf(sql);
  const parameters = new Array(sql.split("?").length - 1).fill(null) as null[];
  const plan = bench.database.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => {
      const name = /^SCAN (\w+)/.exec(detail)?.[1];
      return name !== undefined && GROWING.includes(tables.get(name) ?? name);
    });
}

describe("statements of the core", () => {
  it("were all seen: every operation was called", () => {
    expect(Object.keys(handlers).filter((name) => !bench.called.has(name as keyof typeof handlers))).toEqual([]);
    expect(bench.statements.size).toBeGreaterThan(100);
  });

  it("are constants, so that few are prepared", () => {
    for (const sql of bench.statements.keys()) expect(sql).not.toMatch(/'(msg|task|ask|agent|exec|res|lreq)_/);
  });

  it("never read a table that grows from end to end", () => {
    const found = [...bench.statements]
      .map(([sql, users]) => ({ sql: sql.replace(/\s+/g, " ").trim(), users: [...users], scans: fullScans(sql) }))
      .filter(({ sql, scans }) => scans.length > 0 && !ALLOWED.some((allowed) => allowed.sql.test(sql)));
    expect(found).toEqual([]);
  });

  it("have no exception that is not needed", () => {
    const needed = [...bench.statements.keys()].filter((sql) => fullScans(sql).length > 0).map((sql) => sql.trim());
    expect(ALLOWED.filter(({ sql }) => !needed.some((text) => sql.test(text))).map(({ why }) => why)).toEqual([]);
  });
});
