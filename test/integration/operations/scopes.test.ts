import { describe, expect, test } from "vitest";
import { ACTOR_ATTRIBUTE } from "../../../protocol/index.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

describe("creating a scope", () => {
  test("gives its token once", async () => {
    const { admin, clock } = intercom();
    const created = await admin.call("createScope", { id: "Team-1", linkPolicy: "open" });
    expect(created).toEqual({ scopeId: "Team-1", scopeToken: expect.stringMatching(/^[\w-]{43}$/) });
    const summary = { scopeId: "Team-1", createdAt: clock.instant(), linkPolicy: "open" };
    expect(await intercom().call("getScope", {}, { token: created.scopeToken })).toEqual(summary);
    expect(await admin.call("listScopes", {})).toContainEqual(summary);
    expect(JSON.stringify(await admin.call("listScopes", {}))).not.toContain(created.scopeToken);
    expect(await admin.refused("createScope", { id: "Team-1" })).toMatchObject({ code: "CONFLICT" });
    // Ids differ by case.
    await admin.call("createScope", { id: "team-1" });
  });

  test("makes up an id", async () => {
    const { scopeId } = await intercom().admin.call("createScope", {});
    expect(scopeId).toMatch(/^scope_[0-9a-f]{32}$/);
  });

  test("is listed by id", async () => {
    for (const id of ["zz", "mm"]) await intercom().scope({ id });
    const ids = (await intercom().admin.call("listScopes", {})).map(({ scopeId }) => scopeId);
    expect(ids).toEqual([...ids].sort());
  });
});

