import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DEFAULT_SCOPE } from "../../client/first-scope.ts";
import { AdminClient, type AgentSession, type ScopeClient } from "../../client/index.ts";
import { type Directories, resolveDirectories } from "../../daemon/runtime/paths.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import { readRunFile } from "../../daemon/runtime/run-file.ts";
import { startInBackground } from "../daemon-process/background.ts";
import { requireDaemon } from "../daemon-process/require-daemon.ts";
import { CliError } from "../errors.ts";

/** Where a story is played. */
export interface Stage {
  readonly address: string;
  readonly directories: Directories;
  /** You: the owner of the scope. */
  readonly owner: ScopeClient;
  readonly scopeId: string;
  /** Sessions to close when the curtain falls. */
  readonly sessions: AgentSession[];
  /** What agents still do before they leave, such as taking a question back. */
  readonly farewells: (() => Promise<unknown>)[];
  /** Aborts when the story is over, also before its end. */
  readonly curtain: AbortController;
  /** Ends the agents, and what was made for the story alone. */
  close(): Promise<void>;
}

const STOP_MS = 5000;

/** A daemon of the demo's own, in a temporary directory, with the scope a daemon starts with. */
export async function openOwnStage(env: NodeJS.ProcessEnv): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-intercom-demo-")));
  try {
    const directories = resolveDirectories({ env: {}, dataDir: join(root, "data"), runtimeDir: join(root, "run") });
    // What the environment says of the other listener is meant for the daemon of this user.
    const ownEnv = { ...env, AGENT_INTERCOM_OCTOBER_BUS_PORT: "" };
    const { address, pid } = await startInBackground({ directories, port: 0, env: ownEnv });
    const reading = readRunFile(directories.runFile);
    if (reading.state !== "present") throw new CliError("The daemon of the demo left no run file.");
    const admin = new AdminClient({ address, adminToken: reading.run.adminToken });
    const stage = stageIn(admin, DEFAULT_SCOPE, { address, directories });
    return {
      ...stage,
      close: async () => {
        await stage.close();
        await stopDaemon(admin, pid);
        rmSync(root, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

/** This user's daemon, started when it does not run, with a new scope: what happens there shows in the desktop. */
export async function openSharedStage(env: NodeJS.ProcessEnv, directories: Directories): Promise<Stage> {
  const { address, adminToken } = await requireDaemon({ directories, env, mayStart: true });
  const admin = new AdminClient({ address, adminToken });
  const taken = new Set((await admin.listScopes()).map(({ scopeId }) => scopeId));
  let id = "demo";
  for (let count = 2; taken.has(id); count++) id = `demo-${count}`;
  await admin.createScope({ id, linkPolicy: "open" });
  return stageIn(admin, id, { address, directories });
}

function stageIn(admin: AdminClient, scopeId: string, place: Pick<Stage, "address" | "directories">): Stage {
  const sessions: AgentSession[] = [];
  const farewells: (() => Promise<unknown>)[] = [];
  const curtain = new AbortController();
  return {
    ...place,
    owner: admin.scope(scopeId),
    scopeId,
    sessions,
    farewells,
    curtain,
    close: async () => {
      curtain.abort();
      // A daemon that is gone by now has nothing left to be told.
      await Promise.allSettled(farewells.splice(0).map((farewell) => farewell()));
      await Promise.all(sessions.map((session) => session.close()));
    },
  };
}

async function stopDaemon(admin: AdminClient, pid: number): Promise<void> {
  await admin.shutdown().catch(() => {});
  const deadline = performance.now() + STOP_MS;
  while (isProcessAlive(pid) && performance.now() < deadline) await sleep(20);
  if (isProcessAlive(pid)) process.kill(pid, "SIGKILL");
}
