import { hash } from "node:crypto";
import type { LinkPolicy } from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import { toInstant } from "./encoding.ts";

/** How records of a scope are read for an archive: a page of rows at a time. */

export interface ArchivedScope {
  readonly no: number;
  readonly id: string;
  readonly linkPolicy: LinkPolicy;
  readonly createdAt: number;
}

export type RecordSource<R = unknown> = AsyncIterable<R>;
export type Source<R> = (ctx: Context, scope: ArchivedScope) => RecordSource<R>;

const PAGE = 500;

/** Rows of a query in the order of its column `no`, page by page. The query takes the scope, `after` and the page size. */
export async function* paged<Row extends { readonly no: number }>(
  ctx: Context,
  query: string,
  scopeNo: number,
): AsyncGenerator<Row> {
  for (let after = -1; ; ) {
    const rows = await ctx.tx.all<Row>(query, scopeNo, after, PAGE);
    yield* rows;
    if (rows.length < PAGE) return;
    after = (rows.at(-1) as Row).no;
  }
}

export interface Dated {
  readonly no: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Records whose columns are already named as the archive has them, but for instants and the number. */
export function dated<R>(query: string, adapt: (row: R, scope: ArchivedScope) => R = (row) => row): Source<R> {
  return async function* (ctx, scope) {
    for await (const { no: _, createdAt, updatedAt, ...rest } of paged<Dated>(ctx, query, scope.no)) {
      yield adapt({ ...rest, createdAt: toInstant(createdAt), updatedAt: toInstant(updatedAt) } as R, scope);
    }
  };
}

/** Name of a credential's holder in archives: stable for the scope, and good for nothing anywhere. */
export function archivedPrincipalId(scopeId: string, principalId: string): string {
  if (principalId.startsWith("a2ap_")) return principalId;
  return `a2ap_${hash("sha256", `${scopeId}\0${principalId}`, "hex").slice(0, 32)}`;
}
