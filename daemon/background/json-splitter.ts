import { isUtf8 } from "node:buffer";
import { IntercomError } from "../../protocol/index.ts";

/** How a member is read: as one value, or taken apart in its turn. */
export type Handling = "whole" | "list" | "object";

export interface SplitReader {
  /** Asked as soon as the name of a member is known, e.g. `tasks` or `extensions.tasks`; may throw. */
  begin(path: string): Handling;
  /** A member, or with an index an element of a list. */
  value(path: string, index: number | undefined, value: unknown): void;
}

/** Largest value that is held as a whole. A record of an archive needs a quarter of it, however it is written. */
const MAX_VALUE_BYTES = 8 * 1024 * 1024;
/** Deeper than any value may be nested; bounds what its readers recurse into. */
const MAX_DEPTH = 100;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** An object or list that is being taken apart. */
interface Frame {
  readonly path: string;
  readonly list: boolean;
  /** Elements of the list so far. */
  index: number;
}

type Expecting = "root" | "key or end" | "key" | "colon" | "value" | "value or end" | "comma or end" | "nothing";

/**
 * Takes the text of one JSON object apart as it comes and parses the values at the places that are asked for, one by one.
 * Only where values begin and end is found out here; whether they are JSON, `JSON.parse` decides. A name that comes twice
 * in an object is refused, since it could show one value to a check and another to a reader.
 */
export class JsonSplitter {
  readonly #reader: SplitReader;
  readonly #frames: Frame[] = [];
  #expecting: Expecting = "root";
  /** Path of the member whose value comes next. */
  #member = "";
  #capture: Capture | undefined;

  constructor(reader: SplitReader) {
    this.#reader = reader;
  }

  /** @throws {IntercomError} INVALID_ARGUMENT */
  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (!this.#capture) at = this.#structure(chunk, at);
      if (!this.#capture) continue;
      at = this.#capture.take(chunk, at);
      if (!this.#capture.ended) continue;
      const capture = this.#capture;
      this.#capture = undefined;
      this.#captured(capture);
    }
  }

  /** @throws {IntercomError} INVALID_ARGUMENT when there should have been more */
  end(): void {
    if (this.#expecting !== "nothing") throw new IntercomError("INVALID_ARGUMENT", "The archive ends early");
  }

  /** Looks at one byte between values. @returns where to go on */
  #structure(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    if (isBlank(byte)) return at + 1;
    const frame = this.#frames.at(-1);
    switch (this.#expecting) {
      case "root":
        if (byte !== OPEN_OBJECT) throw notJson();
        this.#enter("", false);
        return at + 1;
      case "key or end":
      case "key":
        if (byte === CLOSE_OBJECT && this.#expecting === "key or end") return this.#leave(at);
        if (byte !== QUOTE) throw notJson();
        this.#capture = new Capture("");
        return at;
      case "colon":
        if (byte !== COLON) throw notJson();
        this.#expecting = "value";
        return at + 1;
      case "value":
      case "value or end":
        if (byte === CLOSE_LIST && this.#expecting === "value or end") return this.#leave(at);
        return this.#beginValue(byte, at, frame as Frame);
      case "comma or end":
        if (byte === (frame?.list ? CLOSE_LIST : CLOSE_OBJECT)) return this.#leave(at);
        if (byte !== COMMA) throw notJson();
        this.#expecting = frame?.list ? "value" : "key";
        return at + 1;
      case "nothing":
        throw notJson();
    }
  }

  #beginValue(byte: number, at: number, frame: Frame): number {
    const handling = frame.list ? "whole" : this.#reader.begin(this.#member);
    if (handling === "whole") {
      this.#capture = new Capture(frame.list ? `${frame.path}.${frame.index}` : this.#member);
      return at;
    }
    const list = handling === "list";
    if (byte !== (list ? OPEN_LIST : OPEN_OBJECT)) {
      throw fault(this.#member, `expected ${list ? "a list" : "an object"}`);
    }
    this.#enter(this.#member, list);
    return at + 1;
  }

  #enter(path: string, list: boolean): void {
    this.#frames.push({ path, list, index: 0 });
    this.#expecting = list ? "value or end" : "key or end";
  }

  #leave(at: number): number {
    this.#frames.pop();
    this.#expecting = this.#frames.length === 0 ? "nothing" : "comma or end";
    return at + 1;
  }

  #captured(capture: Capture): void {
    const frame = this.#frames.at(-1) as Frame;
    const value = capture.parse();
    if (this.#expecting === "key" || this.#expecting === "key or end") {
      // A dot in a name must not be taken for one between names.
      const name = String(value).replaceAll(".", "\\.");
      this.#member = frame.path === "" ? name : `${frame.path}.${name}`;
      this.#expecting = "colon";
      return;
    }
    this.#expecting = "comma or end";
    if (!frame.list) this.#reader.value(this.#member, undefined, value);
    else this.#reader.value(frame.path, frame.index++, value);
  }
}

/** The bytes of one value, from its first to its last. */
class Capture {
  readonly #path: string;
  readonly #parts: Buffer[] = [];
  #size = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Members of all objects in it, as often as they come. */
  #members = 0;
  ended = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** @returns where the value ends in the chunk, or the length of the chunk when it goes on */
  take(chunk: Buffer, from: number): number {
    const to = this.#scan(chunk, from);
    this.#size += to - from;
    if (this.#size > MAX_VALUE_BYTES) throw fault(this.#path, `expected at most ${MAX_VALUE_BYTES} bytes`);
    this.#parts.push(chunk.subarray(from, to));
    return to;
  }

  #scan(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return this.#end(at + 1);
        }
      } else if (byte === QUOTE) this.#inString = true;
      else if (byte === COLON) this.#members += 1;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.#depth += 1;
        if (this.#depth > MAX_DEPTH) throw fault(this.#path, `expected at most ${MAX_DEPTH} levels of nesting`);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        // A number or a word ends before what encloses it does.
        if (this.#depth === 0) return this.#end(at);
        this.#depth -= 1;
        if (this.#depth === 0) return this.#end(at + 1);
      } else if (this.#depth === 0 && (byte === COMMA || isBlank(byte))) return this.#end(at);
    }
    return chunk.length;
  }

  #end(at: number): number {
    this.ended = true;
    return at;
  }

  parse(): unknown {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    if (!isUtf8(bytes)) throw fault(this.#path, "is not UTF-8");
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString("utf8"));
    } catch (error) {
      throw fault(this.#path, "is not JSON", error);
    }
    if (membersOf(value) < this.#members) throw fault(this.#path, "has a name twice in one object");
    return value;
  }
}

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, entry) => sum + membersOf(entry), own);
}

function notJson(): IntercomError {
  return new IntercomError("INVALID_ARGUMENT", "The archive is not one JSON object");
}

function fault(path: string, problem: string, cause?: unknown): IntercomError {
  const message = path === "" ? `A name ${problem}` : `${path}: ${problem}`;
  return new IntercomError("INVALID_ARGUMENT", message, undefined, cause === undefined ? undefined : { cause });
}
