import { AdminClient } from "../../client/index.ts";
import { readRunFile } from "../../daemon/runtime/index.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import type { RunFile } from "../../daemon/runtime/run-file.ts";
import type { Health as DaemonHealth } from "../../protocol/index.ts";
import type { Discovery, Health, KnownDaemon } from "./ports.ts";

/** Less than the time between two beats. */
const HEALTH_TIMEOUT_MS = 4000;

/** Looks for the daemon that left this run file. Its credential goes nowhere before the daemon has shown that it is the one. */
export async function discoverDaemon(runFile: string): Promise<Discovery> {
  const reading = readRunFile(runFile);
  if (reading.state === "absent") return { state: "none" };
  if (reading.state === "untrusted") return reading;
  const { run } = reading;
  if (!isProcessAlive(run.pid)) return { state: "none" };
  const daemon = knownFrom(run);
  try {
    const { instanceId, features } = await askHealth(run.address);
    // Somebody else has the address by now: the file is left over.
    return instanceId === run.instanceId ? { state: "running", daemon, features } : { state: "none" };
  } catch {
    return { state: "silent", daemon };
  }
}

/** @throws {IntercomError} when there is no answer */
export async function healthOf({ address, instanceId }: KnownDaemon): Promise<Health> {
  const health = await askHealth(address);
  if (health.instanceId !== instanceId) return "gone";
  return health.status === "ready" ? "ok" : "storage";
}

/** Health needs no credential, so none is sent. */
function askHealth(address: string): Promise<DaemonHealth> {
  return new AdminClient({ address, adminToken: "", retries: 0 }).health({}, { timeoutMs: HEALTH_TIMEOUT_MS });
}

function knownFrom({ protocolVersion, version, schema, pid, address, instanceId, adminToken, owner }: RunFile) {
  return { protocol: protocolVersion, version, schema, pid, address, instanceId, adminToken, owner };
}
