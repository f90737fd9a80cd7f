import { beforeAll, describe, expect, test } from "vitest";
import { IDEMPOTENCY_HEADER, LIMITS, operationNames, operationOf } from "../../../protocol/index.ts";
import { credentialsFor, makeWorld, prepare, type World } from "../../support/fixtures.ts";
import { resultOf } from "../../support/http.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { OTHER_CONTENT } from "./idempotency-cases.ts";

const intercom = useDaemon();
let world: World;

beforeAll(async () => {
  world = await makeWorld(intercom());
});

const keyed = operationNames.filter((name) => operationOf(name).idempotency === "key");
/** A message keeps its key itself, apart from all others. */
const isMessage = (name: string) => name === "sendMessage" || name === "sendHumanMessage";

let keys = 0;
const freshKey = () => `key ${++keys}`;

describe.each(keyed)("%s", (name) => {
  const credentials = () => credentialsFor(world, operationOf(name).authority);
  const call = async (input: Readonly<Record<string, unknown>>, key: string) =>
    resultOf(name, await intercom().send(name, input, { ...credentials(), key }));

  test("once done, answers the same call with the same result and does nothing", async () => {
    const { input } = await prepare(world, name);
    const key = freshKey();
    const first = await call(input, key);
    const revision = await world.scope.revision();
    expect(await call(input, key)).toEqual(first);
    // The order of the fields is no content.
    expect(await call(Object.fromEntries(Object.entries(input).reverse()), key)).toEqual(first);
    expect(await world.scope.revision()).toBe(revision);
  });

  test(
    name === "claimNextTask" ? "takes another wait for the same call" : "refuses the key for other content",
    async () => {
      const { input } = await prepare(world, name);
      const key = freshKey();
      await call(input, key);
      const revision = await world.scope.revision();
      if (name === "claimNextTask") {
        expect(await call({ ...input, waitMs: 1 }, key)).toEqual(await call(input, key));
        expect(await world.scope.revision()).toBe(revision);
        return;
      }
      const other = { ...input, ...OTHER_CONTENT[name] };
      expect(OTHER_CONTENT[name], "a case of other content").toBeDefined();
      expect(await intercom().refused(name, other, { ...credentials(), key })).toMatchObject({
        code: "CONFLICT",
        message: expect.stringContaining("another"),
      });
      expect(await world.scope.revision()).toBe(revision);
    },
  );

  test("does it again under another key, or without one", async () => {
    const { input } = await prepare(world, name);
    await call(input, freshKey());
    for (const key of [freshKey(), undefined]) {
      const before = await world.scope.revision();
      // What can be done once only is a conflict then.
      const answer = await intercom().send(name, input, { ...credentials(), key });
      expect([200, 201, 202, 409]).toContain(answer.status);
      const { result } = answer.body as { result?: unknown };
      const nothingToDo = answer.status === 409 || result === null;
      expect((await world.scope.revision()) > before).toBe(!nothingToDo);
    }
  });

  test("remembers over a restart", async () => {
    const { input } = await prepare(world, name);
    const key = freshKey();
    const first = await call(input, key);
    await intercom().restart();
    const revision = await world.scope.revision();
    expect(await call(input, key)).toEqual(first);
    expect(await world.scope.revision()).toBe(revision);
  });

  test("refuses a key that is none", async () => {
    const { input } = await prepare(world, name);
    for (const key of ["", "  ", "k".repeat(LIMITS.idempotencyKeyBytes + 1)]) {
      const refusal = await intercom().refused(name, input, {
        ...credentials(),
        headers: { [IDEMPOTENCY_HEADER]: key },
      });
      expect(refusal, JSON.stringify(key)).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(refusal.message).toMatch(/^Idempotency-Key: /i);
    }
    await call(input, "k".repeat(LIMITS.idempotencyKeyBytes - 8) + keys.toString().padStart(8, "0"));
    keys += 1;
  });
});

test("a key belongs to one operation", async () => {
  const key = freshKey();
  await world.alice.call("addTask", { title: "t" }, { key });
  for (const name of keyed.filter((each) => operationOf(each).authority !== "scope" && !isMessage(each))) {
    if (name === "addTask") continue;
    const { input } = await prepare(world, name);
    expect(await world.alice.refused(name, input, { key }), name).toMatchObject({ code: "CONFLICT" });
  }
});

test("a key belongs to one agent, or to the owner", async () => {
  const key = freshKey();
  const input = { title: "mine" };
  const ids = [
    (await world.alice.call("addTask", input, { key })).id,
    (await world.bob.call("addTask", input, { key })).id,
    (await world.scope.call("addTask", input, { key })).id,
  ];
  expect(new Set(ids).size).toBe(3);
  // The owner is the owner, whichever credential it uses.
  expect((await world.scope.viaAdmin.call("addTask", input, { key })).id).toBe(ids[2]);
});

test("a key belongs to one scope", async () => {
  const other = await makeWorld(intercom());
  const key = freshKey();
  const mine = await world.scope.call("addTask", { title: "t" }, { key });
  const theirs = await other.scope.call("addTask", { title: "t" }, { key });
  expect(theirs.id).not.toBe(mine.id);
});

