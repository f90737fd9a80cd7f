import { expect, test } from "vitest";
import type { Event } from "../../../protocol/objects/event.ts";
import { CacheSet } from "../../data/cache.ts";
import { eventOf, fakeSource } from "../../testing/fake-source.ts";
import { FeedCache, type FeedKey } from "./feed-cache.ts";

/** A feed that a view shows; `history` is what the daemon has, newest first, in pages of two. */
async function shown(history: Event[], filter: Omit<FeedKey, "scopeId"> = {}) {
  const fake = fakeSource({
    listEventsPage: ({ before }) => {
      const from = before === undefined ? 0 : history.findIndex(({ id }) => id === before) + 1;
      const events = history.slice(from, from + 2);
      return { events, ...(from + 2 < history.length ? { nextCursor: events.at(-1)?.id } : {}) };
    },
  });
  const make = (key: FeedKey) => new FeedCache(fake.source, key, fake.schedule);
  const cache = new CacheSet(fake.source, 2, make).get({ scopeId: "scope", ...filter });
  cache.retain();
  await fake.settle();
  const state = () => cache.store.getState();
  return { ...fake, cache, state, ids: () => state().events.map(({ id }) => id) };
}

const events = (...types: string[]) => types.map((type) => eventOf(type, "subject"));

test("live events come to the top without a request", async () => {
  const [old] = events("task.created") as [Event];
  const { tell, called, ids } = await shown([old]);
  called();
  const [first, second] = events("task.updated", "task.claimed") as [Event, Event];
  tell({ events: [first, second] });
  expect(ids()).toEqual([second.id, first.id, old.id]);
  expect(called()).toEqual([]);
});

test("while somebody reads, new ones wait and are counted; none comes twice", async () => {
  const { tell, cache, state, ids } = await shown(events("task.created"));
  cache.follow(false);
  const [first, second] = events("task.updated", "task.claimed") as [Event, Event];
  tell({ events: [first] });
  tell({ events: [first, second] });
  expect(ids()).toHaveLength(1);
  expect(state().waiting.map(({ id }) => id)).toEqual([second.id, first.id]);
  cache.follow(true);
  expect(ids()).toHaveLength(3);
  expect(state().waiting).toEqual([]);
});

test("only what the filter lets through comes in", async () => {
  const { tell, ids } = await shown([], { kind: "task", agentId: "ada" });
  tell({
    events: [
      eventOf("task.claimed", "t1", { claimedBy: "ada" }),
      eventOf("task.claimed", "t1", { claimedBy: "bob" }),
      eventOf("message.accepted", "m1", { from: "ada" }),
    ],
  });
  expect(ids()).toHaveLength(1);
});

test("an agent's feed has what it did and what was done to it", async () => {
  const { tell, ids } = await shown([], { agentId: "ada" });
  tell({ events: [eventOf("agent.registered", "ada"), eventOf("message.accepted", "m1", { to: "ada" })] });
  tell({ events: [eventOf("task.updated", "ada")] });
  expect(ids()).toHaveLength(2);
});

test("older ones are read page by page", async () => {
  const history = events("a.1", "a.2", "a.3", "a.4", "a.5");
  const { cache, ids, state } = await shown(history);
  await cache.loadOlder();
  await cache.loadOlder();
  expect(ids()).toEqual(history.map(({ id }) => id));
  expect(state().cursor).toBeUndefined();
});

test("after missed events the newest are read: joined when they meet what is shown, else instead of it", async () => {
  const history = events("a.1", "a.2", "a.3");
  const { tell, pass, ids } = await shown(history);
  history.unshift(...events("a.4"));
  tell({ all: true });
  await pass();
  expect(ids()).toEqual(history.slice(0, 3).map(({ id }) => id));
  history.unshift(...events("a.5", "a.6", "a.7"));
  tell({ all: true });
  await pass();
  expect(ids()).toEqual(history.slice(0, 2).map(({ id }) => id));
});

test("a feed that is watched for long forgets its end and stays bounded", async () => {
  const { tell, pass, ids } = await shown(events("a.1"));
  for (let batch = 0; batch < 50; batch += 1) tell({ events: Array.from({ length: 50 }, () => eventOf("a.b", "s")) });
  await pass();
  expect(ids().length).toBeLessThanOrEqual(2000);
});
