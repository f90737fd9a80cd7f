import { IntercomError } from "../protocol/index.ts";
import { type Listening, listen } from "./http/index.ts";
import { type Directories, describePortOwner, readRunFile } from "./runtime/index.ts";
import { type HeldLock, tryLock } from "./store/index.ts";

/** What one daemon claims for itself on a machine, and a sentence for whoever finds it taken. */

/** @throws {IntercomError} CONFLICT that names the daemon in the way when its run file tells */
export function claimDirectory(lockFile: string, what: string, directories: Directories): HeldLock {
  const lock = tryLock(lockFile);
  if (lock) return lock;
  const reading = readRunFile(directories.runFile);
  const holder = reading.state === "present" ? { address: reading.run.address, pid: reading.run.pid } : undefined;
  const who = holder ? `the daemon at ${holder.address} (pid ${holder.pid})` : "another daemon";
  throw new IntercomError("CONFLICT", `${what} is in use by ${who}. Stop it first, or choose another directory.`, {
    reason: "already_running",
    ...holder,
  });
}

/**
 * @param option with which another port is chosen
 * @throws {IntercomError} CONFLICT that names the owner of the port when it can be told
 */
export async function claimPort(
  door: Parameters<typeof listen>[0],
  port: number,
  option = "--port",
): Promise<Listening> {
  try {
    return await listen(door, port);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") {
      const details = { reason: "port_taken", port };
      throw new IntercomError("CONFLICT", await describePortOwner(port, { option }), details, { cause: error });
    }
    if (code === "EACCES") {
      throw new IntercomError(
        "PERMISSION_DENIED",
        `This user may not use port ${port}. Choose another with ${option}.`,
        {
          port,
        },
      );
    }
    throw error;
  }
}
