/** One event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** Last id seen on the stream, the one of this event if it has its own; empty before the first. */
  readonly id: string;
  /** `message` unless the stream says otherwise. */
  readonly type: string;
  readonly data: string;
}

/** Incremental parser of the event stream format of the HTML standard, without its `retry` field. */
export class SseParser {
  readonly #decoder = new TextDecoder();
  #rest = "";
  /** The last chunk ended in CR, so an LF that comes next belongs to the same line end. */
  #afterCarriageReturn = false;
  #id = "";
  #type = "";
  #data: string[] = [];

  /** Events completed by this chunk. An event that the stream breaks off in is never reported. */
  push(chunk: Uint8Array): ServerSentEvent[] {
    let text = this.#decoder.decode(chunk, { stream: true });
    if (text === "") return [];
    if (this.#afterCarriageReturn && text.startsWith("\n")) text = text.slice(1);
    this.#afterCarriageReturn = text === "" ? false : text.endsWith("\r");
    const lines = (this.#rest + text).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() as string;
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  #line(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return undefined;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#type = value;
    else if (field === "id" && !value.includes("\u0000")) this.#id = value;
    return undefined;
  }

  #dispatch(): ServerSentEvent | undefined {
    const event = { id: this.#id, type: this.#type || "message", data: this.#data.join("\n") };
    const hasData = this.#data.length > 0;
    this.#type = "";
    this.#data = [];
    return hasData ? event : undefined;
  }
}
