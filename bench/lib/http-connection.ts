import { createConnection, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * One keep-alive connection that sends one request at a time with as little work as possible, so that a benchmark on
 * two cores measures the server and not its own client.
 */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #received = "";
  #answered: ((answer: Answer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    // Latin-1 keeps one character per byte, so lengths can be compared with Content-Length.
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => this.#receive(chunk));
    socket.on("error", (error) => this.#failed?.(error));
    socket.on("close", () => this.#failed?.(new Error("the connection was closed")));
  }

  static open(address: string): Promise<HttpConnection> {
    const url = new URL(address);
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host: url.hostname, port: Number(url.port) }, () => {
        socket.off("error", reject);
        resolve(new HttpConnection(socket, url.host));
      });
      socket.once("error", reject);
    });
  }

  /** The bytes of a request, to be made once and sent many times. */
  encode(method: string, path: string, options: { token?: string; body?: string; headers?: string } = {}): string {
    const { token, body = "", headers = "" } = options;
    const authorization = token === undefined ? "" : `Authorization: Bearer ${token}\r\n`;
    const content =
      body === "" ? "" : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n${authorization}${headers}${content}\r\n${body}`;
  }

  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        reject(new Error("the connection was closed"));
        return;
      }
      this.#answered = resolve;
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  /** Sends a request and returns the result of its envelope. */
  async call<T>(method: string, path: string, token: string, input?: unknown): Promise<T> {
    const body = input === undefined ? "" : JSON.stringify(input);
    const answer = await this.send(this.encode(method, path, { token, body }));
    const envelope = JSON.parse(answer.body) as { ok: boolean; result: T };
    if (!envelope.ok) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return envelope.result;
  }

  close(): void {
    this.#socket.destroy();
    this.#failed?.(new Error("the connection was closed"));
  }

  #receive(chunk: string): void {
    this.#received = this.#received === "" ? chunk : this.#received + chunk;
    const headEnd = this.#received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const lengthAt = this.#received.indexOf("Content-Length: ");
    const length = Number.parseInt(this.#received.slice(lengthAt + 16, lengthAt + 26), 10);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return;
    const answer = { status: Number(this.#received.slice(9, 12)), body: this.#received.slice(headEnd + 4, end) };
    this.#received = this.#received.slice(end);
    this.#answered?.(answer);
  }
}
