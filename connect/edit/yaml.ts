import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Pair,
  parseDocument,
  stringify,
  type YAMLMap,
} from "yaml";
import type { EntryValue } from "../profile.ts";
import { type Editor, isTable, type KeyPath, SyntaxProblem, type Table, UneditableShape } from "./editor.ts";
import { type Layout, layoutOf, lineEnd, lineStart, positionOf, splice } from "./text.ts";

/** YAML, edited at the places the parser names, since printing a document again would lay out all of it anew. */
export const yamlEditor: Editor = { parse: parseYaml, insert, remove, replace };

function parseYaml(text: string): Table {
  const document = parseDocument(text, { prettyErrors: false });
  const [error] = document.errors;
  if (error) throw new SyntaxProblem(error.message.replace(/;.*$/s, ""), positionOf(text, error.pos[0]));
  const value = contentOf(document, text) ?? {};
  if (!isTable(value)) throw new SyntaxProblem("a mapping was expected", { line: 1, column: 1 });
  return value;
}

function contentOf(document: Document, text: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // An alias without its anchor shows only now.
    if (!(error instanceof ReferenceError)) throw error;
    const name = /: (\S+)$/.exec(error.message)?.[1] ?? "";
    throw new SyntaxProblem(`nothing is called &${name}`, positionOf(text, Math.max(0, text.indexOf(`*${name}`))));
  }
}

function insert(text: string, path: KeyPath, value: EntryValue): string {
  const layout = layoutOf(text);
  const { map, at, depth, reached } = descend(text, path.slice(0, -1));
  const key = path[depth] as string;
  const nested = path.slice(depth + 1).reduceRight<EntryValue>((inner, each) => ({ [each]: inner }), value);
  if (map === undefined && reached !== undefined) return insertInEmpty(text, reached, { [key]: nested }, layout);
  if (map === undefined) {
    const open = text === "" || text.endsWith("\n") ? "" : layout.eol;
    return `${text}${open}${block({ [key]: nested }, "", layout)}${layout.eol}`;
  }
  const last = map.items.at(-1);
  if (map.flow) {
    if (!last) throw new UneditableShape("an empty mapping in braces");
    const place = contentEnd(last.value ?? last.key);
    return splice(text, place, place, `, ${JSON.stringify(key)}: ${flow(nested)}`);
  }
  return insertLines(text, contentEnd(last?.value ?? last?.key), block({ [key]: nested }, at, layout), layout);
}

/** Gives the key of an empty mapping (`key:` or `key: {}`) its first entry. */
function insertInEmpty(text: string, parent: Pair, table: Record<string, EntryValue>, layout: Layout): string {
  const colon = colonOf(text, parent);
  const closed = isMap(parent.value) ? splice(text, colon + 1, contentEnd(parent.value), "") : text;
  const indent = columnOf(text, parent) + layout.indent;
  return insertLines(closed, colon + 1, block(table, indent, layout), layout);
}

function insertLines(text: string, content: number, lines: string, { eol }: Layout): string {
  if (content > 0 && text[content - 1] === "\n") return splice(text, content, content, lines + eol);
  const end = lineEnd(text, content);
  if (end === text.length) return `${text}${eol}${lines}`;
  const next = text.indexOf("\n", end) + 1;
  return splice(text, next, next, lines + eol);
}

function remove(text: string, path: KeyPath): string {
  const { pair, map, parent } = find(text, path);
  const end = contentEnd(pair.value ?? pair.key);
  const siblings = map.items;
  if (map.flow) {
    const index = siblings.indexOf(pair);
    const [previous, next] = [siblings[index - 1], siblings[index + 1]];
    const start = previous ? contentEnd(previous.value ?? previous.key) : keyStart(pair);
    return splice(text, start, previous ? end : next ? keyStart(next) : end, "");
  }
  const start = lineStart(text, keyStart(pair));
  const stop = text[end - 1] === "\n" ? end : Math.min(text.length, text.indexOf("\n", end) + 1 || text.length);
  const endsOpen = stop === text.length && text[stop - 1] !== "\n";
  const begin = endsOpen ? start - (/\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0) : start;
  const rest = splice(text, begin, stop, "");
  if (siblings.length > 1 || !parent) return rest;
  const colon = colonOf(text, parent);
  return splice(rest, colon + 1, colon + 1, " {}");
}

