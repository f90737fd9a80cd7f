import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { answer, sendJson } from "./answer.ts";
import { type Decision, Player } from "./decide.ts";
import { readChat } from "./read-chat.ts";
import { readMessages } from "./read-messages.ts";
import { readResponses } from "./read-responses.ts";
import type { ModelRequest } from "./request.ts";
import type { Script } from "./script.ts";

/** A request to the model, and what was said to it. */
export interface Exchange {
  readonly request: ModelRequest;
  readonly decision: Decision;
}

export interface ScriptedModelOptions {
  /** Name of our MCP server in the program's configuration. */
  readonly server: string;
  /** Called before a request is answered: what a test does to the world in between. */
  readonly onRequest?: ((request: ModelRequest, count: number) => Promise<void> | void) | undefined;
}

/** A provider of models on loopback that says what a script tells it to. Any key will do. */
export interface ScriptedModel {
  /** Without a path; programs add `/v1` or not, as is their custom. */
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** Where the conversation went otherwise than the script was written for. */
  readonly problems: readonly string[];
  /** Hosts that programs wanted to reach through this server as their proxy; they were refused. */
  readonly strangers: readonly string[];
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const MAX_BYTES = 32 * 1024 * 1024;
const READERS: Readonly<Record<string, (body: unknown) => ModelRequest>> = {
  "/responses": readResponses,
  "/chat/completions": readChat,
  "/messages": readMessages,
};
/** Programs ask small things on the side, such as a title for the conversation; they offer no tools then. */
const ASIDE: Decision = { text: "Untitled", calls: [] };

/** Starts a model on a free port of loopback. */
export async function startScriptedModel(script: Script, options: ScriptedModelOptions): Promise<ScriptedModel> {
  const player = new Player(script, options.server);
  const exchanges: Exchange[] = [];
  const problems: string[] = [];
  const strangers: string[] = [];
  let answers = 0;

  async function speak(response: ServerResponse, request: ModelRequest): Promise<void> {
    answers += 1;
    const id = String(answers);
    if (request.tools.length === 0) return answer(response, request, ASIDE, id);
    const decision = player.decide(request);
    exchanges.push({ request, decision });
    if (decision.problem !== undefined) problems.push(decision.problem);
    await options.onRequest?.(request, exchanges.length);
    answer(response, request, decision, id);
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // Asked as a proxy, it is given a whole address instead of a path.
    const url = URL.parse(incoming.url ?? "", `http://${LOOPBACK}`);
    if (url === null || url.hostname !== LOOPBACK) {
      strangers.push(url?.host ?? String(incoming.url));
      return sendJson(response, 403, { error: { message: "This test reaches nothing but itself" } });
    }
    const path = url.pathname.replace(/^\/v1(?=\/)/, "");
    const read = incoming.method === "POST" ? READERS[path] : undefined;
    if (read) return speak(response, read(await readJson(incoming)));
    if (path === "/messages/count_tokens") return sendJson(response, 200, { input_tokens: 1 });
    if (path === "/models") return sendJson(response, 200, { object: "list", data: [], models: [], has_more: false });
    if (incoming.method === "HEAD") return void response.writeHead(200).end();
    sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: `Nothing is at ${path}` } });
  }

  const http = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      problems.push(`${incoming.method} ${incoming.url}: ${error instanceof Error ? error.message : String(error)}`);
      if (response.headersSent) response.destroy();
      else sendJson(response, 400, { type: "error", error: { type: "invalid_request_error", message: "Unreadable" } });
    });
  });
  http.on("connect", (incoming, socket) => {
    strangers.push(incoming.url ?? "");
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(0, LOOPBACK, resolve);
  });
  return {
    url: `http://${LOOPBACK}:${(http.address() as AddressInfo).port}`,
    exchanges,
    problems,
    strangers,
    close: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error("The request is too large");
    chunks.push(chunk);
  }
  const raw = Buffer.concat(chunks);
  return JSON.parse(unpack(raw, incoming.headers["content-encoding"]).toString("utf8"));
}

function unpack(raw: Buffer, encoding: string | undefined): Buffer {
  const limit = { maxOutputLength: MAX_BYTES };
  if (encoding === "gzip") return gunzipSync(raw, limit);
  if (encoding === "br") return brotliDecompressSync(raw, limit);
  return encoding === "zstd" ? zstdDecompressSync(raw, limit) : raw;
}
