import { expect, test } from "vitest";
import type { Conversation } from "../../../protocol/objects/message.ts";
import { CacheSet } from "../../data/cache.ts";
import { eventOf, fakeSource } from "../../testing/fake-source.ts";
import { ConversationCache } from "./conversation-cache.ts";
import { messageOf } from "./message-examples.ts";

function conversationOf(peer: string): Conversation {
  return {
    left: { kind: "agent", id: "ada" },
    right: { kind: "agent", id: peer },
    messages: 1,
    undelivered: 0,
    unreadByHuman: 0,
    lastMessage: messageOf(`last-${peer}`, { to: peer }),
  };
}

async function shown(pages: readonly (readonly Conversation[])[]) {
  const fake = fakeSource({
    listConversations: ({ before }) => {
      const index = before === undefined ? 0 : Number(before);
      return { conversations: pages[index], ...(index + 1 < pages.length ? { nextCursor: String(index + 1) } : {}) };
    },
  });
  const make = (scopeId: string) => new ConversationCache(fake.source, scopeId, fake.schedule);
  const cache = new CacheSet(fake.source, 2, make).get("scope");
  cache.retain();
  await fake.settle();
  return { ...fake, cache, peers: () => cache.store.getState().conversations.map(({ right }) => right.id) };
}

test("pages follow each other, and one that moved between them is shown once", async () => {
  const { cache, peers } = await shown([
    [conversationOf("b"), conversationOf("c")],
    [conversationOf("c"), conversationOf("d")],
  ]);
  await cache.loadMore();
  expect(peers()).toEqual(["b", "c", "d"]);
  expect(cache.store.getState().cursor).toBeUndefined();
});

test("a storm of messages is one reading of what is shown", async () => {
  const { tell, pass, called, cache } = await shown([[conversationOf("b")], [conversationOf("c")]]);
  await cache.loadMore();
  called();
  for (let count = 0; count < 100; count += 1) tell({ events: [eventOf("message.accepted", `m${count}`)] });
  await pass();
  expect(called()).toEqual(["listConversations", "listConversations"]);
});
