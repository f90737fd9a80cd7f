import type { ClientProfile } from "../../connect/index.ts";
import { resolveDirectories } from "../../daemon/runtime/paths.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import { DEFAULT_PORT } from "../../protocol/index.ts";
import type { Invocation } from "../command.ts";
import { Context } from "../context.ts";

/** Where the daemon is, for an entry that will be used later. */
interface Whereabouts {
  readonly address: string;
  /** Whether there was one to ask. */
  readonly isRunning: boolean;
  /** To be written down, because the client would look elsewhere. */
  readonly runtimeDir: string | undefined;
}

/** Where this user's daemon listens, or would when it is started. */
export function daemonAddress(run: Invocation, { stdio }: ClientProfile): Whereabouts {
  const { io, options } = run;
  const reading = new Context(run).runFile();
  const port = Number(io.env.AGENT_INTERCOM_PORT) || DEFAULT_PORT;
  const address =
    options.address ||
    io.env.AGENT_INTERCOM_ADDRESS ||
    (reading.state === "present" ? reading.run.address : `http://127.0.0.1:${port}`);
  const isChosen = Boolean(options.runtimeDir || io.env.AGENT_INTERCOM_RUNTIME_DIR);
  // Its usual place depends on variables that not every client hands on to what it starts.
  const isNeeded = isChosen || stdio.environment !== "sufficient";
  const { runtimeDir } = resolveDirectories({ env: io.env, runtimeDir: options.runtimeDir });
  const isRunning = reading.state === "present" && isProcessAlive(reading.run.pid);
  return { address, isRunning, runtimeDir: isNeeded ? runtimeDir : undefined };
}
