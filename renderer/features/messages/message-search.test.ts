import { expect, test } from "vitest";
import { IntercomError } from "../../../protocol/errors.ts";
import type { Message } from "../../../protocol/objects/message.ts";
import { fakeSource } from "../../testing/fake-source.ts";
import { messageOf } from "./message-examples.ts";
import { MessageSearch } from "./message-search.ts";

function searchOver(pages: readonly (readonly Message[])[]) {
  const fake = fakeSource({
    listMessages: ({ before }) => {
      const index = before === undefined ? 0 : Number(before);
      return { messages: pages[index], ...(index + 1 < pages.length ? { nextCursor: String(index + 1) } : {}) };
    },
  });
  const search = new MessageSearch(fake.source.host, "scope", "needle");
  return { ...fake, search, state: () => search.store.getState() };
}

test("a page without a find is gone past; the first find is shown at once", async () => {
  const { search, state, called } = searchOver([[], [], [messageOf("a")], [messageOf("b")]]);
  await search.next();
  expect(called()).toHaveLength(3);
  expect(state()).toMatchObject({ messages: [{ id: "a" }], cursor: "3", isSearching: false });
  await search.next();
  expect(state().messages.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(state().cursor).toBeUndefined();
});

test("it stops after some pages and says where, instead of reading everything unasked", async () => {
  const { search, state, called } = searchOver(Array.from({ length: 20 }, () => []));
  await search.next();
  expect(called()).toHaveLength(4);
  expect(state().cursor).toBe("4");
});

test("a failure is said, and can be tried again", async () => {
  const fake = fakeSource({
    listMessages: () => {
      throw new IntercomError("BACKPRESSURE", "busy");
    },
  });
  const search = new MessageSearch(fake.source.host, "scope", "needle");
  await search.next();
  expect(search.store.getState()).toMatchObject({ isSearching: false, error: { code: "BACKPRESSURE" } });
});
