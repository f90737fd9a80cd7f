import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { findChromium } from "../../../build/bootstrap/chromium.mjs";
import { quietFlags } from "./flags.ts";
import { Connection } from "./protocol.ts";

/** The one Chromium behind all windows of an app. */
export class Chromium {
  readonly connection: Connection;
  /** Where another debugger (Playwright) connects. */
  readonly webSocketUrl: string;
  readonly #child: ChildProcess;
  readonly #profile: string;

  private constructor(child: ChildProcess, connection: Connection, webSocketUrl: string, profile: string) {
    this.#child = child;
    this.connection = connection;
    this.webSocketUrl = webSocketUrl;
    this.#profile = profile;
  }

  /**
   * Starts it with an empty profile. Our own conversation runs over a pipe, which is also the life line: when this process
   * dies, however it dies, the pipe closes and Chromium ends by itself.
   * @throws when there is no Chromium or it does not start
   */
  static async launch(): Promise<Chromium> {
    const program = findChromium();
    if (!program) throw new Error("No Chromium was found; set DESKTOP_HOST_CHROMIUM to its executable.");
    const profile = mkdtempSync(join(tmpdir(), "desktop-host-"));
    const flags = [
      ...quietFlags(),
      `--user-data-dir=${profile}`,
      "--remote-debugging-pipe",
      "--remote-debugging-port=0",
    ];
    const child = spawn(program, flags, { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    const connection = new Connection(child.stdio[3] as Writable, child.stdio[4] as Readable);
    try {
      return new Chromium(child, connection, await debuggingUrl(child), profile);
    } catch (error) {
      rmSync(profile, { recursive: true, force: true });
      throw error;
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** At once and not politely: the profile is thrown away, so there is nothing it would have to finish. */
  async close(): Promise<void> {
    const isGone = this.#child.exitCode !== null || this.#child.signalCode !== null;
    const gone = isGone ? undefined : once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
    // Its child processes end a moment later, and may write until then.
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Waits for the line in which Chromium says where its debugger listens. */
function debuggingUrl(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      if (process.env.DESKTOP_HOST_VERBOSE === "1") process.stderr.write(chunk.replace(/^DevTools listening.*\n/m, ""));
      output = (output + chunk).slice(-8192);
      const found = /DevTools listening on (ws:\S+)/.exec(output);
      if (found?.[1]) resolve(found[1]);
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`Chromium ended with ${code} instead of starting:\n${output}`)));
  });
}
