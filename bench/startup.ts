import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { HttpConnection } from "./lib/http-connection.ts";
import type { Row } from "./lib/report.ts";
import { median } from "./lib/statistics.ts";
import { freshDirectory, makeAgent, openConnections, startSubject } from "./lib/subject.ts";

const ROOT = join(import.meta.dirname, "..");
const CONNECTED = 1000;
const PER_SCOPE = 125;

/** Spawns a program and waits until it names its address and answers there; ms. */
async function timeToReady(args: readonly string[]): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const address = await firstAddress(child);
  const answer = await fetch(`${address}/health/ready`);
  await answer.arrayBuffer();
  const elapsed = performance.now() - begin;
  child.kill("SIGTERM");
  await once(child, "exit");
  return elapsed;
}

function firstAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
      if (address) resolve(address);
    });
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it answered: ${printed}`)));
  });
}

/** Cold start against the least program on the same libraries, and memory. */
export async function startup(samples: number): Promise<Row[]> {
  const directory = freshDirectory();
  const emptyDirectory = join(directory.path, "empty");
  mkdirSync(emptyDirectory);
  const daemon = [
    join(ROOT, "dist/cli/main.js"),
    "start",
    "--foreground",
    "--port",
    "0",
    "--data-dir",
    join(directory.path, "data"),
    "--runtime-dir",
    join(directory.path, "run"),
  ];
  const empty = [join(ROOT, "bench/lib/empty-program.ts"), emptyDirectory];
  await timeToReady(daemon);
  await timeToReady(empty);
  const pairs: { daemon: number; empty: number }[] = [];
  for (let index = 0; index < samples; index += 1) {
    pairs.push({ empty: await timeToReady(empty), daemon: await timeToReady(daemon) });
  }
  directory.remove();
  const ours = median(pairs.map((pair) => pair.daemon));
  const theirs = median(pairs.map((pair) => pair.empty));
  const note = `${samples} starts`;
  return [
    { what: "cold start to ready", value: ours, unit: "ms", note },
    { what: "same, empty express + better-sqlite3", value: theirs, unit: "ms", note },
    { what: "cold start ratio", value: ours / theirs, unit: "", target: { atMost: 2 } },
    ...(await memory()),
  ];
}

async function memory(): Promise<Row[]> {
  const directory = freshDirectory();
  const subject = await startSubject(directory.path);
  const idle = await subject.ask<{ rssMb: number }>("memory");
  const [setup] = (await openConnections(subject.address, 1)) as [HttpConnection];
  const connections = await openConnections(subject.address, CONNECTED);
  let scopeToken = "";
  const waits: Promise<unknown>[] = [];
  for (const [index, connection] of connections.entries()) {
    if (index % PER_SCOPE === 0) {
      ({ scopeToken } = await setup.call<{ scopeToken: string }>("POST", "/v1/scopes", subject.adminToken, {}));
    }
    const agent = await makeAgent(setup, scopeToken, `agent-${index}`, []);
    waits.push(connection.call("POST", "/v1/inbox/reserve", agent.token, { waitMs: 25_000 }).catch(() => undefined));
  }
  const before = await subject.ask<{ rssMb: number; cpuMs: number }>("memory");
  await delay(5000);
  const after = await subject.ask<{ cpuMs: number }>("memory");
  for (const connection of [...connections, setup]) connection.close();
  await Promise.all(waits);
  await subject.stop();
  directory.remove();
  return [
    { what: "memory idle", value: idle.rssMb, unit: "MB", note: "resident, run from source" },
    { what: "memory with 1,000 agents waiting", value: before.rssMb, unit: "MB", note: "resident, run from source" },
    { what: "CPU with 1,000 agents waiting", value: (after.cpuMs - before.cpuMs) / 50, unit: "%", note: "over 5 s" },
  ];
}
