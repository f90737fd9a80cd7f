import { parse, TomlError } from "smol-toml";
import type { EntryValue } from "../profile.ts";
import { type Editor, isTable, type KeyPath, SyntaxProblem, type Table, UneditableShape } from "./editor.ts";
import { layoutOf, splice } from "./text.ts";
import { type Statement, statementsOf } from "./toml-statements.ts";

/**
 * TOML. Our table is written with a header of its own at the end of the file; tables that others have written inline or with
 * dotted keys are read but not extended.
 */
export const tomlEditor: Editor = { parse: parseToml, insert, remove, replace };

function parseToml(text: string): Table {
  try {
    return ordinary(parse(text, { integersAsBigInt: "asNeeded" })) as Table;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The first line says what; a drawing of the place follows it.
    const message = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "") ?? "";
    throw new SyntaxProblem(message, error);
  }
}

/** Tables as ordinary objects: the parser's have no prototype, which a strict comparison would notice. */
function ordinary(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordinary);
  return isTable(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, ordinary(each)])) : value;
}

function insert(text: string, path: KeyPath, value: EntryValue): string {
  return isTable(value) && path.length > 1 ? appendTable(text, path, value) : addPair(text, path, value);
}

function appendTable(text: string, path: KeyPath, table: Readonly<Record<string, EntryValue>>): string {
  const { eol } = layoutOf(text);
  const lines = [
    `[${dotted(path)}]`,
    ...Object.entries(table).map(([key, value]) => `${dotted([key])} = ${print(value)}`),
  ];
  const block = lines.join(eol);
  if (text === "") return `${block}${eol}`;
  return text.endsWith("\n") ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

function addPair(text: string, path: KeyPath, value: EntryValue): string {
  const { eol } = layoutOf(text);
  const statements = statementsOf(text);
  const table = path.slice(0, -1);
  const header = statements.findIndex((each) => each.kind === "header" && samePath(each.path, table));
  if (header < 0) throw new UneditableShape(`[${dotted(table)}] has no header`);
  let last = statements[header] as Statement;
  for (const each of sectionAt(statements, header)) if (each.kind === "pair") last = each;
  const line = `${dotted(path.slice(-1))} = ${print(value)}`;
  return text[last.end - 1] === "\n"
    ? splice(text, last.end, last.end, `${line}${eol}`)
    : splice(text, last.end, last.end, `${eol}${line}`);
}

function remove(text: string, path: KeyPath): string {
  const statements = statementsOf(text);
  const ranges: [start: number, end: number][] = [];
  for (const [index, each] of statements.entries()) {
    if (each.kind === "header" && startsWith(each.path, path)) ranges.push(sectionRange(text, statements, index));
    if (each.kind === "pair" && startsWith(each.path, path) && !ranges.some(([, end]) => each.start < end)) {
      ranges.push([each.start, each.end]);
    }
  }
  if (ranges.length === 0) throw new UneditableShape(`${dotted(path)} is part of an inline table`);
  return ranges.reverse().reduce((rest, [start, end]) => splice(rest, start, end, ""), text);
}

/** A header with its pairs, and the blank line before it. Comments behind the last pair are about what follows. */
function sectionRange(text: string, statements: readonly Statement[], header: number): [start: number, end: number] {
  const { start, end } = statements[header] as Statement;
  const last = sectionAt(statements, header).findLast(({ kind }) => kind === "pair");
  const stop = last?.end ?? end;
  const before = statements[header - 1];
  const isBlankBefore = before?.kind === "trivia" && before.blank;
  const begin = isBlankBefore ? before.start : start;
  // A text that did not end with a line ending gets that state back.
  const endsOpen = stop === text.length && text[stop - 1] !== "\n";
  return [endsOpen ? begin - (/\r?\n$/.exec(text.slice(0, begin))?.[0].length ?? 0) : begin, stop];
}

function sectionAt(statements: readonly Statement[], header: number): readonly Statement[] {
  const next = statements.findIndex(({ kind }, index) => index > header && kind === "header");
  return statements.slice(header + 1, next < 0 ? undefined : next);
}

function replace(text: string, path: KeyPath, value: EntryValue): string {
  const pair = statementsOf(text).find((each) => each.kind === "pair" && samePath(each.path, path));
  if (pair?.kind !== "pair") return insert(remove(text, path), path, value);
  return splice(text, pair.valueStart, pair.valueEnd, print(value));
}

function startsWith(path: readonly string[], prefix: KeyPath): boolean {
  return prefix.every((key, index) => path[index] === key);
}

function samePath(path: readonly string[], other: KeyPath): boolean {
  return path.length === other.length && startsWith(path, other);
}

function dotted(path: KeyPath): string {
  return path.map((key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : print(key))).join(".");
}

/** A value in TOML 1.0, which has no line breaks and no trailing commas in inline tables. */
function print(value: EntryValue): string {
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  if (Array.isArray(value)) return `[${value.map(print).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  const members = Object.entries(value).map(([key, each]) => `${dotted([key])} = ${print(each)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
