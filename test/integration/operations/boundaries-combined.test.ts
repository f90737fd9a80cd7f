import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { makeWorld, type World } from "../../support/fixtures.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** Rules that no single field can break. */

const intercom = useDaemon();
let world: World;

beforeAll(async () => {
  world = await makeWorld(intercom());
});

const DAY_MS = 86_400_000;

describe("a lease", () => {
  test.each([
    [0, 300_000],
    [30_000, 30_000],
    [DAY_MS, DAY_MS],
  ])("of %d ms lasts %d ms", async (leaseMs, lasts) => {
    const agent = await world.scope.agent(world.fresh("agent"), { leaseMs });
    expect(agent.leaseExpiresAt).toBe(intercom().clock.instant(lasts));
    await agent.call("heartbeat", { lifecycle: "idle", ready: false, leaseMs });
    expect((await agent.call("whoAmI", {})).identity.leaseExpiresAt).toBe(intercom().clock.instant(lasts));
  });

  test.each([1, 29_999, DAY_MS + 1])("of %d ms is refused", async (leaseMs) => {
    const expected = { code: "INVALID_ARGUMENT", message: expect.stringMatching(/^leaseMs: /) };
    expect(await world.scope.refused("registerAgent", { displayName: "x", leaseMs })).toMatchObject(expected);
    const heartbeat = { lifecycle: "idle", ready: false, leaseMs };
    expect(await world.alice.refused("heartbeat", heartbeat)).toMatchObject(expected);
  });
});

describe("options of a question", () => {
  const options = (count: number) => Array.from({ length: count }, (_, index) => `option ${index}`);

  test.each([0, 2, 4])("%d are taken", async (count) => {
    const escalation = await world.alice.call("askHuman", { question: "which?", options: options(count) });
    expect(escalation).toMatchObject({ options: options(count), kind: count === 0 ? "input" : "choice" });
  });

  test.each([1, 5])("%d are refused", async (count) => {
    expect(await world.alice.refused("askHuman", { question: "which?", options: options(count) })).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "options: expected no options, or 2 to 4",
    });
  });

  test("a choice needs some", async () => {
    expect(await world.alice.refused("askHuman", { question: "which?", kind: "choice" })).toMatchObject({
      message: expect.stringMatching(/^options: /),
    });
  });
});

