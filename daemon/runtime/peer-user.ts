import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A connection over loopback as this side sees it. */
export interface LoopbackConnection {
  readonly localPort?: number | undefined;
  readonly remotePort?: number | undefined;
}

/** Loopback as `/proc/net/tcp` and `/proc/net/tcp6` write it, the latter for IPv4 seen through IPv6, on either byte order. */
const LOOPBACK = /^(?:0{16}(?:FFFF0000|0000FFFF))?(?:0100007F|7F000001)$/;

/**
 * User id of the program at the other end of a connection, where Linux tells. Undefined on other systems, and where the other
 * end is a tunnel or another machine's.
 * @param procRoot where the process file system is; a parameter for tests
 */
export async function peerUser(connection: LoopbackConnection, procRoot = "/proc"): Promise<number | undefined> {
  for (const name of ["net/tcp", "net/tcp6"]) {
    const found = userOf(await readFile(join(procRoot, name), "utf8").catch(() => ""), connection);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The other end's line has our ports the other way round. */
function userOf(table: string, { localPort = 0, remotePort = 0 }: LoopbackConnection): number | undefined {
  for (const line of table.split("\n")) {
    const [, own = "", other = "", , , , , user = ""] = line.trim().split(/\s+/);
    const [address = "", port = ""] = own.split(":");
    if (!LOOPBACK.test(address) || Number.parseInt(port, 16) !== remotePort) continue;
    if (Number.parseInt(other.split(":")[1] ?? "", 16) === localPort && /^\d+$/.test(user)) return Number(user);
  }
  return undefined;
}
