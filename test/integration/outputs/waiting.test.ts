import { beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import type { Actor } from "../../support/actors.ts";
import { type CredentialActor, issue, makeStream, type StreamWorld, say, sayNumbers } from "../../support/outputs.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

/** Calls that wait longer than any test takes: one that nobody wakes fails by its timeout. */
const LONG_MS = LIMITS.waitMaxMs;

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();
let world: StreamWorld;
let reader: CredentialActor;

beforeEach(async () => {
  world = await makeStream(intercom());
  reader = await issue(world.scope, world.stream.id, "read");
});

/** Resolves once so many calls wait. */
async function waiters(count: number): Promise<void> {
  await until(`${count} calls wait`, () => waitingCalls() === count);
}

function wait(who: Actor, after = 0) {
  return who.call("listOutputValues", { streamId: world.stream.id, after, waitMs: LONG_MS });
}

function waitInVain(who: Actor) {
  return who.refused("listOutputValues", { streamId: world.stream.id, waitMs: LONG_MS });
}

const unauthenticated = { status: 401, code: "UNAUTHENTICATED" };

describe("a reader that waits", () => {
  test("gets the next value as soon as it is published, and so do all others", async () => {
    const { scope, stream, agent } = world;
    await say(agent, stream.id, "old");
    const waiting = [reader, scope, scope.viaAdmin, reader].map((who) => wait(who, 1));
    await waiters(4);
    const value = await say(agent, stream.id, "new");
    for (const history of await Promise.all(waiting)) {
      expect(history).toMatchObject({ values: [value], nextSequence: 2, currentSequence: 2 });
    }
  });

  test("does not wait where there is something to say", async () => {
    const { agent, stream } = world;
    await sayNumbers(agent, stream.id, 1, 2);
    expect((await wait(reader, 1)).values).toHaveLength(1);
    const narrow = await makeStream(intercom(), { retentionLimit: 1 });
    await sayNumbers(narrow.agent, narrow.stream.id, 1, 2);
    const history = await narrow.scope.call("listOutputValues", { streamId: narrow.stream.id, waitMs: LONG_MS });
    expect(history).toMatchObject({ resyncRequired: true });
  });

  test("gets an empty page when its time is over", async () => {
    const history = await reader.call("listOutputValues", { streamId: world.stream.id, waitMs: 1 });
    expect(history).toMatchObject({ values: [], nextSequence: 0, resyncRequired: false });
  });

  test("is not woken by other streams", async () => {
    const { scope, agent, stream } = world;
    const other = await scope.call("createOutputStream", { name: "other", publisherAgentIds: [agent.id] });
    let ended = false;
    const waiting = wait(reader).finally(() => {
      ended = true;
    });
    await waiters(1);
    await say(agent, other.id, "x");
    await intercom().admin.call("overview", {});
    expect(ended).toBe(false);
    await say(agent, stream.id, "x");
    expect((await waiting).values).toHaveLength(1);
  });

  test("stays when another credential of the stream changes, and when its own is enabled again", async () => {
    const { scope, agent, stream } = world;
    const other = await issue(scope, stream.id, "read");
    const waiting = wait(reader);
    await waiters(1);
    await scope.call("rotateOutputPrincipal", { principalId: other.id });
    await scope.call("disableOutputPrincipal", { principalId: other.id });
    await scope.call("enableOutputPrincipal", { principalId: reader.id });
    await intercom().admin.call("overview", {});
    await say(agent, stream.id, "x");
    expect((await waiting).values).toHaveLength(1);
  });

  test("holds no place that others need, and leaves none behind", async () => {
    const controller = new AbortController();
    const gone = reader
      .call("listOutputValues", { streamId: world.stream.id, waitMs: LONG_MS }, { signal: controller.signal })
      .catch(() => "gone");
    await waiters(1);
    controller.abort();
    expect(await gone).toBe("gone");
    await waiters(0);
    const rest = Array.from({ length: LIMITS.waitersPerCredential }, () => wait(reader));
    await waiters(LIMITS.waitersPerCredential);
    await say(world.agent, world.stream.id, "x");
    expect(await Promise.all(rest)).toHaveLength(LIMITS.waitersPerCredential);
  });
});

describe("a reader that waits is told at once when", () => {
  const { scope, stream } = { scope: () => world.scope, stream: () => world.stream };

  test("its credential is rotated", async () => {
    const waiting = waitInVain(reader);
    await waiters(1);
    await scope().call("rotateOutputPrincipal", { principalId: reader.id });
    expect(await waiting).toMatchObject(unauthenticated);
  });

  test("its credential is disabled", async () => {
    const waiting = waitInVain(reader);
    await waiters(1);
    await scope().call("disableOutputPrincipal", { principalId: reader.id });
    expect(await waiting).toMatchObject(unauthenticated);
  });

  test("the stream is removed", async () => {
    const waiting = [waitInVain(reader), waitInVain(scope())];
    await waiters(2);
    await scope().call("removeOutputStream", { streamId: stream().id });
    const [outside, owner] = await Promise.all(waiting);
    expect(outside).toMatchObject(unauthenticated);
    expect(owner).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("the scope's token is rotated", async () => {
    const waiting = [waitInVain(reader), waitInVain(scope())];
    await waiters(2);
    await intercom().admin.call("rotateScopeToken", { scopeId: scope().id });
    for (const refusal of await Promise.all(waiting)) expect(refusal).toMatchObject(unauthenticated);
  });

  test("the scope is deleted", async () => {
    const waiting = [waitInVain(reader), waitInVain(scope())];
    const byHeader = waitInVain(scope().viaAdmin);
    await waiters(3);
    await intercom().admin.call("deleteScope", { scopeId: scope().id, confirmScopeId: scope().id });
    for (const refusal of await Promise.all(waiting)) expect(refusal).toMatchObject(unauthenticated);
    expect(await byHeader).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  test("the daemon stops", async () => {
    const waiting = wait(reader);
    await waiters(1);
    await intercom().restart();
    expect(await waiting).toMatchObject({ values: [], nextSequence: 0 });
    expect(await say(world.agent, stream().id, "x")).toMatchObject({ sequence: 1 });
  });
});

describe("how many may wait", () => {
  const full = (limit: number) => ({ status: 429, code: "BACKPRESSURE", details: { reason: "waiters", limit } });

  test("is bounded for each credential, for all of a scope, and leaves room for its agents", async () => {
    const { scope, stream, agent } = world;
    const second = await issue(scope, stream.id, "read");
    const third = await issue(scope, stream.id, "read");
    const waiting = [reader, second].flatMap((who) =>
      Array.from({ length: LIMITS.waitersPerCredential }, () => wait(who)),
    );
    await waiters(LIMITS.credentialWaitersPerScope);
    expect(await waitInVain(reader)).toMatchObject(full(LIMITS.waitersPerCredential));
    expect(await waitInVain(third)).toMatchObject(full(LIMITS.credentialWaitersPerScope));
    // Reading without waiting goes on, and so do other scopes.
    expect(await third.call("listOutputValues", { streamId: stream.id })).toMatchObject({ values: [] });
    const inbox = agent.call("reserveInbox", { waitMs: LONG_MS });
    const owners = Array.from({ length: LIMITS.waitersPerScope - LIMITS.credentialWaitersPerScope - 1 }, () =>
      wait(scope),
    );
    await waiters(LIMITS.waitersPerScope);
    expect(await waitInVain(scope)).toMatchObject(full(LIMITS.waitersPerScope));
    await say(agent, stream.id, "x");
    expect((await Promise.all([...waiting, ...owners])).every(({ values }) => values.length === 1)).toBe(true);
    await scope.call("sendHumanMessage", { to: agent.id, body: "wake up" });
    expect((await inbox)?.messages).toHaveLength(1);
    const again = wait(third, 1);
    await waiters(1);
    await say(agent, stream.id, "y");
    expect((await again).values).toHaveLength(1);
  });
});

test("a value published while a reader looks is never missed", async () => {
  const { agent, stream } = world;
  const seen: number[] = [];
  const reading = (async () => {
    while (seen.length < 60) {
      const history = await wait(reader, seen.at(-1) ?? 0);
      seen.push(...history.values.map(({ sequence }) => sequence));
    }
  })();
  await sayNumbers(agent, stream.id, 1, 60);
  await reading;
  await until("all values are read", () => seen.length === 60);
  expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
});