describe("rotating the token", () => {
  test("puts everybody out at once and frees what they held", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    await a.tell(b);
    await b.call("reserveInbox", {});
    const { id: taskId } = await a.call("addTask", { title: "t" });
    await b.call("claimTask", { taskId });
    const before = await scope.revision();
    const { scopeToken } = await intercom().admin.call("rotateScopeToken", { scopeId: scope.id });
    expect(scopeToken).not.toBe(scope.token);
    expect(await scope.refused("getScope", {})).toMatchObject({ code: "UNAUTHENTICATED" });
    for (const agent of [a, b]) {
      expect(await agent.refused("whoAmI", {})).toMatchObject({ details: { reason: "retired" } });
      expect(await agent.refused("retire", {})).toMatchObject({ code: "UNAUTHENTICATED" });
    }
    const owner = scope.viaAdmin;
    const events = await owner.events(before);
    expect(events.map(({ type }) => type)).toEqual([
      "message.released",
      "task.released",
      "message.accepted",
      "message.accepted",
      "scope.credentials_rotated",
    ]);
    expect(events.at(-1)?.attributes).toEqual({ executions: "retired", scopedCredentials: "disabled" });
    expect(await owner.call("listAgents", {})).toMatchObject([{ reachable: false }, { reachable: false }]);
    // With the new token everybody may come back.
    const registration = { id: "b", displayName: "b" };
    const { agentToken } = await intercom().call("registerAgent", registration, { token: scopeToken });
    await intercom().call("claimTask", { taskId }, { token: agentToken });
  });

  test("ends the calls that were waiting", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const { id: escalationId } = await a.call("askHuman", { question: "q" });
    const waiting = [
      a.refused("reserveInbox", { waitMs: 25_000 }),
      a.refused("claimNextTask", { waitMs: 25_000 }),
      a.refused("getEscalation", { escalationId, waitMs: 25_000 }),
      scope.refused("listEvents", { after: await scope.revision(), waitMs: 25_000 }),
    ];
    await scope.call("getScope", {});
    await intercom().admin.call("rotateScopeToken", { scopeId: scope.id });
    for (const refusal of await Promise.all(waiting)) expect(refusal).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("needs a scope", async () => {
    expect(await intercom().admin.refused("rotateScopeToken", { scopeId: "none" })).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("deleting a scope", () => {
  test("removes everything in it, and nothing else", async () => {
    const [scope, other] = [await intercom().scope(), await intercom().scope()];
    const [a, b] = await scope.agents("a", "b");
    const [, d] = await other.agents("a", "b");
    for (const [from, to] of [
      [a, b],
      [d, "a"],
    ] as const) {
      await from.tell(to);
      const { id: taskId } = await from.call("addTask", { title: "t" }, { key: "k" });
      await from.call("claimTask", { taskId });
      await from.call("addTaskProgress", { taskId, kind: "note", text: "x" });
      await from.call("askHuman", { question: "q" });
    }
    await b.call("reserveInbox", {});
    const input = { scopeId: scope.id, confirmScopeId: scope.id };
    const revision = await other.revision();
    expect(await intercom().admin.call("deleteScope", input)).toEqual({ deleted: true });
    expect(await intercom().admin.call("deleteScope", input)).toEqual({ deleted: false });
    expect(await scope.refused("getScope", {})).toMatchObject({
      code: "UNAUTHENTICATED",
      details: { reason: "unknown" },
    });
    expect(await a.refused("whoAmI", {})).toMatchObject({ details: { reason: "unknown" } });
    expect(await scope.viaAdmin.refused("getScope", {})).toMatchObject({ code: "NOT_FOUND" });
    expect(await other.revision()).toBe(revision);
    expect(await other.call("listTasks", {})).toHaveLength(1);

    const left = intercom().sql((db) => {
      const count = (table: string, where: string) =>
        (db.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`).get() as { n: number }).n;
      const orphans = "scope_no NOT IN (SELECT no FROM scopes)";
      return {
        agents: count("agents", orphans),
        messages: count("messages", orphans),
        tasks: count("tasks", orphans),
        escalations: count("escalations", orphans),
        keys: count("idempotency", orphans),
        executions: count("executions", "agent_no NOT IN (SELECT no FROM agents)"),
        reservations: count("reservations", "agent_no NOT IN (SELECT no FROM agents)"),
        progress: count("task_progress", "task_no NOT IN (SELECT no FROM tasks)"),
        events: count("events", `${orphans} AND type <> 'scope.deleted'`),
      };
    });
    expect(Object.entries(left).filter(([, count]) => count > 0)).toEqual([]);
  });

  test("and creating it anew begins at nothing", async () => {
    const scope = await intercom().scope();
    await scope.agent("a");
    await intercom().admin.call("deleteScope", { scopeId: scope.id, confirmScopeId: scope.id });
    const again = await intercom().scope({ id: scope.id });
    expect(await again.call("listAgents", {})).toEqual([]);
    expect((await again.events()).map(({ type, revision }) => [type, revision])).toEqual([["scope.created", 1]]);
    expect(again.token).not.toBe(scope.token);
  });

  test("ends the calls that were waiting in it", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const { id: escalationId } = await a.call("askHuman", { question: "q" });
    const waiting = [
      a.refused("reserveInbox", { waitMs: 25_000 }),
      a.refused("claimNextTask", { waitMs: 25_000 }),
      a.refused("getEscalation", { escalationId, waitMs: 25_000 }),
      scope.refused("listEvents", { after: await scope.revision(), waitMs: 25_000 }),
    ];
    await scope.call("getScope", {});
    await intercom().admin.call("deleteScope", { scopeId: scope.id, confirmScopeId: scope.id });
    for (const refusal of await Promise.all(waiting)) expect(refusal).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

describe("the admin as owner of a scope", () => {
  test("may do what its owner may, and every event says who did it", async () => {
    const scope = await intercom().scope();
    const owner = scope.viaAdmin;
    const events = await scope.eventsOf(async () => {
      const a = await owner.agent("a");
      await owner.call("sendHumanMessage", { to: "a", body: "b" });
      const { id } = await owner.call("addTask", { title: "t" });
      await owner.call("cancelTask", { taskId: id });
      const { id: escalationId } = await a.call("askHuman", { question: "q" });
      await owner.call("resolveEscalation", { escalationId, answer: "yes" });
      await owner.call("updateScope", { linkPolicy: "open" });
      await owner.call("removeAgent", { agentId: "a" });
    });
    expect(events.map(([type, , attributes]) => [type, attributes[ACTOR_ATTRIBUTE]])).toEqual([
      ["agent.registered", "owner"],
      ["message.accepted", "owner"],
      ["task.created", "owner"],
      ["task.cancelled", "owner"],
      ["escalation.created", undefined],
      ["escalation.resolved", "owner"],
      ["message.accepted", "owner"],
      ["scope.policy_changed", "owner"],
      ["agent.removed", "owner"],
    ]);
  });

  test("acts in the scope it names only", async () => {
    const [one, two] = [await intercom().scope(), await intercom().scope()];
    await one.viaAdmin.agent("a");
    expect(await two.call("listAgents", {})).toEqual([]);
    const options = { scopeId: two.id.toUpperCase() };
    expect(await intercom().admin.refused("getScope", {}, options)).toMatchObject({ code: "NOT_FOUND" });
  });
});
