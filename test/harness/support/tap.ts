import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The moment of a call at which something happens: before the daemon gets it, while it is at it, or when it has answered
 * and the answer has not been handed on.
 */
export type Moment = "before" | "during" | "after";

interface Plan {
  readonly method: string;
  readonly moment: Moment;
  readonly act: () => Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/** Stands between a program and the daemon and cuts the line at a planned moment. */
export class Tap {
  readonly address: string;
  /** What has passed: methods, and for calls of tools their names. */
  readonly passed: string[] = [];
  readonly #close: () => Promise<void>;
  #plan: Plan | undefined;

  private constructor(address: string, close: () => Promise<void>) {
    this.address = address;
    this.#close = close;
  }

  /** @param target where the daemon is, asked again for each call */
  static async open(target: () => string): Promise<Tap> {
    const server = createServer((incoming, response) => {
      tap.#pass(target(), incoming, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
    const { port } = server.address() as AddressInfo;
    const tap = new Tap(
      `http://${LOOPBACK}:${port}`,
      () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return tap;
  }

  /** Plans, for the next call of a method or tool, what happens at a moment of it; the caller gets no answer. */
  cutAt(method: string, moment: Moment, act: () => Promise<void>): void {
    this.#plan = { method, moment, act };
  }

  /** Whether what was planned has happened. */
  get hasCut(): boolean {
    return this.#plan === undefined;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #pass(target: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    const method = methodOf(body);
    this.passed.push(method);
    const plan = this.#plan?.method === method ? this.#plan : undefined;
    if (plan) this.#plan = undefined;
    // Nobody is to notice before it has happened.
    const cut = async () => {
      await plan?.act();
      response.destroy();
    };
    if (plan?.moment === "before") return cut();
    const headers = { ...incoming.headers, host: new URL(target).host };
    const upstream = request(new URL(incoming.url ?? "/", target), { method: incoming.method, headers });
    upstream.once("error", () => {
      if (!plan) response.destroy();
    });
    response.once("close", () => upstream.destroy());
    upstream.once("response", (answer) => {
      answer.once("error", () => response.destroy());
      if (plan?.moment === "after") return answer.resume().once("end", () => void cut());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.end(body);
    if (plan?.moment === "during") upstream.once("finish", () => void cut());
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function methodOf(body: Buffer): string {
  try {
    const { method, params } = JSON.parse(body.toString("utf8")) as { method: string; params?: { name?: string } };
    return method === "tools/call" ? String(params?.name) : method;
  } catch {
    return "";
  }
}
