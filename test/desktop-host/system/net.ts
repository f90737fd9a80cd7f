import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Offered } from "../lib/offered.ts";

let isOnline = true;

/** Electron's `net`. */
class Net extends Offered {
  get online(): boolean {
    return isOnline;
  }

  isOnline(): boolean {
    return isOnline;
  }

  /** Files and loopback only. @throws for everything else, and when the file cannot be read */
  async fetch(input: string | URL, init?: RequestInit): Promise<Response> {
    const url = new URL(input);
    if (url.protocol === "file:") return new Response(await readFile(fileURLToPath(url)));
    if (url.hostname === "127.0.0.1" || url.hostname === "localhost") return fetch(url, init);
    throw new Error(`net::ERR_NAME_NOT_RESOLVED (${url.href})`);
  }
}

export const net: Net = new Net();

/** The cable of the machine, for specs. */
export const netHand = {
  setOnline(online: boolean): void {
    isOnline = online;
  },
};
