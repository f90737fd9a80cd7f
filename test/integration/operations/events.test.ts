import { describe, expect, test } from "vitest";
import type { ScopeActor } from "../../support/actors.ts";
import { pruneEvents } from "../../support/fill.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

/** A scope with `count` events. */
async function scopeWith(count: number): Promise<ScopeActor> {
  const scope = await intercom().scope();
  for (let n = 1; n < count; n += 1) await scope.agent("a");
  expect(await scope.revision()).toBe(count);
  return scope;
}

describe("reading events", () => {
  test("gives what happened after a cursor, without gaps, and where to go on", async () => {
    const scope = await scopeWith(7);
    const all = await scope.call("listEvents", {});
    expect(all.events.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(all).toMatchObject({
      scopeId: scope.id,
      nextRevision: 7,
      currentRevision: 7,
      minimumCursor: 0,
      resyncRequired: false,
    });
    const some = await scope.call("listEvents", { after: 2, limit: 3 });
    expect(some.events.map(({ revision }) => revision)).toEqual([3, 4, 5]);
    expect(some).toMatchObject({ nextRevision: 5, currentRevision: 7 });
    const none = await scope.call("listEvents", { after: 7 });
    expect(none).toMatchObject({ events: [], nextRevision: 7, currentRevision: 7 });
    expect(all.events[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      scopeId: scope.id,
      type: "scope.created",
      subjectId: scope.id,
      revision: 1,
      attributes: { linkPolicy: "explicit" },
      createdAt: intercom().clock.instant(),
    });
  });

  test("gives 50 at a time unless told otherwise, and at most 100", async () => {
    const scope = await scopeWith(103);
    expect((await scope.call("listEvents", {})).events).toHaveLength(50);
    expect((await scope.call("listEvents", { limit: 100 })).events).toHaveLength(100);
    expect(await scope.events()).toHaveLength(103);
  });

  test("counts in each scope by itself", async () => {
    const [one, two] = [await scopeWith(3), await scopeWith(2)];
    await one.agent("b");
    expect([await one.revision(), await two.revision()]).toEqual([4, 2]);
  });

  test("survives a restart", async () => {
    const scope = await scopeWith(3);
    const before = await scope.events();
    await intercom().restart();
    expect(await scope.events()).toEqual(before);
    await scope.agent("b");
    expect(await scope.revision()).toBe(4);
  });
});

describe("waiting for events", () => {
  test("ends with the next one", async () => {
    const scope = await scopeWith(2);
    const waiting = scope.call("listEvents", { after: 2, waitMs: 25_000 });
    await (await intercom().scope()).agent("elsewhere");
    await scope.agent("b");
    expect(await waiting).toMatchObject({ events: [{ type: "agent.registered", subjectId: "b" }], nextRevision: 3 });
  });

  test("does not begin when there is something already", async () => {
    const scope = await scopeWith(2);
    expect((await scope.call("listEvents", { after: 1, waitMs: 25_000 })).events).toHaveLength(1);
  });

  test("ends empty when nothing happens", async () => {
    const scope = await scopeWith(2);
    expect(await scope.call("listEvents", { after: 2, waitMs: 20 })).toMatchObject({ events: [], nextRevision: 2 });
  });

  test("is woken for every one who waits", async () => {
    const scope = await scopeWith(1);
    const waiting = Array.from({ length: 20 }, () => scope.call("listEvents", { after: 1, waitMs: 25_000 }));
    await scope.agent("b");
    for (const each of waiting) expect((await each).events).toHaveLength(1);
  });

  test("ends when the daemon stops", async () => {
    const scope = await scopeWith(1);
    const waiting = scope.call("listEvents", { after: 1, waitMs: 25_000 }).catch(() => undefined);
    await scope.call("getScope", {});
    await intercom().restart();
    const answer = await waiting;
    if (answer) expect(answer.events).toEqual([]);
  });
});

describe("events that are gone", () => {
  test("ask the reader to begin anew", async () => {
    const scope = await scopeWith(6);
    pruneEvents(intercom(), scope.id, 4);
    for (const after of [0, 3]) {
      expect(await scope.call("listEvents", { after, waitMs: 25_000 })).toEqual({
        scopeId: scope.id,
        events: [],
        nextRevision: 6,
        currentRevision: 6,
        minimumCursor: 4,
        resyncRequired: true,
      });
    }
    const rest = await scope.call("listEvents", { after: 4 });
    expect(rest).toMatchObject({ resyncRequired: false, minimumCursor: 4, nextRevision: 6 });
    expect(rest.events).toHaveLength(2);
  });

  test("may be all of them", async () => {
    const scope = await scopeWith(3);
    pruneEvents(intercom(), scope.id, 3);
    expect(await scope.call("listEvents", { after: 3 })).toMatchObject({ resyncRequired: false, events: [] });
    await scope.agent("b");
    expect((await scope.call("listEvents", { after: 3 })).events).toMatchObject([{ revision: 4 }]);
  });
});
