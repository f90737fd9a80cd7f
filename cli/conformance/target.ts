import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProtocolName } from "../../conformance/index.ts";
import { isIntercomError, PROTOCOL_NAME } from "../../protocol/index.ts";
import type { Invocation } from "../command.ts";
import { Context } from "../context.ts";
import { askHealth } from "../daemon-process/running.ts";
import { usageError } from "../errors.ts";

/** What is to be examined. */
export interface ConformanceTarget {
  readonly adminToken: string;
  /** What its listeners call themselves. */
  readonly names: readonly string[];
  /** Where to examine it for a protocol. */
  readonly addressFor: (protocol: ProtocolName) => string;
  /** Where a daemon of this run's own keeps its files. */
  readonly directories?: { readonly dataDir: string; readonly runtimeDir: string };
  close(): Promise<void>;
}

const HEALTH_WITHIN_MS = 3000;

interface Wanted {
  readonly url?: string;
  readonly adminTokenEnv?: string;
  readonly start?: boolean;
}

/** The daemon named, the one of this user, or one made for the purpose. @throws {CliError} when there is none to examine */
export async function findTarget(run: Invocation, wanted: Wanted): Promise<ConformanceTarget> {
  if (wanted.start) {
    const named = wanted.url ?? wanted.adminTokenEnv ?? run.options.address;
    if (named !== undefined)
      throw usageError("--start examines a daemon of its own, so leave out its address and token.");
    return startTarget();
  }
  const named = wanted.url ?? run.options.address;
  const adminToken = wanted.adminTokenEnv === undefined ? undefined : variable(run, wanted.adminTokenEnv);
  const env = adminToken === undefined ? run.io.env : { ...run.io.env, AGENT_INTERCOM_ADMIN_TOKEN: adminToken };
  const options = named === undefined ? run.options : { ...run.options, address: named };
  const context = new Context({ ...run, io: { ...run.io, env }, options });
  const address = context.address();
  const found = { adminToken: context.adminToken(), close: async () => {} };
  return { ...found, ...listeners([await nameOf(address)], address, guestsOf(context, address)) };
}

/** @param guests where clients of October Bus are served, when that is another address */
function listeners(names: readonly string[], address: string, guests: string | undefined) {
  return {
    names: guests === undefined ? names : [...names, "october-bus"],
    addressFor: (protocol: ProtocolName) => (protocol === "october-bus" && guests !== undefined ? guests : address),
  };
}

/** The daemon of this user may listen for clients of October Bus at a port of its own. */
function guestsOf(context: Context, address: string): string | undefined {
  const reading = context.runFile();
  return reading.state === "present" && reading.run.address === address ? reading.run.octoberBusAddress : undefined;
}

/** What a target calls itself; nothing when it does not say. @throws {IntercomError} when it does not answer */
async function nameOf(address: string): Promise<string> {
  try {
    return String((await askHealth(address, HEALTH_WITHIN_MS)).name);
  } catch (error) {
    if (isIntercomError(error) && error.details?.reason === "network") throw error;
    return "";
  }
}

function variable(run: Invocation, name: string): string {
  const value = run.io.env[name];
  if (value) return value;
  throw usageError(`The variable ${name}, which --admin-token-env names, is not set.`);
}

async function startTarget(): Promise<ConformanceTarget> {
  const { startDaemon } = await import("../../daemon/index.ts");
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-intercom-conformance-")));
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    const directories = { dataDir: join(root, "data"), runtimeDir: join(root, "run") };
    const daemon = await startDaemon({ ...directories, port: 0, octoberBusPort: 0, env: {} });
    return {
      adminToken: daemon.adminToken,
      ...listeners([PROTOCOL_NAME], daemon.address, daemon.octoberBusAddress),
      directories,
      close: async () => {
        await daemon.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
