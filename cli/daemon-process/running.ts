import { AdminClient } from "../../client/index.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import { type RunFile, readRunFile } from "../../daemon/runtime/run-file.ts";
import type { Health } from "../../protocol/index.ts";

/** What the run file and the daemon itself say about whether one is running. */
export type Running =
  | { readonly state: "stopped" }
  | { readonly state: "untrusted"; readonly reason: string }
  /** The run file is left over: its process is gone, or the address belongs to somebody else by now. */
  | { readonly state: "stale"; readonly run: RunFile }
  | { readonly state: "unresponsive"; readonly run: RunFile }
  | { readonly state: "running"; readonly run: RunFile; readonly health: Health };

export async function findRunning(runFile: string, timeoutMs = 3000): Promise<Running> {
  const reading = readRunFile(runFile);
  if (reading.state === "absent") return { state: "stopped" };
  if (reading.state === "untrusted") return reading;
  const { run } = reading;
  if (!isProcessAlive(run.pid)) return { state: "stale", run };
  try {
    const health = await askHealth(run.address, timeoutMs);
    return health.instanceId === run.instanceId ? { state: "running", run, health } : { state: "stale", run };
  } catch {
    return { state: "unresponsive", run };
  }
}

/** Health needs no credential, so none is sent. */
export function askHealth(address: string, timeoutMs: number): Promise<Health> {
  return new AdminClient({ address, adminToken: "", retries: 0 }).health({}, { timeoutMs });
}
