import { isDeepStrictEqual } from "node:util";
import { ConnectError } from "../error.ts";
import type { ClientProfile, EntryValue } from "../profile.ts";
import { type Editor, isTable, type KeyPath, SyntaxProblem, type Table, UneditableShape, valueAt } from "./editor.ts";
import { jsoncEditor, jsonEditor } from "./jsonc.ts";
import { splitBom } from "./text.ts";
import { tomlEditor } from "./toml.ts";
import { yamlEditor } from "./yaml.ts";

export type Format = ClientProfile["format"];

const editors: Readonly<Record<Format, Editor>> = {
  json: jsonEditor,
  jsonc: jsoncEditor,
  toml: tomlEditor,
  yaml: yamlEditor,
};

/** A configuration text and what it is called in messages. */
export interface Source {
  readonly format: Format;
  readonly file: string;
  readonly text: string;
}

/** @throws {ConnectError} BROKEN_FILE with line and column; UNEDITABLE when its meaning depends on who reads it. */
export function parseConfig({ format, file, text }: Source): Table {
  try {
    return editors[format].parse(splitBom(text).body);
  } catch (error) {
    if (error instanceof SyntaxProblem) {
      const message = `${file} cannot be read: line ${error.line}, column ${error.column}: ${error.message}.`;
      throw new ConnectError("BROKEN_FILE", message, { cause: error });
    }
    if (error instanceof UneditableShape) throw uneditable(file, error);
    throw error;
  }
}

/**
 * Gives the table at `path` exactly the content `wanted`, or takes it out when that is `undefined`. Of a table that is there,
 * only the keys that differ are touched. All other text stays as it is, byte for byte, and that its meaning stayed the same is
 * checked with the format's parser.
 * @throws {ConnectError} BROKEN_FILE, or UNEDITABLE when it is written in a way that cannot be edited in place.
 */
export function editConfig(
  source: Source,
  path: KeyPath,
  wanted: Readonly<Record<string, EntryValue>> | undefined,
): string {
  const before = parseConfig(source);
  const current = valueAt(before, path);
  if (isDeepStrictEqual(current, wanted)) return source.text;
  const { bom, body } = splitBom(source.text);
  const editor = editors[source.format];
  try {
    const edited = change(editor, body, path, current, wanted);
    const after = editor.parse(edited);
    if (
      !isDeepStrictEqual(valueAt(after, path), wanted) ||
      !isDeepStrictEqual(without(before, path), without(after, path))
    ) {
      throw new UneditableShape("an edit would change more than our entry");
    }
    return bom + edited;
  } catch (error) {
    if (error instanceof UneditableShape || error instanceof SyntaxProblem) throw uneditable(source.file, error);
    throw error;
  }
}

function change(
  editor: Editor,
  text: string,
  path: KeyPath,
  current: unknown,
  wanted: Readonly<Record<string, EntryValue>> | undefined,
): string {
  if (wanted === undefined) return editor.remove(text, path);
  if (current === undefined) return editor.insert(text, path, wanted);
  if (!isTable(current)) return editor.replace(text, path, wanted);
  let edited = text;
  for (const key of Object.keys(current)) {
    if (!Object.hasOwn(wanted, key)) edited = editor.remove(edited, [...path, key]);
  }
  for (const [key, value] of Object.entries(wanted)) {
    if (!Object.hasOwn(current, key)) edited = editor.insert(edited, [...path, key], value);
    else if (!isDeepStrictEqual(current[key], value)) edited = editor.replace(edited, [...path, key], value);
  }
  return edited;
}

/** The table without the value at `path`; empty tables above it count as absent, because one may have been made. */
function without(table: Table, path: KeyPath): Table {
  const [key, ...rest] = path;
  if (key === undefined || !Object.hasOwn(table, key)) return table;
  const { [key]: inner, ...others } = table;
  if (rest.length === 0 || inner === null) return others;
  if (!isTable(inner)) return table;
  const left = without(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [key]: left };
}

function uneditable(file: string, cause: Error): ConnectError {
  const message = `${file} is written in a way that cannot be changed without touching the rest: ${cause.message}.`;
  return new ConnectError("UNEDITABLE", message, { cause });
}
