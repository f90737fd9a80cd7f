import type { Event } from "../../protocol/index.ts";
import { until } from "./waiting.ts";

/** One message of an event stream. */
export interface StreamItem {
  readonly id?: string;
  /** Absent for plain messages. */
  readonly event?: string;
  readonly data?: unknown;
}

/** A reader of Server-Sent Events that keeps all it was sent. */
export class EventStream {
  readonly status: number;
  readonly headers: Headers;
  readonly items: StreamItem[] = [];
  readonly comments: string[] = [];
  /** True once the other side has ended the stream. */
  ended = false;
  readonly #controller: AbortController;

  private constructor(response: Response, controller: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#controller = controller;
    void this.#read(response);
  }

  /** Reads an answer that has come. */
  static of(response: Response, controller: AbortController): EventStream {
    return new EventStream(response, controller);
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    const controller = new AbortController();
    const response = await fetch(url, { headers, signal: controller.signal });
    const stream = new EventStream(response, controller);
    await until("the stream begins", () => stream.comments.length > 0 || stream.ended);
    return stream;
  }

  get events(): Event[] {
    return this.items.filter(({ event }) => event === undefined).map(({ data }) => data as Event);
  }

  /** Waits until `count` items have come. */
  async take(count: number): Promise<StreamItem[]> {
    await until(`${count} items of the stream`, () => this.items.length >= count);
    return this.items.slice(0, count);
  }

  close(): void {
    this.#controller.abort();
  }

  async #read(response: Response): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        rest += decoder.decode(chunk, { stream: true });
        const blocks = rest.split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) this.#accept(block);
      }
    } catch {
      // Closed by us.
    }
    this.ended = true;
  }

  #accept(block: string): void {
    const fields = new Map(
      block.split("\n").map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
      }),
    );
    const comment = fields.get("");
    if (comment !== undefined) {
      this.comments.push(comment);
      return;
    }
    const [id, event, data] = [fields.get("id"), fields.get("event"), fields.get("data")];
    this.items.push({
      ...(id === undefined ? {} : { id }),
      ...(event === undefined ? {} : { event }),
      ...(data === undefined ? {} : { data: JSON.parse(data) }),
    });
  }
}
