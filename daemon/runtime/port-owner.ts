import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

export interface PortOwner {
  /** Set when one of our daemons answers there. */
  readonly daemon?: { readonly version: string; readonly status: string } | undefined;
  readonly process?: { readonly name: string; readonly pid: number } | undefined;
}

export interface PortOwnerOptions {
  readonly platform?: NodeJS.Platform | undefined;
  /** Where the process file system is; a parameter for tests. */
  readonly procRoot?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** Command line option with which another port is chosen; `--port` by default. */
  readonly option?: string | undefined;
}

/** A sentence for a person whose port is taken, with what to do. Takes at most about `timeoutMs` (2 s), and never throws. */
export async function describePortOwner(port: number, options: PortOwnerOptions = {}): Promise<string> {
  return portSentence(port, await findPortOwner(port, options), options.option);
}

export function portSentence(port: number, owner: PortOwner, option = "--port"): string {
  const elsewhere = `Choose another with ${option}, or 0 for a free one.`;
  const pid = owner.process ? `pid ${owner.process.pid}` : "";
  if (owner.daemon) {
    const facts = [`version ${owner.daemon.version}`, pid].filter(Boolean).join(", ");
    return `Port ${port} is taken by another Agent Intercom daemon (${facts}). Use that one, stop it, or choose another port with ${option} (0 for a free one).`;
  }
  if (owner.process) return `Port ${port} is taken by ${owner.process.name} (${pid}). ${elsewhere}`;
  return `Port ${port} is taken by another program. ${elsewhere}`;
}

/** Who listens on a local port, as far as this user may know. */
export async function findPortOwner(port: number, options: PortOwnerOptions = {}): Promise<PortOwner> {
  const { timeoutMs = 2000 } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const [daemon, process] = await Promise.all([
    askDaemon(port, deadline).catch(() => undefined),
    findProcess(port, options, deadline).catch(() => undefined),
  ]);
  return { daemon, process };
}

async function askDaemon(port: number, signal: AbortSignal): Promise<PortOwner["daemon"]> {
  const response = await fetch(`http://127.0.0.1:${port}/health`, { signal, redirect: "error" });
  const { name, runtimeVersion, status } = (await response.json()) as Record<string, unknown>;
  if (name !== "agent-intercom") return undefined;
  // Somebody else's words until proven otherwise: only a version-like text is repeated.
  const version =
    typeof runtimeVersion === "string" && /^[\w.+-]{1,40}$/.test(runtimeVersion) ? runtimeVersion : "unknown";
  return { version, status: status === "ready" ? "ready" : "not_ready" };
}

async function findProcess(
  port: number,
  options: PortOwnerOptions,
  signal: AbortSignal,
): Promise<PortOwner["process"]> {
  const platform = options.platform ?? process.platform;
  if (platform === "linux") {
    const found = await fromProc(port, options.procRoot ?? "/proc", signal);
    if (found) return found;
  }
  return platform === "win32" ? fromNetstat(port, signal) : fromLsof(port, signal);
}

/** Linux: the listening sockets of the port, then the process that holds one of them. */
async function fromProc(port: number, root: string, signal: AbortSignal): Promise<PortOwner["process"]> {
  const tables = await Promise.all(
    ["net/tcp", "net/tcp6"].map((name) => readFile(join(root, name), "utf8").catch(() => "")),
  );
  const sockets = new Set(tables.flatMap((table) => listeningInodes(table, port)).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return undefined;
  for (const pid of (await readdir(root)).filter((entry) => /^\d+$/.test(entry))) {
    if (signal.aborted) return undefined;
    if (await holdsSocket(join(root, pid, "fd"), sockets)) {
      return { name: printable(await readFile(join(root, pid, "comm"), "utf8")), pid: Number(pid) };
    }
  }
  return undefined;
}

/** Inodes of the sockets that listen on `port`, from the text of `/proc/net/tcp`. */
export function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(suffix) && columns[3] === "0A")
    .flatMap((columns) => columns[9] ?? []);
}

async function holdsSocket(directory: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const names = await readdir(directory).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(join(directory, name)).catch(() => "")));
  return targets.some((target) => sockets.has(target));
}

async function fromLsof(port: number, signal: AbortSignal): Promise<PortOwner["process"]> {
  const output = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], signal);
  const pid = /^p(\d+)$/m.exec(output)?.[1];
  const name = /^c(.+)$/m.exec(output)?.[1];
  return pid && name ? { name: printable(name), pid: Number(pid) } : undefined;
}

async function fromNetstat(port: number, signal: AbortSignal): Promise<PortOwner["process"]> {
  const output = await run("netstat", ["-ano", "-p", "TCP"], signal);
  const line = output
    .split("\n")
    .find((row) => row.includes("LISTENING") && row.trim().split(/\s+/)[1]?.endsWith(`:${port}`));
  const pid = line?.trim().split(/\s+/).at(-1);
  if (!pid) return undefined;
  const task = await run("tasklist", ["/FI", `PID eq ${pid}`, "/FO", "CSV", "/NH"], signal);
  return { name: printable(/^"([^"]+)"/m.exec(task)?.[1] ?? "a program"), pid: Number(pid) };
}

function run(command: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { signal, windowsHide: true, maxBuffer: 8 * 1024 * 1024 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
  });
}

function printable(name: string): string {
  return name
    .trim()
    .replace(/[^\x20-\x7e]/g, "?")
    .slice(0, 64);
}
