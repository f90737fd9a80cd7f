import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpConnection } from "./http-connection.ts";

/** The process under test, seen from the benchmark. */
export interface Subject {
  readonly address: string;
  readonly echo: string;
  readonly adminToken: string;
  ask<T>(kind: "memory" | "commit"): Promise<T>;
  stop(): Promise<void>;
}

/** A fresh directory for one run, removed with `remove`. */
export function freshDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "intercom-bench-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function nextMessage<T>(child: ChildProcess, kind: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: { kind: string }) => {
      if (message.kind !== kind) return;
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(message as T);
    };
    const onExit = (code: number | null) => reject(new Error(`the process under test ended (${code})`));
    child.on("message", onMessage);
    child.once("exit", onExit);
  });
}

export async function startSubject(directory: string): Promise<Subject> {
  const child = fork(join(import.meta.dirname, "server.ts"), [directory], {
    execArgv: ["--expose-gc", ...(process.env.BENCH_PROFILE ? ["--cpu-prof", "--cpu-prof-dir=/tmp/prof"] : [])],
    stdio: "inherit",
  });
  const ready = await nextMessage<{ address: string; echo: string; adminToken: string }>(child, "ready");
  return {
    ...ready,
    ask<T>(kind: "memory" | "commit"): Promise<T> {
      const answer = nextMessage<T>(child, kind);
      child.send({ kind });
      return answer;
    },
    async stop() {
      const exited = once(child, "exit");
      child.send({ kind: "stop" });
      await exited;
    },
  };
}

export interface Agent {
  readonly id: string;
  readonly token: string;
}

export interface Pair {
  readonly scopeId: string;
  readonly scopeToken: string;
  readonly sender: Agent;
  readonly receiver: Agent;
}

/** A scope with pairs of linked agents. */
export async function makeTeam(connection: HttpConnection, adminToken: string, pairs: number): Promise<Pair[]> {
  const scope = await connection.call<{ scopeId: string; scopeToken: string }>("POST", "/v1/scopes", adminToken, {});
  const team: Pair[] = [];
  for (let index = 0; index < pairs; index += 1) {
    const sender = await makeAgent(connection, scope.scopeToken, `sender-${index}`, []);
    team.push({
      ...scope,
      sender,
      receiver: await makeAgent(connection, scope.scopeToken, `receiver-${index}`, [sender.id]),
    });
  }
  return team;
}

/** A scope with two linked agents. */
export async function makePair(connection: HttpConnection, adminToken: string): Promise<Pair> {
  const [pair] = await makeTeam(connection, adminToken, 1);
  return pair as Pair;
}

export async function makeAgent(
  connection: HttpConnection,
  scopeToken: string,
  id: string,
  connectTo: readonly string[],
): Promise<Agent> {
  const input = { id, displayName: id, connectTo, leaseMs: 86_400_000 };
  const { agentToken } = await connection.call<{ agentToken: string }>("POST", "/v1/agents", scopeToken, input);
  return { id, token: agentToken };
}

export async function openConnections(address: string, count: number): Promise<HttpConnection[]> {
  return Promise.all(Array.from({ length: count }, () => HttpConnection.open(address)));
}

/** A message body that makes the whole request body about `bytes` long. */
export function bodyOf(bytes: number): string {
  return "x".repeat(bytes);
}
