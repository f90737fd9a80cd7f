import { expect, test } from "vitest";
import type { Message } from "../../../protocol/objects/message.ts";
import { CacheSet } from "../../data/cache.ts";
import { eventOf, fakeSource } from "../../testing/fake-source.ts";
import { messageOf } from "./message-examples.ts";
import type { Pair } from "./parties.ts";
import { ThreadCache, type ThreadKey } from "./thread-cache.ts";

const PAIR: Pair = { left: { kind: "agent", id: "ada" }, right: { kind: "agent", id: "bob" } };
const between = { from: "ada", to: "bob" };

/** A thread that a view shows, of a daemon that has these messages, oldest first. */
async function shown(messages: Message[], pair = PAIR) {
  const fake = fakeSource({
    listMessages: ({ limit, before }) => {
      const newestFirst = messages.toReversed();
      const from = before === undefined ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1;
      const page = newestFirst.slice(from, from + Number(limit));
      const more = from + page.length < newestFirst.length;
      return { messages: page, ...(more ? { nextCursor: page.at(-1)?.id } : {}) };
    },
    getMessage: ({ messageId }) => messages.find(({ id }) => id === messageId),
  });
  const set = new CacheSet(fake.source, 2, (key: ThreadKey) => new ThreadCache(fake.source, key, fake.schedule));
  const cache = set.get({ scopeId: "scope", ...pair });
  cache.retain();
  await fake.settle();
  const state = () => cache.store.getState();
  return { ...fake, cache, state, ids: () => state().messages.map(({ id }) => id) };
}

const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => messageOf(`m${from + index}`));

test("the newest page is read, oldest first, and older ones when asked for", async () => {
  const { cache, ids, state } = await shown(many(120));
  expect(ids()).toHaveLength(50);
  expect(ids().at(-1)).toBe("m119");
  await cache.loadOlder();
  await cache.loadOlder();
  expect(ids()).toHaveLength(120);
  expect(ids()[0]).toBe("m0");
  expect(state().cursor).toBeUndefined();
});

test("a change of a message that is shown is read by id, of another one not at all", async () => {
  const messages = many(3);
  const { tell, pass, called, state } = await shown(messages);
  called();
  messages[1] = messageOf("m1", { state: "delivered" });
  tell({ events: [eventOf("message.delivered", "m1", between), eventOf("message.delivered", "elsewhere", between)] });
  await pass();
  expect(called()).toEqual(["getMessage"]);
  expect(state().messages[1]?.state).toBe("delivered");
});

test("new messages come with one page, however many there are", async () => {
  const messages = many(3);
  const { tell, pass, called, ids } = await shown(messages);
  called();
  messages.push(...many(20, 3));
  tell({ events: many(20, 3).map(({ id }) => eventOf("message.accepted", id, between)) });
  await pass();
  expect(called()).toEqual(["listMessages"]);
  expect(ids()).toHaveLength(23);
});

test("pages that were scrolled to stay, and are read again as far as they were touched", async () => {
  const messages = many(150);
  const { cache, tell, pass, called, ids, state } = await shown(messages);
  await cache.loadOlder();
  await cache.loadOlder();
  called();
  for (const [index, { id }] of messages.entries()) messages[index] = messageOf(id, { state: "acknowledged" });
  tell({ events: messages.map(({ id }) => eventOf("message.acknowledged", id, between)) });
  await pass();
  expect(called()).toEqual(["listMessages", "listMessages"]);
  expect(ids()).toHaveLength(150);
  expect(new Set(state().messages.map((message) => message.state))).toEqual(new Set(["acknowledged"]));
});

test("after a gap the older pages are forgotten instead of shown as if nothing was between", async () => {
  const messages = many(50);
  const { tell, pass, ids, state } = await shown(messages);
  messages.push(...many(300, 50));
  tell({ all: true });
  await pass();
  expect(ids()).toHaveLength(100);
  expect(ids()[0]).toBe("m250");
  expect(state().cursor).toBe("m250");
});

test("the daemon's notices to an agent are those of its messages that came from the daemon", async () => {
  const notice = messageOf("notice", { from: "intercom", fromKind: "system", to: "bob" });
  const { ids, calls } = await shown([messageOf("m0"), notice], {
    left: { kind: "system", id: "intercom" },
    right: { kind: "agent", id: "bob" },
  });
  expect(calls[0]?.input).toMatchObject({ agent: "bob" });
  expect(ids()).toEqual(["notice"]);
});

test("what others write to each other is nobody's business here", async () => {
  const { tell, pass, called } = await shown(many(1));
  called();
  tell({ events: [eventOf("message.accepted", "x", { from: "ada", to: "eve" })] });
  await pass();
  expect(called()).toEqual([]);
});
