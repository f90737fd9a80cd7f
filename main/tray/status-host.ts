import { spawn as spawnProcess } from "node:child_process";
import type { Timers } from "../../client/index.ts";

/** The name on the session bus of what shows icons in a bar of Linux. */
const WATCHER = "org.kde.StatusNotifierWatcher";
const PATIENCE_MS = 2_000;

/** What a program has printed; `failed` when it ended badly, `absent` when there is no such program. */
export type Spawned = { readonly printed: string } | "failed" | "absent";

export interface StatusHostOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Runs a program, without a shell. */
  spawn(command: string, args: readonly string[]): Promise<Spawned>;
}

/** Tools that ask the bus, of which most desktops have at least one. */
const QUESTIONS: readonly (readonly [command: string, args: readonly string[]])[] = [
  [
    "gdbus",
    [
      "call",
      "--session",
      "--dest=org.freedesktop.DBus",
      "--object-path=/org/freedesktop/DBus",
      "--method=org.freedesktop.DBus.NameHasOwner",
      WATCHER,
    ],
  ],
  [
    "dbus-send",
    [
      "--session",
      "--print-reply",
      "--dest=org.freedesktop.DBus",
      "/org/freedesktop/DBus",
      "org.freedesktop.DBus.NameHasOwner",
      `string:${WATCHER}`,
    ],
  ],
];

/**
 * Whether this Linux desktop shows icons of apps. Without a session bus there is nobody who could. Where no tool
 * can ask the bus, the answer is yes: most desktops do.
 */
export async function hasStatusHost({ env, spawn }: StatusHostOptions): Promise<boolean> {
  if (!env.DBUS_SESSION_BUS_ADDRESS && !env.XDG_RUNTIME_DIR) return false;
  for (const [command, args] of QUESTIONS) {
    const spawned = await spawn(command, args);
    // A tool that fails has found no bus.
    if (spawned !== "absent") return spawned !== "failed" && /\btrue\b/.test(spawned.printed);
  }
  return true;
}

export function runProgram(command: string, args: readonly string[]): Promise<Spawned> {
  return new Promise((resolve) => {
    const child = spawnProcess(command, args, {
      shell: false,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: PATIENCE_MS,
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
    child.on("error", () => resolve("absent"));
    child.on("close", (code) => resolve(code === 0 ? { printed } : "failed"));
  });
}

/** A bar that starts after us, as when both start at login, is found by one of these. */
const LOOKS_AFTER_MS = [0, 4_000, 20_000, 60_000];
/** Nobody is told before that look: most bars are there by then. */
const TOLD_AT_LOOK = 1;

export interface WatchOptions {
  readonly timers: Timers;
  readonly look: () => Promise<boolean>;
  readonly onFound: (isThere: boolean) => void;
  /** There is none, and it is time to say so. */
  readonly onMissing: () => void;
}

/** Looks for such a bar until there is one. Returns what ends that. */
export function watchStatusHost({ timers, look, onFound, onMissing }: WatchOptions): () => void {
  let timer: unknown;
  let isOver = false;
  const lookAt = async (index: number): Promise<void> => {
    const isThere = await look();
    if (isOver) return;
    onFound(isThere);
    if (isThere) return;
    if (index === TOLD_AT_LOOK) onMissing();
    next(index + 1);
  };
  const next = (index: number): void => {
    const delayMs = LOOKS_AFTER_MS[index];
    if (delayMs !== undefined) timer = timers.setTimeout(() => void lookAt(index), delayMs);
  };
  next(0);
  return () => {
    isOver = true;
    timers.clearTimeout(timer);
  };
}
