import { request } from "node:http";
import { createConnection, type Socket } from "node:net";

/** An answer read without any of fetch's manners. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A request over HTTP with headers that fetch would not send, such as `Host`. */
export function rawRequest(
  port: number,
  options: { method?: string; path?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", path = "/health", body } = options;
    // Without a length Node sends the body of a DELETE as if it were the next request.
    const chunked = Object.keys(options.headers ?? {}).some((name) => name.toLowerCase() === "transfer-encoding");
    const length = body === undefined || chunked ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const headers = { ...length, ...options.headers };
    const sent = request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Writes bytes to a fresh connection and reads until the other side closes it, or `enough` says so. */
export function rawBytes(
  port: number,
  bytes: string | Buffer | readonly (string | Buffer)[],
  enough: (received: string) => boolean = () => false,
  halfClose = false,
): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket: Socket = createConnection({ host: "127.0.0.1", port, allowHalfOpen: true }, () => {
      for (const part of Array.isArray(bytes) ? bytes : [bytes]) socket.write(part as string);
      if (halfClose) socket.end();
    });
    const finish = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (enough(received)) finish();
    });
    socket.on("end", finish);
    // A reset is an answer, too.
    socket.on("error", finish);
  });
}

/** Status codes of the answers in what a connection gave back. */
export function statusesOf(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
}
