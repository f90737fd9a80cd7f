import { CONTENT_ROOM, fitting } from "../../result-room.ts";

/** Part of a list, and where the next part begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

/** Cuts a page that is too long for a result; the cursor is then that of its last item. */
export function fittingPage<T>(page: Page<T>, cursorOf: (item: T) => string, room = CONTENT_ROOM): Page<T> {
  const items = fitting(page.items, room);
  const last = items.at(-1);
  return items.length < page.items.length && last !== undefined ? { items, nextCursor: cursorOf(last) } : page;
}

/** A cursor as a field of a result, where there is one. */
export function withCursor(nextCursor: string | undefined): { nextCursor?: string } {
  return nextCursor === undefined ? {} : { nextCursor };
}
