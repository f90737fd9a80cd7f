import { request } from "node:http";
import { type Frame, failureOf } from "./frames.ts";
import type { Identity } from "./identity.ts";

/** How long calls may still be answered after the client has ended its input, ms. */
const LAST_ANSWERS_MS = 3000;
/** Where a modern client says which revision of MCP a message speaks; at HTTP that travels in headers too. */
const VERSION_META = "io.modelcontextprotocol/protocolVersion";
const UNREACHABLE = "The intercom daemon does not answer. Try again; if it stays away, run: agent-intercom doctor";
const LOST =
  "The intercom daemon went away while this call was running, so it may or may not have been done. Look (list_tasks, message_receipt, check_inbox) before you repeat it.";

/** Hands each message of a client to the daemon and the answer back. Knows nothing of what they say. */
export class Front {
  readonly #identity: () => Promise<Identity>;
  readonly #write: (answer: string) => void;
  readonly #running = new Map<string | number, AbortController>();
  readonly #taken = new Set<Promise<void>>();

  /** @param identity may fail; the client then hears why */
  constructor(identity: () => Promise<Identity>, write: (answer: string) => void) {
    this.#identity = identity;
    this.#write = write;
  }

  /** Deals with one message while others may come. */
  take(frame: Frame | undefined): void {
    const done = this.#take(frame).finally(() => this.#taken.delete(done));
    this.#taken.add(done);
  }

  async #take(frame: Frame | undefined): Promise<void> {
    if (frame === undefined) {
      this.#send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Expected one JSON object to a line" } });
      return;
    }
    if (frame.method === "notifications/cancelled") {
      this.#running.get(frame.params?.requestId as string | number)?.abort();
      return;
    }
    // Answers to questions: the daemon asks none.
    if (frame.method === undefined) return;
    if (frame.id === undefined || frame.id === null) {
      await this.#forward(frame, new AbortController().signal).catch(() => {});
      return;
    }
    const { id } = frame;
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      const answer = await this.#forward(frame, abort.signal);
      if (!abort.signal.aborted) this.#send(answer);
    } catch (error) {
      if (!abort.signal.aborted) this.#send(failureOf(frame, error instanceof Error ? error.message : String(error)));
    } finally {
      this.#running.delete(id);
    }
  }

  /** Lets what is running finish, for a moment: its answers may still have a reader. */
  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LAST_ANSWERS_MS);
    await Promise.race([Promise.all(this.#taken), promise]);
    clearTimeout(timer);
    for (const abort of this.#running.values()) abort.abort();
  }

  #send(answer: unknown): void {
    this.#write(typeof answer === "string" ? answer : JSON.stringify(answer));
  }

  async #forward(frame: Frame, signal: AbortSignal): Promise<unknown> {
    const identity = await this.#identity();
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await post(identity, frame, signal);
      if ("answer" in outcome) return outcome.answer;
      const renewed = attempt === 1 && (await identity.renew());
      // A call that never began may be made once more, and so may one that changes nothing by being made twice.
      if (renewed && (outcome.untouched || (await isRepeatable(identity, frame, signal)))) continue;
      throw new Error(outcome.untouched ? outcome.problem : LOST);
    }
  }
}

interface ListedTool {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean };
}

/** Whether making the call twice is the same as making it once: of tools the daemon's own list says so. */
async function isRepeatable(identity: Identity, frame: Frame, signal: AbortSignal): Promise<boolean> {
  if (frame.method !== "tools/call") return true;
  const outcome = await post(identity, { jsonrpc: "2.0", id: 0, method: "tools/list" }, signal);
  if (!("answer" in outcome)) return false;
  const { result } = outcome.answer as { result?: { tools: readonly ListedTool[] } };
  const tool = result?.tools.find(({ name }) => name === frame.params?.name);
  return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true;
}

type Outcome = { readonly answer: unknown } | { readonly problem: string; readonly untouched: boolean };

async function post(identity: Identity, frame: Frame, signal: AbortSignal): Promise<Outcome> {
  let response: PlainResponse;
  try {
    const query = identity.tools === undefined ? "" : `?tools=${identity.tools}`;
    response = await send(
      `${identity.address}/mcp${query}`,
      headersFor(identity, frame),
      JSON.stringify(frame),
      signal,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return { problem: UNREACHABLE, untouched: (error as NodeJS.ErrnoException).code === "ECONNREFUSED" };
  }
  const { status, text } = response;
  if (status === 401) return { problem: `The intercom refuses this agent: ${reasonOf(text)}`, untouched: true };
  if (text === "") return { answer: "" };
  const value: unknown = JSON.parse(text);
  const refused = (value as { ok?: unknown }).ok === false;
  return refused ? { problem: reasonOf(text), untouched: true } : { answer: value };
}

interface PlainResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Each call has a connection of its own: only of one that was refused is it certain that nothing was done, and a kept one
 * may die between two calls without anybody noticing.
 */
function send(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: "POST", headers, agent: false, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    call.once("error", reject);
    call.end(body);
  });
}

function headersFor(identity: Identity, { method, params }: Frame): Record<string, string> {
  const headers: Record<string, string> = {
    Authorization: `Bearer ${identity.token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const version = (params?._meta as Record<string, unknown> | undefined)?.[VERSION_META];
  if (typeof version === "string" && typeof method === "string") {
    headers["MCP-Protocol-Version"] = version;
    headers["Mcp-Method"] = method;
    const name = params?.name ?? params?.uri;
    if (typeof name === "string") headers["Mcp-Name"] = name;
  }
  return headers;
}

function reasonOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return "it gave no reason";
  }
}