test("a key stays with the agent when its execution is replaced", async () => {
  const key = freshKey();
  const first = await (await world.scope.agent("phoenix")).call("addTask", { title: "t" }, { key });
  const second = await (await world.scope.agent("phoenix")).call("addTask", { title: "t" }, { key });
  expect(second).toEqual(first);
});

test("a refusal is not remembered", async () => {
  const key = freshKey();
  const dependency = await world.alice.call("addTask", { title: "first" });
  const { id: taskId } = await world.alice.call("addTask", { title: "then", dependencies: [dependency.id] });
  expect(await world.alice.refused("claimTask", { taskId }, { key })).toMatchObject({ code: "CONFLICT" });
  await world.alice.call("claimTask", { taskId: dependency.id });
  await world.alice.call("completeTask", { taskId: dependency.id });
  expect(await world.alice.call("claimTask", { taskId }, { key })).toMatchObject({ status: "claimed" });
});

test("an empty answer is not remembered", async () => {
  const { alice, scope } = await makeWorld(intercom());
  const key = freshKey();
  expect(await alice.call("claimNextTask", {}, { key })).toBeNull();
  const { id } = await scope.call("addTask", { title: "t" });
  expect(await alice.call("claimNextTask", {}, { key })).toMatchObject({ id });
  expect(await alice.call("claimNextTask", {}, { key })).toMatchObject({ id });
});

test("calls under one key at the same time take effect once", async () => {
  const { scope } = await makeWorld(intercom());
  const key = freshKey();
  const calls = Array.from({ length: 20 }, () => scope.call("addTask", { title: "t" }, { key }));
  expect(new Set((await Promise.all(calls)).map(({ id }) => id)).size).toBe(1);
  expect(await scope.call("listTasks", {})).toHaveLength(1);
});

describe("a message", () => {
  let alice: World["alice"];
  let bob: World["bob"];
  beforeAll(async () => {
    ({ alice, bob } = await makeWorld(intercom()));
  });

  test("takes its key from the header or the body", async () => {
    const key = freshKey();
    const input = { to: bob.id, body: "b" };
    const first = await alice.call("sendMessage", { ...input, idempotencyKey: key });
    expect((await alice.call("sendMessage", input, { key })).messageId).toBe(first.messageId);
    expect((await alice.call("sendMessage", { ...input, idempotencyKey: key }, { key })).messageId).toBe(
      first.messageId,
    );
  });

  test("cannot have two", async () => {
    const input = { to: bob.id, body: "b", idempotencyKey: freshKey() };
    expect(await alice.refused("sendMessage", input, { key: freshKey() })).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "idempotencyKey: differs from the Idempotency-Key header",
    });
  });

  test("is told apart by everything it says", async () => {
    const key = freshKey();
    const input = { to: bob.id, body: "b", idempotencyKey: key };
    const { messageId } = await alice.call("sendMessage", input);
    for (const change of [
      { body: "c" },
      { mode: "request" },
      { expiresInMs: 1000 },
      { context: [{ kind: "text", title: "t" }] },
      { to: "human", toKind: "human" },
    ]) {
      const refusal = await alice.refused("sendMessage", { ...input, ...change });
      expect(refusal, JSON.stringify(change)).toMatchObject({ code: "CONFLICT", details: { messageId } });
    }
    // What the defaults say anyway is no other content.
    const spelledOut = { ...input, mode: "notify" as const, expiresInMs: 0, context: [], toKind: "agent" as const };
    expect((await alice.call("sendMessage", spelledOut)).messageId).toBe(messageId);
  });

  test("answers a repeated call with how far it has come by now", async () => {
    const input = { to: bob.id, body: "b", idempotencyKey: freshKey() };
    expect(await alice.call("sendMessage", input)).toMatchObject({ state: "queued" });
    await bob.drain();
    expect(await alice.call("sendMessage", input)).toMatchObject({ state: "acknowledged" });
  });

  test("answers a repeated call even when it would be refused today", async () => {
    const { scope, alice: eve, bob: dan } = await makeWorld(intercom());
    const input = { to: dan.id, body: "b", idempotencyKey: freshKey() };
    const { messageId } = await eve.call("sendMessage", input);
    await scope.call("unlinkAgents", { left: eve.id, right: dan.id });
    expect((await eve.call("sendMessage", input)).messageId).toBe(messageId);
    expect(await eve.refused("sendMessage", { to: dan.id, body: "b" })).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("shares no keys with other operations", async () => {
    const { scope, bob: dan } = await makeWorld(intercom());
    const key = freshKey();
    await scope.call("sendHumanMessage", { to: dan.id, body: "b" }, { key });
    await scope.call("addTask", { title: "t" }, { key });
  });
});

test("keys mean nothing to operations that do not take them", async () => {
  const key = freshKey();
  expect(await world.scope.call("registerAgent", { displayName: "x" }, { key })).not.toEqual(
    await world.scope.call("registerAgent", { displayName: "x" }, { key }),
  );
});
