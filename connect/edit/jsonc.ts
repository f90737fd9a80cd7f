import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { EntryValue } from "../profile.ts";
import { type Editor, type KeyPath, SyntaxProblem, type Table, UneditableShape } from "./editor.ts";
import { skipInline, skipTrivia } from "./jsonc-trivia.ts";
import { type Layout, layoutOf, lineEnd, lineStart, positionOf, splice } from "./text.ts";

/** JSON with comments and trailing commas, as many editors read it. */
export const jsoncEditor: Editor = makeEditor(false);
/** JSON as the standard has it: a client that reads only this must not be left with a file it refuses. */
export const jsonEditor: Editor = makeEditor(true);

function makeEditor(strict: boolean): Editor {
  return {
    parse: (text) => (text.trim() === "" ? {} : (plain(tree(text, strict)) as Table)),
    insert(text, path, value) {
      return text.trim() === "" ? `${insert("{}", path, value)}\n` : insert(text, path, value);
    },
    remove: (text, path) => remove(text, property(text, path)),
    replace(text, path, value) {
      const [, node] = property(text, path);
      const layout = layoutOf(text);
      return splice(text, node.offset, end(node), print(value, layout, isInline(text, node), indentAt(text, node)));
    },
  };
}

function tree(text: string, strict: boolean): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: !strict, disallowComments: strict });
  const [error] = errors;
  if (error) {
    const problem = printParseErrorCode(error.error)
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
      .toLowerCase();
    throw new SyntaxProblem(problem, positionOf(text, error.offset));
  }
  if (root?.type !== "object") throw new SyntaxProblem("object expected", { line: 1, column: 1 });
  return root;
}

function plain(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plain);
  if (node.type !== "object") return node.value;
  const table: Record<string, unknown> = {};
  for (const each of node.children ?? []) {
    const [key, value] = parts(each);
    // Programs differ in which of two equal keys they take, so an edit of either could be without effect.
    if (Object.hasOwn(table, key.value as string)) throw new UneditableShape(`the key "${key.value}" occurs twice`);
    // Not by assignment, which would treat `__proto__` in its own way.
    Object.defineProperty(table, key.value as string, {
      value: plain(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return table;
}

function parts({ children = [] }: Node): [key: Node, value: Node] {
  const [key, value] = children;
  if (!key || !value) throw new UneditableShape("a key has no value");
  return [key, value];
}

function end({ offset, length }: Node): number {
  return offset + length;
}

/** The property at a path: the whole, and its value. */
function property(text: string, path: KeyPath): [whole: Node, value: Node] {
  const value = findNodeAtLocation(tree(text, false), [...path]);
  if (!value?.parent) throw new UneditableShape(`${path.join(".")} was not found`);
  return [value.parent, value];
}

function insert(text: string, path: KeyPath, value: EntryValue): string {
  const root = tree(text, false);
  let depth = path.length - 1;
  let parent = findNodeAtLocation(root, path.slice(0, depth));
  while (!parent && depth > 0) {
    depth -= 1;
    parent = findNodeAtLocation(root, path.slice(0, depth));
  }
  if (parent?.type !== "object") throw new UneditableShape(`${path.slice(0, depth).join(".")} is not an object`);
  const nested = path.slice(depth + 1).reduceRight<EntryValue>((inner, key) => ({ [key]: inner }), value);
  return insertProperty(text, parent, path[depth] as string, nested);
}

function insertProperty(text: string, parent: Node, key: string, value: EntryValue): string {
  const layout = layoutOf(text);
  const last = parent.children?.at(-1);
  const closing = end(parent) - 1;
  const inline = last !== undefined && isInline(text, parent);
  const outer = indentAt(text, parent);
  const inner = last && !inline ? indentAt(text, last) : outer + layout.indent;
  const entry = `${JSON.stringify(key)}: ${print(value, layout, inline, inner)}`;
  if (!last) {
    // Comments in an empty object stay before ours.
    const content = text.slice(parent.offset + 1, closing).trimEnd();
    return splice(
      text,
      parent.offset + 1 + content.length,
      closing,
      `${layout.eol}${inner}${entry}${layout.eol}${outer}`,
    );
  }
  const afterLast = skipTrivia(text, end(last));
  const hasComma = text[afterLast] === ",";
  // A comment behind the last property is about that one, so ours comes after it.
  const place = skipInline(text, hasComma ? afterLast + 1 : end(last));
  const added = `${inline ? " " : layout.eol + inner}${entry}${hasComma ? "," : ""}`;
  const withEntry = splice(text, place, place, added);
  return hasComma ? withEntry : splice(withEntry, end(last), end(last), ",");
}

function remove(text: string, [whole]: [Node, Node]): string {
  const siblings = whole.parent?.children ?? [];
  const at = siblings.indexOf(whole);
  const previous = siblings[at - 1];
  const afterValue = skipTrivia(text, end(whole));
  const hasComma = text[afterValue] === ",";
  const stop = hasComma ? afterValue + 1 : end(whole);
  let result = splice(text, ...extent(text, whole.offset, stop), "");
  if (previous && siblings.length - 1 === at && !hasComma) {
    const comma = skipTrivia(text, end(previous));
    result = splice(result, comma, comma + 1, "");
  }
  if (siblings.length > 1 || !whole.parent) return result;
  const { offset } = whole.parent;
  const inside = /^\s*/.exec(result.slice(offset + 1))?.[0] ?? "";
  return result[offset + 1 + inside.length] === "}"
    ? splice(result, offset + 1, offset + 1 + inside.length, "")
    : result;
}

/** What goes with a property from `start` to `stop`: its line if it has one to itself, else the blanks on one side. */
function extent(text: string, start: number, stop: number): [start: number, end: number] {
  const before = /(\r?\n)?[ \t]*$/.exec(text.slice(0, start))?.[0] ?? "";
  const isLineEmpty = text.slice(stop, lineEnd(text, stop)).trim() === "";
  if (isLineEmpty && before.includes("\n")) return [start - before.length, stop];
  if (!before.includes("\n") && /^[ \t]*}/.test(text.slice(stop))) return [start - before.length, stop];
  return [start, stop + (/^[ \t]*/.exec(text.slice(stop))?.[0].length ?? 0)];
}

/** True when all of an object is on one line. */
function isInline(text: string, node: Node): boolean {
  return !text.slice(node.offset, end(node)).includes("\n");
}

function indentAt(text: string, node: Node): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, node.offset)))?.[0] ?? "";
}

/** Lists of plain values go on one line, as people write them; so does everything in an object on one line. */
function print(value: EntryValue, layout: Layout, inline: boolean, outer: string): string {
  const { eol, indent } = layout;
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = outer + indent;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((each) => print(each, layout, inline, inner))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${print(each, layout, inline, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return `${open}${close}`;
  if (isList && (inline || value.every((each) => typeof each !== "object"))) return `[${members.join(", ")}]`;
  if (inline) return `{ ${members.join(", ")} }`;
  return `${open}${eol}${members.map((each) => inner + each).join(`,${eol}`)}${eol}${outer}${close}`;
}
