import type { IdKind } from "../../protocol/index.ts";

export type SqlValue = string | number | null;

/**
 * What the core may do to stored data. SQL stays in the subset SQLite and PostgreSQL share, with `?` parameters;
 * statements are cached by their text, so pass constants. Must not be used after the function it was given to returned.
 */
export interface Transaction {
  get<Row>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row | undefined>;
  all<Row>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row[]>;
  /** Number of rows changed. */
  run(sql: string, ...parameters: readonly SqlValue[]): Promise<number>;
}

export interface IdSource {
  next(kind: IdKind): string;
  /** 32 random bytes, base64url. */
  token(): string;
}
