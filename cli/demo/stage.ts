import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient, type AgentSession, type ScopeClient } from "../../client/index.ts";
import { type Directories, resolveDirectories } from "../../daemon/runtime/paths.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import { readRunFile } from "../../daemon/runtime/run-file.ts";
import { DEFAULT_SCOPE } from "../../client/first-scope.ts";
import { startInBackground } from "../daemon-process/background.ts";
import { CliError } from "../errors.ts";

/** A daemon of the demo's own, in a temporary directory, with the scope the daemon starts with. */
export interface Stage {
  readonly address: string;
  readonly pid: number;
  readonly directories: Directories;
  readonly admin: AdminClient;
  /** You: the owner of the scope. */
  readonly owner: ScopeClient;
  /** Sessions to close when the curtain falls. */
  readonly sessions: AgentSession[];
  /** Aborts when the story is over, also before its end. */
  readonly curtain: AbortController;
}

const STOP_MS = 5000;

export async function openStage(env: NodeJS.ProcessEnv): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-intercom-demo-")));
  try {
    const directories = resolveDirectories({ env: {}, dataDir: join(root, "data"), runtimeDir: join(root, "run") });
    // What the environment says of the other listener is meant for the daemon of this user.
    const ownEnv = { ...env, AGENT_INTERCOM_OCTOBER_BUS_PORT: "" };
    const { address, pid } = await startInBackground({ directories, port: 0, env: ownEnv });
    const reading = readRunFile(directories.runFile);
    if (reading.state !== "present") throw new CliError("The daemon of the demo left no run file.");
    const admin = new AdminClient({ address, adminToken: reading.run.adminToken });
    return {
      address,
      pid,
      directories,
      admin,
      owner: admin.scope(DEFAULT_SCOPE),
      sessions: [],
      curtain: new AbortController(),
    };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

/** Ends the agents and, unless it is to be kept, the daemon with everything it wrote. */
export async function closeStage(stage: Stage, keep: boolean): Promise<void> {
  stage.curtain.abort();
  await Promise.all(stage.sessions.map((session) => session.close()));
  if (keep) return;
  await stage.admin.shutdown().catch(() => {});
  const deadline = performance.now() + STOP_MS;
  while (isProcessAlive(stage.pid) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
  if (isProcessAlive(stage.pid)) process.kill(stage.pid, "SIGKILL");
  rmSync(join(stage.directories.dataDir, ".."), { recursive: true, force: true, maxRetries: 3 });
}
