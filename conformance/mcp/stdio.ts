import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { CheckFailure } from "../core/failure.ts";
import type { AdapterCommand } from "../core/run.ts";
import { shorten } from "../core/shorten.ts";
import { type RpcNotification, type RpcRequest, type RpcResponse, rpcResponse, type Transport } from "./json-rpc.ts";

/** A little more than the longest wait the protocol knows. */
const ANSWER_WITHIN_MS = 30_000;
const MAX_STDERR = 1024 * 1024;

interface Pending {
  readonly resolve: (response: RpcResponse) => void;
  readonly reject: (error: Error) => void;
}

/** An MCP server as a child process: one JSON-RPC message a line on its standard streams. */
export class StdioServer implements Transport {
  /** What it wrote to standard error so far. */
  stderr = "";
  readonly #graceMs: number;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #pending = new Map<number | string, Pending>();
  #ended: string | undefined;

  /** @param graceMs how long each step of {@link close} gives it */
  constructor({ command, args }: AdapterCommand, env: NodeJS.ProcessEnv, graceMs = 2000) {
    this.#graceMs = graceMs;
    this.#child = spawn(command, [...args], { env, stdio: ["pipe", "pipe", "pipe"] });
    this.#exited = new Promise((resolve) => {
      this.#child.once("error", (error) => this.#end(`could not be started: ${error.message}`, resolve));
      this.#child.once("close", (code, signal) => this.#end(`ended with ${signal ?? code}`, resolve));
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (this.stderr.length < MAX_STDERR) this.stderr += text;
    });
    // Writing to a server that has ended is told by its end.
    this.#child.stdin?.on("error", () => {});
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on("line", (line) => this.#accept(line));
  }

  agreed(): void {}

  async request(message: RpcRequest): Promise<RpcResponse> {
    const request = { method: "MCP", path: message.method, body: shorten(message.params) };
    const fail = (got: string) =>
      new CheckFailure("The adapter did not answer", { request, expected: "an answer", got });
    if (this.#ended !== undefined) throw fail(`it ${this.#ended}`);
    const { promise, resolve, reject } = Promise.withResolvers<RpcResponse>();
    const timer = setTimeout(() => reject(new Error(`nothing within ${ANSWER_WITHIN_MS / 1000} s`)), ANSWER_WITHIN_MS);
    this.#pending.set(message.id, { resolve, reject });
    try {
      this.#write(message);
      return await promise;
    } catch (error) {
      throw fail(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
      this.#pending.delete(message.id);
    }
  }

  async notify(message: RpcNotification): Promise<void> {
    this.#write(message);
  }

  /** Closes its standard input, which tells it to end. @returns whether it did so within `withinMs` */
  async endInput(withinMs: number): Promise<boolean> {
    this.#child.stdin?.end();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), withinMs);
    });
    try {
      return await Promise.race([this.#exited.then(() => true), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends it, gently first. */
  async close(): Promise<void> {
    for (const signal of [undefined, "SIGTERM", "SIGKILL"] as const) {
      if (this.#ended !== undefined) return;
      if (signal) this.#child.kill(signal);
      if (await this.endInput(this.#graceMs)) return;
    }
  }

  #accept(line: string): void {
    if (line.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#failAll(`its standard output has a line that is no JSON: ${line.slice(0, 200)}`);
      return;
    }
    const message = value as { id?: number | string; method?: string };
    // Requests of the server's own: it learns that this client lives, and nothing else.
    if (typeof message.method === "string") {
      if (message.id === undefined) return;
      const error = { code: -32601, message: "Method not found" };
      this.#write({ jsonrpc: "2.0", id: message.id, ...(message.method === "ping" ? { result: {} } : { error }) });
      return;
    }
    const parsed = rpcResponse.safeParse(value);
    if (parsed.success) this.#pending.get(parsed.data.id)?.resolve(parsed.data);
    else this.#failAll(`its standard output has a line that is no JSON-RPC message: ${line.slice(0, 200)}`);
  }

  #write(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #end(how: string, resolve: () => void): void {
    this.#ended ??= how;
    this.#failAll(`it ${how}`);
    resolve();
  }

  #failAll(reason: string): void {
    for (const { reject } of this.#pending.values()) reject(new Error(reason));
  }
}
