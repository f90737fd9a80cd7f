import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { getPath } from "./paths.ts";
import { running } from "./running.ts";

/** What a second instance tells the first one. */
export interface Announcement {
  readonly argv: readonly string[];
  readonly workingDirectory: string;
  readonly additionalData: unknown;
}

/**
 * The lock by which an app runs once per user-data folder: a file with the holder's pid, and a socket on which the holder
 * hears of later starts. Taking it is synchronous, as in Electron; the announcement is delivered before this process ends.
 */
export class SingleInstance {
  #server: Server | undefined;

  get isHeld(): boolean {
    return this.#server !== undefined;
  }

  /** False when another process holds the lock; it hears of us then. */
  request(additionalData: unknown, onAnnouncement: (announcement: Announcement) => void): boolean {
    if (this.#server) return true;
    const { lock, socket } = places();
    if (!takeLock(lock)) {
      const announcement: Announcement = { argv: process.argv, workingDirectory: process.cwd(), additionalData };
      const delivered = announce(socket, announcement);
      running.beforeExit.push(() => delivered);
      return false;
    }
    rmSync(socket, { force: true });
    this.#server = createServer((connection) => {
      let text = "";
      connection.setEncoding("utf8");
      connection.on("data", (chunk: string) => {
        text += chunk;
      });
      connection.on("end", () => onAnnouncement(JSON.parse(text) as Announcement));
      connection.on("error", () => connection.destroy());
    });
    this.#server.listen(socket).unref();
    return true;
  }

  release(): void {
    if (!this.#server) return;
    this.#server.close();
    this.#server = undefined;
    rmSync(places().lock, { force: true });
  }
}

function places(): { lock: string; socket: string } {
  const folder = getPath("userData");
  mkdirSync(folder, { recursive: true });
  // Not in the folder itself: socket paths end after about 100 characters.
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return { lock: join(folder, "SingletonLock"), socket: join(tmpdir(), `desktop-host-${name}.sock`) };
}

function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    const holder = Number(readFileSync(lock, "utf8"));
    if (isAlive(holder)) return false;
    // Left by a process that was killed.
    writeFileSync(lock, String(process.pid));
    return true;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function announce(socket: string, announcement: Announcement): Promise<void> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => connection.end(JSON.stringify(announcement)));
    // Undelivered when the holder is just going away: then there is nobody to tell.
    connection.on("error", () => undefined);
    connection.on("close", () => resolve());
  });
}
