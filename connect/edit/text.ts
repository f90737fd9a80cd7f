import { ConnectError } from "../error.ts";

const BOM = "\ufeff";

/** How a text is laid out, so that what is added looks the same. */
export interface Layout {
  readonly eol: "\n" | "\r\n";
  /** One step of indentation. */
  readonly indent: string;
}

/** Text between its byte order mark and its end. */
export interface Content {
  readonly bom: string;
  readonly body: string;
}

/** @throws {ConnectError} BROKEN_FILE when the bytes are not UTF-8. */
export function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ConnectError("BROKEN_FILE", `${file} is not UTF-8 text.`, { cause: error });
  }
}

export function splitBom(text: string): Content {
  return text.startsWith(BOM) ? { bom: BOM, body: text.slice(1) } : { bom: "", body: text };
}

/** The line ending most lines have, and the smallest indentation any line has. */
export function layoutOf(text: string): Layout {
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1 - crlf;
  let indent: string | undefined;
  for (const [, blank = ""] of text.matchAll(/^([ \t]+)\S/gm)) {
    if (blank.startsWith("\t")) return { eol: crlf > lf ? "\r\n" : "\n", indent: "\t" };
    if (indent === undefined || blank.length < indent.length) indent = blank;
  }
  // A single blank is more often an accident than a style.
  return { eol: crlf > lf ? "\r\n" : "\n", indent: indent && indent.length > 1 ? indent : "  " };
}

/** Line and column of an offset, both from 1. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - start + 1 };
}

/** Offset of the end of the line that `offset` is in, before its line ending. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at < 0) return text.length;
  return at > offset && text[at - 1] === "\r" ? at - 1 : at;
}

/** Offset of the start of the line that `offset` is in. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Replaces `[start, end)` by `insert`. */
export function splice(text: string, start: number, end: number, insert: string): string {
  return text.slice(0, start) + insert + text.slice(end);
}
