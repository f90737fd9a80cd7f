import { request } from "node:http";
import { SseParser } from "../../client/sse.ts";
import type { Frame } from "./frames.ts";

/** Where and as whom the daemon is spoken to. */
export interface Destination {
  readonly address: string;
  /** Behind the path, `?` included. */
  readonly query: string;
  readonly token: string;
}

/** What the daemon says, in the order it says it: answers, and whatever comes before them. */
export type OnMessage = (text: string, message: Frame) => void;

export type Outcome =
  /** Everything has been said; `sessionId` where the daemon gave one. */
  | { readonly kind: "done"; readonly sessionId: string | undefined }
  | { readonly kind: "no-session" }
  /** `untouched`: nothing was done, so the message may be sent again. */
  | { readonly kind: "failed"; readonly problem: string; readonly untouched: boolean };

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: listen to what is said without having been asked. */
  readonly frame?: Frame;
  readonly signal: AbortSignal;
  readonly onMessage: OnMessage;
}

const UNREACHABLE = "The intercom daemon does not answer. Try again; if it stays away, run: agent-intercom doctor";

/**
 * Sends one message and passes on what comes back. Each has a connection of its own: only of one that was refused is it
 * certain that nothing was done, and a kept one may die between two calls without anybody noticing.
 * @throws when the signal aborts
 */
export async function send(destination: Destination, sent: Sent): Promise<Outcome> {
  let heard = false;
  const onMessage: OnMessage = (text, message) => {
    heard = true;
    sent.onMessage(text, message);
  };
  try {
    return await exchange(destination, { ...sent, onMessage });
  } catch (error) {
    if (sent.signal.aborted) throw error;
    const untouched = !heard && (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
    return { kind: "failed", problem: UNREACHABLE, untouched };
  }
}

function exchange({ address, query, token }: Destination, sent: Sent): Promise<Outcome> {
  const { headers, frame, signal, onMessage } = sent;
  const body = frame === undefined ? undefined : JSON.stringify(frame);
  return new Promise((resolve, reject) => {
    // Whatever listens at that port, it may not be a daemon of ours.
    const guarded = (work: () => void) => {
      try {
        work();
      } catch (error) {
        reject(error);
      }
    };
    const call = request(
      `${address}/mcp${query}`,
      {
        method: frame ? "POST" : "GET",
        headers: {
          Authorization: `Bearer ${token}`,
          Accept: frame ? "application/json, text/event-stream" : "text/event-stream",
          ...(body === undefined
            ? {}
            : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
          ...headers,
        },
        agent: false,
        signal,
      },
      (response) => {
        const sessionId = response.headers["mcp-session-id"];
        const done: Outcome = { kind: "done", sessionId: typeof sessionId === "string" ? sessionId : undefined };
        response.once("error", reject);
        if (response.headers["content-type"]?.startsWith("text/event-stream")) {
          const parser = new SseParser();
          const hear = (chunk: Buffer) => {
            for (const { data } of parser.push(chunk)) onMessage(data, JSON.parse(data) as Frame);
          };
          response.on("data", (chunk: Buffer) => guarded(() => hear(chunk)));
          // Of a stream that breaks off, `close` comes without `end`.
          response.once("end", () => resolve(done));
          return;
        }
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const inSession = "Mcp-Session-Id" in headers;
          guarded(() => resolve(outcomeOf(response.statusCode ?? 0, text, inSession, onMessage) ?? done));
        });
      },
    );
    call.once("error", reject);
    call.end(body);
  });
}

/** What an answer that is no stream means, unless all is well. */
function outcomeOf(status: number, text: string, inSession: boolean, onMessage: OnMessage): Outcome | undefined {
  if (status === 401) {
    return { kind: "failed", problem: `The intercom refuses this agent: ${reasonOf(text)}`, untouched: true };
  }
  if (status === 404 && inSession) return { kind: "no-session" };
  if (text === "") return undefined;
  const value = JSON.parse(text) as Frame & { readonly ok?: unknown };
  if (value.ok === false) return { kind: "failed", problem: reasonOf(text), untouched: true };
  onMessage(text, value);
  return undefined;
}

function reasonOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return "it gave no reason";
  }
}
