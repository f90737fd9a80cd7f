import { hash } from "node:crypto";
import { IntercomError } from "../../protocol/index.ts";

/** One-way digest of a token; the only form in which one is stored. */
export function tokenHash(token: string): string {
  return hash("sha256", token, "base64url");
}

/** Digest of a call's content, to tell a repeated call from a different one under the same key. */
export function contentHash(content: unknown): string {
  return hash("sha256", JSON.stringify(content), "base64url");
}

export function toInstant(ms: number): string {
  return new Date(ms).toISOString();
}

export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** `{key: value}` unless the value is missing, for building results without undefined members. */
export function optional<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  return value === null || value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

export function optionalInstant<K extends string>(key: K, ms: number | null): { [P in K]?: string } {
  return ms === null ? {} : ({ [key]: toInstant(ms) } as { [P in K]?: string });
}

/** Reads a numeric cursor this daemon handed out. */
export function numericCursor(cursor: string | undefined, field: string, fallback: number): number {
  if (cursor === undefined || cursor === "") return fallback;
  if (!/^\d{1,15}$/.test(cursor)) {
    throw new IntercomError("INVALID_ARGUMENT", `${field}: expected a cursor from an earlier page`);
  }
  return Number(cursor);
}

/** Cuts a list that was read one entry too long into a page and the cursor of the next one. */
export function page<Row>(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(rows.length > limit && last !== undefined ? { nextCursor: cursorOf(last) } : {}) };
}
