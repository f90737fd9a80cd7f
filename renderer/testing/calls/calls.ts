import type { UiOperation } from "../../../protocol/desktop/index.ts";
import { IntercomError } from "../../../protocol/errors.ts";
import type { OperationInput, OperationResult } from "../../../protocol/index.ts";
import type { World } from "../world.ts";

/** How the world performs operations. Those it does not know fail, and the page shows that. */
export type Calls = {
  readonly [N in UiOperation]?: (world: World, input: OperationInput<N>, scopeId: string) => OperationResult<N>;
};

/** A part of a list that is read newest first, and where the next begins. */
export function pageBefore<T>(
  newestFirst: readonly T[],
  idOf: (item: T) => string,
  { before, limit = 50 }: { readonly before?: string | undefined; readonly limit?: number | undefined },
) {
  const from = before === undefined ? 0 : newestFirst.findIndex((item) => idOf(item) === before) + 1;
  return part(newestFirst, from, limit, idOf);
}

/** The same for a list that is read forwards. */
export function pageAfter<T>(
  list: readonly T[],
  idOf: (item: T) => string,
  { after, limit = 100 }: { readonly after?: string | undefined; readonly limit?: number | undefined },
) {
  const from = after === undefined ? 0 : list.findIndex((item) => idOf(item) === after) + 1;
  return part(list, from, limit, idOf);
}

function part<T>(list: readonly T[], from: number, limit: number, idOf: (item: T) => string) {
  const items = list.slice(from, from + limit);
  const last = items.at(-1);
  const hasMore = from + limit < list.length && last !== undefined;
  return { items, ...(hasMore ? { nextCursor: idOf(last) } : {}) };
}

export function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new IntercomError("NOT_FOUND", `${what} does not exist`);
  return value;
}

export function contains(text: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || (text ?? "").toLowerCase().includes(wanted.toLowerCase());
}