describe("context of a message and of a question", () => {
  const title = "t";
  const item = (bytes: number) => ({ kind: "text" as const, title, text: "x".repeat(bytes - title.length) });
  /** Items of `bytes` in total. */
  const context = (bytes: number) => {
    const largest = LIMITS.contextTextBytes;
    const items = Array.from({ length: Math.floor(bytes / largest) }, () => item(largest));
    return bytes % largest === 0 ? items : [...items, item(bytes % largest)];
  };

  test("takes as many bytes in total as allowed", async () => {
    const full = context(LIMITS.contextTotalBytes);
    await world.alice.tell(world.bob, { context: full });
    expect((await world.bob.pull()).at(-1)?.context).toEqual(full);
    expect((await world.alice.call("askHuman", { question: "see", context: full })).context).toEqual(full);
  });

  test("refuses one byte more", async () => {
    const over = context(LIMITS.contextTotalBytes + 1);
    const expected = {
      code: "INVALID_ARGUMENT",
      message: "context: expected at most 262144 bytes of context in total",
    };
    expect(await world.alice.refused("sendMessage", { to: world.bob.id, body: "b", context: over })).toMatchObject(
      expected,
    );
    expect(await world.alice.refused("askHuman", { question: "see", context: over })).toMatchObject(expected);
  });

  test("counts every text of an item", async () => {
    const most = { kind: "file" as const, title, mediaType: "m".repeat(LIMITS.contextTotalBytes - 1) };
    await world.alice.tell(world.bob, { context: [most] });
    const input = { to: world.bob.id, body: "b", context: [{ ...most, uri: "u" }] };
    expect(await world.alice.refused("sendMessage", input)).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("fields that belong together", () => {
  const invalid = (field: string) => ({
    code: "INVALID_ARGUMENT",
    message: expect.stringMatching(new RegExp(`^${field}: `)),
  });

  test("an offline agent cannot be ready", async () => {
    const input = { lifecycle: "offline", ready: true };
    expect(await world.alice.refused("heartbeat", input)).toMatchObject(invalid("ready"));
  });

  test("an agent is not linked with itself", async () => {
    const self = { left: world.alice.id, right: world.alice.id };
    expect(await world.scope.refused("linkAgents", self)).toMatchObject(invalid("right"));
    expect(await world.scope.refused("unlinkAgents", self)).toMatchObject(invalid("right"));
    expect(await world.alice.refused("requestLink", { to: world.alice.id })).toMatchObject(invalid("to"));
    const register = { id: "loop", displayName: "loop", connectTo: ["loop"] };
    expect(await world.scope.refused("registerAgent", register)).toMatchObject(invalid("connectTo"));
    // The whole registration was undone.
    expect(await world.scope.refused("getAgent", { agentId: "loop" })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("a capability has one entry", async () => {
    const input = { displayName: "x", capabilities: [{ name: "a" }, { name: "a", description: "again" }] };
    expect(await world.scope.refused("registerAgent", input)).toMatchObject(invalid("capabilities"));
    expect(await world.alice.refused("updateProfile", { capabilities: input.capabilities })).toMatchObject(
      invalid("capabilities"),
    );
  });

  test("a response names its request, and only a response does", async () => {
    const message = { to: world.bob.id, body: "b" };
    expect(await world.alice.refused("sendMessage", { ...message, mode: "response" })).toMatchObject(
      invalid("responseTo"),
    );
    for (const mode of ["notify", "request"]) {
      const input = { ...message, mode, responseTo: "msg_1" };
      expect(await world.alice.refused("sendMessage", input)).toMatchObject(invalid("responseTo"));
    }
  });

  test("nobody messages itself", async () => {
    expect(await world.alice.refused("sendMessage", { to: world.alice.id, body: "b" })).toMatchObject(invalid("to"));
  });

  test("a note to the human goes to the human", async () => {
    const input = { to: world.bob.id, toKind: "human", body: "b" };
    expect(await world.alice.refused("sendMessage", input)).toMatchObject(invalid("to"));
    const request = { to: "human", toKind: "human", body: "b", mode: "request" };
    expect(await world.alice.refused("sendMessage", request)).toMatchObject(invalid("mode"));
  });

  test("a scope is deleted by its exact name only", async () => {
    const scope = await intercom().scope();
    const input = { scopeId: scope.id, confirmScopeId: scope.id.toUpperCase() };
    expect(await intercom().admin.refused("deleteScope", input)).toMatchObject(invalid("confirmScopeId"));
    expect(await scope.call("getScope", {})).toMatchObject({ scopeId: scope.id });
  });

  test("a conversation of two needs both", async () => {
    expect(await world.scope.refused("listMessages", { peer: world.bob.id })).toMatchObject(invalid("agent"));
  });

  test("cursors are those of an earlier page", async () => {
    expect(await world.scope.refused("listLinks", { after: "x" })).toMatchObject(invalid("after"));
    expect(await world.alice.refused("listMyMessages", { before: "-1" })).toMatchObject(invalid("before"));
    const messages = { agent: world.alice.id, before: "1".repeat(16) };
    expect(await world.scope.refused("listMessages", messages)).toMatchObject(invalid("before"));
  });

  test("nobody reads events that have not happened", async () => {
    const revision = await world.scope.revision();
    expect((await world.scope.call("listEvents", { after: revision })).events).toEqual([]);
    expect(await world.scope.refused("listEvents", { after: revision + 1 })).toMatchObject(invalid("after"));
  });

  test("the dependencies of a task are bounded in total", async () => {
    const ids: string[] = [];
    for (let index = 0; index <= LIMITS.taskDependencies; index += 1) {
      ids.push((await world.alice.call("addTask", { title: `t${index}` })).id);
    }
    const [one, ...most] = ids as [string, ...string[]];
    const task = await world.alice.call("addTask", { title: "all", dependencies: most });
    expect(task.dependencies).toHaveLength(LIMITS.taskDependencies);
    const edit = { taskId: task.id, add: [one] };
    expect(await world.alice.refused("editTaskDependencies", edit)).toMatchObject(invalid("add"));
    const exchanged = await world.alice.call("editTaskDependencies", { ...edit, remove: most.slice(0, 1) });
    expect(exchanged.dependencies).toHaveLength(LIMITS.taskDependencies);
  });
});
