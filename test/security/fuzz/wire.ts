import { connect, type Socket } from "node:net";

/** A request exactly as its bytes go out; nothing is added but the length of the body. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer | undefined;
  /** Sends the body in chunks of this many bytes, without a length. */
  readonly chunkBytes?: number | undefined;
}

export interface WireAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** What came of the body; of a stream of events only the beginning. */
  readonly text: string;
}

/** Why there is no answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** One connection that is kept open from request to request, as strict about answers as it is careless about requests. */
export class WireConnection {
  readonly #port: number;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #wake: (() => void) | undefined;
  #end: string | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws {NoAnswer} when the connection ends, or when nothing complete has come after `timeoutMs` */
  async send(request: WireRequest, timeoutMs: number): Promise<WireAnswer> {
    const socket = this.#socket ?? this.#open();
    const timer = setTimeout(() => this.#finish(`no answer within ${timeoutMs} ms`), timeoutMs);
    try {
      socket.write(bytesOf(request));
      const answer = await this.#readAnswer(request.method === "HEAD");
      if (answer.headers.get("connection") === "close") this.close();
      return answer;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    const socket = connect({ host: "127.0.0.1", port: this.#port, noDelay: true });
    this.#socket = socket;
    this.#received = Buffer.alloc(0);
    this.#end = undefined;
    socket.on("data", (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake?.();
    });
    const ended = (reason: string) => () => {
      if (this.#socket === socket) this.#finish(reason);
    };
    socket.on("error", ended("connection reset"));
    socket.on("close", ended("connection closed"));
    return socket;
  }

  #finish(reason: string): void {
    this.#end ??= reason;
    this.#wake?.();
  }

  async #until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#end !== undefined) throw new NoAnswer(this.#end);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Takes the first `count` bytes off what was received. */
  #take(count: number): Buffer {
    const taken = this.#received.subarray(0, count);
    this.#received = this.#received.subarray(count);
    return taken;
  }

  async #readAnswer(withoutBody: boolean): Promise<WireAnswer> {
    for (;;) {
      const length = await this.#until(() => {
        const at = this.#received.indexOf("\r\n\r\n");
        return at === -1 ? undefined : at + 4;
      });
      const [first = "", ...lines] = this.#take(length).toString("latin1").trimEnd().split("\r\n");
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
      if (!status) throw new NoAnswer(`not an answer: ${first}`);
      if (status < 200) continue;
      const headers = new Map(
        lines.map((line): [string, string] => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const bodiless = withoutBody || status === 204 || status === 304;
      return { status, headers, text: bodiless ? "" : (await this.#readBody(headers)).toString("utf8") };
    }
  }

  async #readBody(headers: ReadonlyMap<string, string>): Promise<Buffer> {
    if (headers.get("content-type")?.startsWith("text/event-stream")) {
      const beginning = await this.#until(() => (this.#received.length > 0 ? this.#received : undefined));
      this.close();
      return beginning;
    }
    if (headers.get("transfer-encoding") === "chunked") return this.#readChunks();
    const length = Number(headers.get("content-length"));
    if (!Number.isInteger(length)) throw new NoAnswer("an answer without a length");
    await this.#until(() => (this.#received.length >= length ? true : undefined));
    return this.#take(length);
  }

  async #readChunks(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (;;) {
      const end = await this.#until(() => {
        const at = this.#received.indexOf("\r\n");
        return at === -1 ? undefined : at;
      });
      const size = Number.parseInt(this.#take(end + 2).toString("latin1"), 16);
      await this.#until(() => (this.#received.length >= size + 2 ? true : undefined));
      chunks.push(Buffer.from(this.#take(size)));
      this.#take(2);
      if (size === 0) return Buffer.concat(chunks);
    }
  }
}

/** The bytes of a request. Text outside ASCII goes out as one byte per character. */
export function bytesOf(request: WireRequest): Buffer {
  const { method, target, headers, body, chunkBytes } = request;
  const framing =
    body === undefined
      ? []
      : [chunkBytes === undefined ? `Content-Length: ${body.length}` : "Transfer-Encoding: chunked"];
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), ...framing];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  if (body === undefined) return head;
  return Buffer.concat([head, chunkBytes === undefined ? body : chunked(body, chunkBytes)]);
}

function chunked(body: Buffer, bytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += bytes) {
    const part = body.subarray(at, at + bytes);
    parts.push(Buffer.from(`${part.length.toString(16)};x=y\r\n`), part, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\nX-Trailer: z\r\n\r\n")]);
}