function replace(text: string, path: KeyPath, value: EntryValue): string {
  const { pair } = find(text, path);
  const colon = colonOf(text, pair);
  const end = contentEnd(pair.value ?? pair.key);
  const eol = /\r?\n$/.exec(text.slice(0, end))?.[0].length ?? 0;
  return splice(text, colon + 1, Math.max(colon + 1, end - eol), ` ${flow(value)}`);
}

interface Descent {
  /** The mapping at the end of the path, when it has entries. */
  readonly map: YAMLMap | undefined;
  /** How far the keys of the path are there. */
  readonly depth: number;
  /** Indentation of the mapping's keys. */
  readonly at: string;
  /** The pair whose value is the mapping, or the place for one. */
  readonly reached: Pair | undefined;
}

/** Follows a path as far as there are mappings. */
function descend(text: string, path: KeyPath): Descent {
  let { contents: node }: { contents: unknown } = parseDocument(text);
  let reached: Pair | undefined;
  let depth = 0;
  for (; ; depth += 1) {
    if (node === null || (isScalar(node) && node.value === null) || (isMap(node) && node.items.length === 0)) {
      return { map: undefined, depth, at: "", reached };
    }
    if (!isMap(node)) throw new UneditableShape(`${path.slice(0, depth).join(".") || "the document"} is not a mapping`);
    const pair: Pair | undefined = depth < path.length ? pairOf(node, path[depth] as string) : undefined;
    const [first] = node.items;
    if (!pair) return { map: node, depth, at: first ? columnOf(text, first) : "", reached };
    reached = pair;
    node = pair.value;
  }
}

function find(text: string, path: KeyPath): { pair: Pair; map: YAMLMap; parent: Pair | undefined } {
  const { map, depth, reached } = descend(text, path.slice(0, -1));
  const pair = map && depth === path.length - 1 ? pairOf(map, path.at(-1) as string) : undefined;
  if (!map || !pair) throw new UneditableShape(`${path.join(".")} was not found in place`);
  return { pair, map, parent: reached };
}

function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function keyStart({ key }: Pair): number {
  if (!isScalar(key) || !key.range) throw new UneditableShape("a key that is not plain text");
  return key.range[0];
}

function columnOf(text: string, pair: Pair): string {
  const start = keyStart(pair);
  return " ".repeat(start - lineStart(text, start));
}

function colonOf(text: string, { key }: Pair): number {
  const end = isScalar(key) && key.range ? key.range[1] : -1;
  const colon = end < 0 ? -1 : end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
  if (text[colon] !== ":") throw new UneditableShape("a key without its colon");
  return colon;
}

/** Offset behind the last thing that belongs to a node; comments below it are left out. */
function contentEnd(node: unknown): number {
  if (isCollection(node) && !node.flow) {
    const last: unknown = node.items.at(-1);
    const inner = isMap(node) ? ((last as Pair | undefined)?.value ?? (last as Pair | undefined)?.key) : last;
    if (inner) return contentEnd(inner);
  }
  if (!isNode(node) || !node.range) throw new UneditableShape("a value without a place");
  return node.range[1];
}

function block(table: Record<string, EntryValue>, at: string, { eol, indent }: Layout): string {
  const step = indent.startsWith(" ") ? indent.length : 2;
  const lines = stringify(table, { indent: step, lineWidth: 0 }).trimEnd().split("\n");
  return lines.map((line) => (line === "" ? line : at + line)).join(eol);
}

/** In one line: JSON is YAML, too. */
function flow(value: EntryValue): string {
  return JSON.stringify(value);
}
