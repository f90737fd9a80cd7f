import { statSync } from "node:fs";
import { ensureDefaultScope } from "../../client/first-scope.ts";
import { AdminClient, type Timers } from "../../client/index.ts";
import { systemTimers } from "../../client/timers.ts";
import type { Directories, Logger } from "../../daemon/runtime/index.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import type { Electron } from "../ports/electron.ts";
import { discoverDaemon, healthOf } from "./discover.ts";
import { childEnvironment } from "./environment.ts";
import type { SupervisorPorts } from "./ports.ts";
import { utilitySpawner } from "./utility-child.ts";

/** A loaded machine may be slow; ending a start early gains nothing. */
const START_TIMEOUT_MS = 60_000;
/** After an update, or a crash, the database is copied, checked and changed before the daemon answers. */
const START_BYTES_PER_MS = 10_000;

export interface WorldOptions extends Pick<SupervisorPorts, "onView" | "onDaemon"> {
  readonly electron: Pick<Electron, "app" | "utilityProcess">;
  readonly directories: Directories;
  /** The bundled daemon. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
  readonly logger: Logger;
  readonly logs: { daemonSaid(line: string): void; ofDaemon(): readonly string[] };
  readonly timers?: Timers;
}

/** The world as the supervisor of the real app finds it. */
export function supervisorWorld(options: WorldOptions): SupervisorPorts {
  const { electron, directories, entry, env, pid, logger, logs, onView, onDaemon } = options;
  const { dataDir, runtimeDir, runFile, databaseFile } = directories;
  return {
    timers: options.timers ?? systemTimers,
    random: Math.random,
    logger,
    discover: () => discoverDaemon(runFile),
    spawn: utilitySpawner(electron, {
      entry,
      env: childEnvironment(env),
      logger,
      onLine: (line) => logs.daemonSaid(line),
    }),
    startRequest: () => ({ kind: "start", dataDir, runtimeDir, parentPid: pid }),
    startTimeoutMs: () => {
      const bytes = statSync(databaseFile, { throwIfNoEntry: false })?.size ?? 0;
      return START_TIMEOUT_MS + bytes / START_BYTES_PER_MS;
    },
    health: healthOf,
    isAlive: isProcessAlive,
    end: (other, how) => {
      try {
        process.kill(other, how === "politely" ? "SIGTERM" : "SIGKILL");
      } catch (error) {
        logger.warn("the daemon could not be ended", { pid: other, error });
      }
    },
    prepare: async ({ address, adminToken }) => {
      await ensureDefaultScope(new AdminClient({ address, adminToken }));
    },
    lastLines: () => logs.ofDaemon(),
    onView,
    onDaemon,
  };
}
