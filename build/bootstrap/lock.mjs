// One set-up at a time per checkout: an editor, a test run and a started daemon may all ask for it at once, and two npm
// processes in one node_modules corrupt it. The second one waits for the first and then finds nothing left to do.
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readJson } from "./files.mjs";
import { toolsDir } from "./paths.mjs";

const pollMs = 100;
const heartbeatMs = 2_000;
/** A holder on another host (or in another container) cannot be asked by pid; it is taken for dead when its heartbeat
 * stood still this long while we watched. Watched, not compared with the clock: clocks differ and machines sleep. */
const silentMs = 30_000;
/** Whether the person has been told already that we wait; a run takes more than one lock. */
let told = false;

/**
 * Runs `work` while holding the checkout's lock `name`.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {{ folder?: string, silentMs?: number }} [options]
 */
export async function withLock(name, work, options = {}) {
  const folder = options.folder ?? toolsDir;
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, `${name}.lock`);
  await acquire(folder, lock, options.silentMs ?? silentMs);
  const heartbeat = setInterval(() => touch(lock), heartbeatMs);
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    process.off("exit", release);
    release();
  }
}

/** @param {string} folder @param {string} lock @param {number} silent */
async function acquire(folder, lock, silent) {
  // The directory is filled before it gets its name, so a lock without an owner never exists.
  const draft = mkdtempSync(join(folder, "lock-"));
  writeFileSync(join(draft, "owner.json"), JSON.stringify({ pid: process.pid, host: hostname() }));
  let seen = { beat: heartbeatOf(lock), at: Date.now() };
  for (;;) {
    try {
      // Renaming onto a directory that has something in it fails on every system: this is the atomic step.
      renameSync(draft, lock);
      return;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
    const beat = heartbeatOf(lock);
    if (beat !== seen.beat) seen = { beat, at: Date.now() };
    if (beat !== undefined && (ownerIsDead(lock) || Date.now() - seen.at > silent)) discard(folder, lock, beat);
    else {
      if (!told) process.stderr.write("Setting up: another set-up is running in this checkout, waiting for it.\n");
      told = true;
      await delay(pollMs);
    }
  }
}

/** Moves a dead lock away. Moving is atomic, so of several waiters only one removes it; the heartbeat is compared again
 * because another waiter may have been faster and already hold a new lock under the same name.
 * @param {string} folder @param {string} lock @param {number} beat */
function discard(folder, lock, beat) {
  const grave = join(folder, `lock-dead-${process.pid}-${Date.now()}`);
  try {
    if (heartbeatOf(lock) !== beat) return;
    renameSync(lock, grave);
    rmSync(grave, { recursive: true, force: true });
  } catch {
    // Somebody else discarded it first: the next round sees the new state.
  }
}

/** @param {string} lock */
function ownerIsDead(lock) {
  const owner = readJson(join(lock, "owner.json"));
  if (owner?.host !== hostname() || !Number.isInteger(owner.pid)) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** @param {string} lock */
function heartbeatOf(lock) {
  return statSync(join(lock, "owner.json"), { throwIfNoEntry: false })?.mtimeMs;
}

/** @param {string} lock */
function touch(lock) {
  try {
    utimesSync(join(lock, "owner.json"), new Date(), new Date());
  } catch {
    // The folder was deleted under us (somebody cleaned the checkout); the work itself will notice if it matters.
  }
}

/** @param {unknown} error */
function isTaken(error) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTEMPTY" || code === "EEXIST") return true;
  // How Windows says the same, also for a moment while the old directory is being deleted.
  return process.platform === "win32" && (code === "EPERM" || code === "EACCES");
}
