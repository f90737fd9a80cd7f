import type { EntryValue } from "../profile.ts";

/** Keys from the top of a document to a value. */
export type KeyPath = readonly string[];
export type Table = Readonly<Record<string, unknown>>;

/** Why a text cannot be read, with the place where that shows. */
export class SyntaxProblem extends Error {
  override readonly name = "SyntaxProblem";
  readonly line: number;
  readonly column: number;

  constructor(message: string, { line, column }: { line: number; column: number }) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** The text is fine but written in a way that cannot be edited in place. */
export class UneditableShape extends Error {
  override readonly name = "UneditableShape";
}

/**
 * Edits one format as text, so that everything but the value edited stays as it is, byte for byte. Texts have no byte order
 * mark. Whoever calls it compares the meaning before and after; see edit.ts.
 */
export interface Editor {
  /** @throws {SyntaxProblem} */
  parse(text: string): Table;
  /** Adds a value that is not there; missing tables above it are made. @throws {UneditableShape} */
  insert(text: string, path: KeyPath, value: EntryValue): string;
  /** Takes out a value that is there; tables above it stay, even empty. @throws {UneditableShape} */
  remove(text: string, path: KeyPath): string;
  /** Changes a value that is there. @throws {UneditableShape} */
  replace(text: string, path: KeyPath, value: EntryValue): string;
}

export function isTable(value: unknown): value is Table {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The value at a path, or `undefined`. */
export function valueAt(table: unknown, path: KeyPath): unknown {
  let value = table;
  for (const key of path) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
