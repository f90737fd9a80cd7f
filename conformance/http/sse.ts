/** One message of a stream of Server-Sent Events. */
export interface SseMessage {
  readonly id: string | undefined;
  /** `message` unless the stream names another type. */
  readonly event: string;
  readonly data: string;
}

/** Reads messages as they come; comments are passed over. Stopping early ends the request. */
export async function* readSse(response: Response): AsyncGenerator<SseMessage> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const message = parseBlock(block);
      if (message) yield message;
    }
  }
}

function parseBlock(block: string): SseMessage | undefined {
  let id: string | undefined;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === "id") id = value;
    else if (name === "event") event = value;
    else if (name === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { id, event, data: data.join("\n") };
}
