import { parse } from "smol-toml";

/** One piece of a TOML text that ends with a line. All pieces together are the text. */
export type Statement =
  | { readonly kind: "trivia"; readonly start: number; readonly end: number; readonly blank: boolean }
  | { readonly kind: "header"; readonly start: number; readonly end: number; readonly path: readonly string[] }
  | {
      readonly kind: "pair";
      readonly start: number;
      readonly end: number;
      /** Keys from the top of the document, those of the table it is in included. */
      readonly path: readonly string[];
      readonly valueStart: number;
      /** Behind the value, before blanks and a comment. */
      readonly valueEnd: number;
    };

/** Cuts a text that is known to be TOML into its statements. */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  for (let start = 0; start < text.length; ) {
    const first = skipBlanks(text, start);
    if (first === text.length || /[#\r\n]/.test(text[first] as string)) {
      const end = afterLine(text, first);
      statements.push({ kind: "trivia", start, end, blank: text[first] !== "#" });
      start = end;
      continue;
    }
    if (text[first] === "[") {
      const open = text[first + 1] === "[" ? first + 2 : first + 1;
      const close = scan(text, open, "]");
      table = keysOf(text.slice(open, close));
      const end = afterLine(text, close);
      statements.push({ kind: "header", start, end, path: table });
      start = end;
      continue;
    }
    const equals = scan(text, first, "=");
    const valueStart = skipBlanks(text, equals + 1);
    const valueEnd = endOfValue(text, valueStart);
    const end = afterLine(text, valueEnd);
    statements.push({
      kind: "pair",
      start,
      end,
      path: [...table, ...keysOf(text.slice(first, equals))],
      valueStart,
      valueEnd,
    });
    start = end;
  }
  return statements;
}

function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function afterLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}

/** Offset of `sign` outside of quotes. */
function scan(text: string, offset: number, sign: string): number {
  let at = offset;
  while (at < text.length && text[at] !== sign) at = isQuote(text[at]) ? afterString(text, at) : at + 1;
  return at;
}

function isQuote(sign: string | undefined): boolean {
  return sign === '"' || sign === "'";
}

/** Offset behind the string that begins at `offset`. */
function afterString(text: string, offset: number): number {
  const quote = text[offset] as string;
  const triple = quote.repeat(3);
  const delimiter = text.startsWith(triple, offset) ? triple : quote;
  let at = offset + delimiter.length;
  while (at < text.length && !text.startsWith(delimiter, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1;
  at += delimiter.length;
  // A long string may end in up to two quotes of its own.
  while (delimiter === triple && text[at] === quote) at += 1;
  return at;
}

/** Offset behind a value, over as many lines as its brackets span. */
function endOfValue(text: string, offset: number): number {
  let depth = 0;
  let end = offset;
  for (let at = offset; at < text.length; ) {
    const sign = text[at] as string;
    if (depth === 0 && (sign === "\n" || sign === "#")) break;
    if (sign === "#") {
      at = afterLine(text, at);
      continue;
    }
    if (sign === "[" || sign === "{") depth += 1;
    if (sign === "]" || sign === "}") depth -= 1;
    at = isQuote(sign) ? afterString(text, at) : at + 1;
    if (!/\s/.test(sign)) end = at;
  }
  return end;
}

/** Keys of a dotted key, read by the parser, since quoted keys have escapes. */
function keysOf(dotted: string): string[] {
  const keys: string[] = [];
  let value: unknown = parse(`${dotted.trim()} = 0`);
  while (typeof value === "object" && value !== null) {
    const [entry] = Object.entries(value);
    if (!entry) break;
    keys.push(entry[0]);
    value = entry[1];
  }
  return keys;
}
