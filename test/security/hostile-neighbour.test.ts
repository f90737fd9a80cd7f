import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS, type OperationName, operationOf } from "../../protocol/index.ts";
import { watchWaitingCalls } from "../faults/waiting-calls.ts";
import { credentialsFor, makeWorld, prepare, secretOf, type World } from "../support/fixtures.ts";
import { useDaemon } from "../support/use-daemon.ts";
import { until } from "../support/waiting.ts";
import { callable } from "./tenant/id-fields.ts";

/** What goes on in one scope is not noticed in another: neither by calls that wait there nor by keys both use. */

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();

const NOT_CALLED = new Set<OperationName>(["shutdown", "watchAllEvents"]);
const called = callable.filter((name) => !NOT_CALLED.has(name));

/** Everything there is to do in a world, done once. */
async function liveliness(world: World): Promise<void> {
  for (const name of called) {
    const { input, caller } = await prepare(world, name);
    const { status } = await intercom().send(name, input, credentialsFor(world, operationOf(name).authority, caller));
    expect(status, name).toBeLessThan(300);
  }
}

describe("calls that wait", () => {
  /** For every operation that waits: an input for which there is nothing to say yet. */
  const QUIET: Readonly<Record<string, (world: World) => Promise<Record<string, unknown>>>> = {
    reserveInbox: async (world) => {
      await world.alice.drain();
      return {};
    },
    takeResponse: async (world) => ({ messageId: await world.alice.tell(world.bob, { mode: "request" }) }),
    claimNextTask: async () => ({}),
    getEscalation: async (world) => ({ escalationId: (await world.alice.call("askHuman", { question: "?" })).id }),
    listOutputValues: async (world) => {
      const { streamId } = world.outside;
      const { nextSequence } = await world.scope.call("listOutputValues", { streamId });
      return { streamId, after: nextSequence };
    },
    listEvents: async (world) => ({ after: await world.scope.revision() }),
  };
  const waiting = called.filter((name) => operationOf(name).waits);
  const gone = new AbortController();
  afterAll(() => gone.abort());

  test("are all known here", () => {
    expect(waiting.filter((name) => !(name in QUIET))).toEqual([]);
  });

  test("are not ended by anything that happens in another scope", async () => {
    const [mine, theirs] = [await makeWorld(intercom()), await makeWorld(intercom())];
    const ended: string[] = [];
    const inputs: [OperationName, Record<string, unknown>][] = [];
    for (const name of waiting) inputs.push([name, (await QUIET[name]?.(mine)) ?? {}]);
    // Taken last, since every other input may have made events.
    const revision = await mine.scope.revision();
    for (const [name, input] of inputs) {
      const whole = { ...input, waitMs: LIMITS.waitMaxMs, ...(name === "listEvents" ? { after: revision } : {}) };
      const options = { ...credentialsFor(mine, operationOf(name).authority), signal: gone.signal };
      void intercom()
        .send(name, whole, options)
        .then(
          ({ status }) => ended.push(`${name} ${status}`),
          () => {},
        );
    }
    await until("all of them wait", () => waitingCalls() === waiting.length);
    await liveliness(theirs);
    expect(ended).toEqual([]);
    expect(waitingCalls()).toBe(waiting.length);
    // They were able to hear all the time.
    await mine.bob.tell(mine.alice);
    await until("those who waited for this have heard of it", () => ended.includes("listEvents 200"));
    expect(ended.every((end) => end.endsWith(" 200"))).toBe(true);
  });

  test("do not use up what other scopes may have waiting", async () => {
    const [mine, theirs] = [await makeWorld(intercom()), await makeWorld(intercom())];
    const before = waitingCalls();
    const after = await theirs.scope.revision();
    for (let n = 0; n < LIMITS.waitersPerScope; n += 1) {
      const options = { token: theirs.scope.token, signal: gone.signal };
      void intercom()
        .send("listEvents", { after, waitMs: LIMITS.waitMaxMs }, options)
        .catch(() => {});
    }
    await until("the other scope waits as much as it may", () => waitingCalls() === before + LIMITS.waitersPerScope);
    expect(await theirs.scope.refused("listEvents", { after, waitMs: 1 })).toMatchObject({ code: "BACKPRESSURE" });
    expect(await mine.alice.call("claimNextTask", { waitMs: 1 })).toBeNull();
    expect((await mine.scope.call("listEvents", { after: await mine.scope.revision(), waitMs: 1 })).events).toEqual([]);
  });
});

describe("an idempotency key two scopes use stands for two calls:", () => {
  const keyed = called.filter((name) => operationOf(name).idempotency === "key");
  let mine: World;
  let theirs: World;
  let third: World;
  beforeAll(async () => {
    [mine, theirs, third] = [await makeWorld(intercom()), await makeWorld(intercom()), await makeWorld(intercom())];
  });

  test.each(keyed)("%s", async (name) => {
    const key = `shared-${name}`;
    const { authority, status } = operationOf(name);
    const call = async (world: World, input: Record<string, unknown>, caller: World["alice"]) =>
      intercom().send(name, input, { ...credentialsFor(world, authority, caller), key });
    const [their, my] = [await prepare(theirs, name), await prepare(mine, name)];
    const first = await call(theirs, their.input, their.caller);
    expect(first.status).toBe(status);
    const second = await call(mine, my.input, my.caller);
    expect(second.status).toBe(status);
    expect(second.body).not.toEqual(first.body);
    expect(JSON.stringify(second.body)).not.toContain(secretOf(theirs));
    // Both have their own answer for good.
    expect((await call(theirs, their.input, their.caller)).body).toEqual(first.body);
    expect((await call(mine, my.input, my.caller)).body).toEqual(second.body);
  });

  test.each(keyed)("%s, with the very input of the other scope", async (name) => {
    const key = `copied-${name}`;
    const { authority, status } = operationOf(name);
    const { input, caller } = await prepare(theirs, name);
    expect((await intercom().send(name, input, { ...credentialsFor(theirs, authority, caller), key })).status).toBe(
      status,
    );
    const copied = await intercom().send(name, input, { ...credentialsFor(mine, authority), key });
    const unused = { ...credentialsFor(third, authority), key: `unused-${name}` };
    const fresh = await intercom().send(name, input, unused);
    // As if nobody had ever used the key: neither the other's result nor a conflict.
    const outcome = ({ status, body }: typeof fresh) => ({
      status,
      code: (body as { error?: { code: string } }).error?.code,
    });
    expect(outcome(copied)).toEqual(outcome(fresh));
  });
});
