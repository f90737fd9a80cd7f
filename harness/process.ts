import { type ChildProcess, spawn } from "node:child_process";
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** How a program ended. */
export interface Ended {
  /** Absent when a signal ended it. */
  readonly code: number | undefined;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Milliseconds after which it is ended. */
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** A program that cannot be started at all. The message is for people. */
export class NotStartable extends Error {
  override readonly name = "NotStartable";
}

/** Kept of what it prints: the end says most. */
const MAX_OUTPUT = 256 * 1024;
/** For what a program leaves running when it ends, and how often to look, ms. */
const LEAVE_MS = 3_000;
const LOOK_MS = 20;

/**
 * Runs a program to its end without a terminal. A script of Node runs with this Node.
 * @throws {NotStartable}
 */
export async function runToEnd(file: string, args: readonly string[], options: ProcessOptions): Promise<Ended> {
  if (process.platform === "win32" && /^\.(cmd|bat)$/i.test(extname(file))) {
    throw new NotStartable(`${file} is a command file; name the program behind it (.exe or .js).`);
  }
  const [command, ...words] = /^\.[cm]?js$/.test(extname(file)) ? [process.execPath, file, ...args] : [file, ...args];
  const child = spawn(command as string, words, {
    env: options.env,
    cwd: options.cwd,
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    // A group of its own, so that what it has started ends with it.
    detached: process.platform !== "win32",
  });
  const said = { stdout: collect(child.stdout), stderr: collect(child.stderr) };
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup(child);
  }, options.timeoutMs);
  const abort = () => endGroup(child);
  options.signal?.addEventListener("abort", abort, { once: true });
  if (options.signal?.aborted) abort();
  try {
    const code = await new Promise<number | undefined>((resolve, reject) => {
      child.once("error", (error) => reject(new NotStartable(`${file} cannot be started: ${error.message}`)));
      child.once("close", (exitCode) => resolve(exitCode ?? undefined));
    });
    await groupGone(child);
    return { code, timedOut, stdout: said.stdout.text, stderr: said.stderr.text };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", abort);
  }
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** Lets what it has started end in peace, for a moment: servers take leave of the daemon then. */
async function groupGone(child: ChildProcess): Promise<void> {
  for (let waitedMs = 0; waitedMs < LEAVE_MS && isGroupAlive(child); waitedMs += LOOK_MS) await sleep(LOOK_MS);
  endGroup(child);
}

function isGroupAlive({ pid }: ChildProcess): boolean {
  try {
    return pid !== undefined && process.platform !== "win32" && process.kill(-pid, 0);
  } catch {
    return false;
  }
}

function collect(stream: NodeJS.ReadableStream): { text: string } {
  const collected = { text: "" };
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    collected.text = (collected.text + chunk).slice(-MAX_OUTPUT);
  });
  return collected;
}
