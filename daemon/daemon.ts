import { randomBytes } from "node:crypto";
import { PROTOCOL_VERSION } from "../protocol/index.ts";
import { claimDirectory, claimPort, portFromEnvironment } from "./claims.ts";
import { Cleanup } from "./cleanup.ts";
import { requireAdmin } from "./core/index.ts";
import { DaemonOperations } from "./daemon-operations.ts";
import { type Clock, Engine, SystemClock, TimeOrderedIds } from "./engine/index.ts";
import { createDoor, streamEvents } from "./http/index.ts";
import {
  type DaemonOwner,
  type Directories,
  ensurePrivateDirectory,
  type Logger,
  productVersion,
  removeRunFile,
  resolveDirectories,
  silentLogger,
  writeRunFile,
} from "./runtime/index.ts";
import { SqliteStore } from "./store/index.ts";

export interface DaemonOptions {
  /** Where data lives; by default what the environment or the operating system says. */
  readonly dataDir?: string | undefined;
  /** Where the run file lives. */
  readonly runtimeDir?: string | undefined;
  /** TCP port on loopback, 0 for a free one. Default: `AGENT_INTERCOM_PORT`, else 4766. */
  readonly port?: number | undefined;
  readonly owner?: DaemonOwner | undefined;
  readonly logger?: Logger | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly clock?: Clock | undefined;
}

/** A daemon that is ready. */
export interface Daemon {
  readonly address: string;
  readonly instanceId: string;
  readonly adminToken: string;
  readonly runFile: string;
  readonly directories: Directories;
  /** Stops gracefully: ends waits, finishes running calls, closes storage, removes the run file. Repeatable. */
  stop(): Promise<void>;
  /** Resolves when the daemon has stopped, whoever asked for it. */
  readonly stopped: Promise<void>;
}

/** How long running calls may take to finish when the daemon stops. */
const STOP_GRACE_MS = 3000;

/**
 * Starts a daemon in this process: takes the lock on the data directory, opens the store, listens on loopback, and
 * leaves the run file through which its owner's programs find it.
 * @throws {IntercomError} CONFLICT when another daemon has the directory or the port, or the data is of a newer version
 */
export async function startDaemon(options: DaemonOptions = {}): Promise<Daemon> {
  const cleanup = new Cleanup();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

async function start(options: DaemonOptions, cleanup: Cleanup): Promise<Daemon> {
  const env = options.env ?? process.env;
  const logger = options.logger ?? silentLogger;
  const clock = options.clock ?? new SystemClock();
  const ids = new TimeOrderedIds(() => clock.now());
  const identity = {
    instanceId: ids.next("daemon"),
    version: productVersion(),
    startedAt: new Date(clock.now()).toISOString(),
  };
  const adminToken = randomBytes(32).toString("base64url");
  const directories = claimDirectories(options, env, cleanup);
  // Comes after the store is closed: whoever waits for the file to vanish may then rely on the data.
  cleanup.add(() => void removeRunFile(directories.runFile, identity.instanceId));

  const store = SqliteStore.open(directories.databaseFile);
  cleanup.add(() => store.close());
  if (store.report.recovered) {
    logger.warn("the last daemon did not stop cleanly; the database was checked and is sound");
  }

  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
  // Nobody has to look at `stopped` for a failure to be theirs: `stop` throws it as well.
  stopped.catch(() => {});
  const stop = () => {
    cleanup.run().then(resolve, reject);
    return stopped;
  };
  const engine = new Engine({ store, clock, ids, logger });
  const operations = new DaemonOperations(engine, identity, () => void stop());
  const door = createDoor({
    logger,
    adminToken,
    perform: (name, call) => operations.perform(name, call),
    checkAuthority: (name, credentials) => engine.checkAuthority(name, credentials),
    stream: async (call, request, response) => {
      requireAdmin(call.credentials);
      await streamEvents(engine, call, request, response);
    },
  });
  const listening = await claimPort(door, options.port ?? portFromEnvironment(env));
  cleanup.add(async () => {
    logger.info("stopping", { instanceId: identity.instanceId });
    const closed = listening.close(STOP_GRACE_MS);
    // Answers the calls that wait, which lets the connections close.
    engine.stop();
    await closed;
  });
  engine.start();

  const { address } = listening;
  writeRunFile(directories.runFile, {
    ...identity,
    address,
    pid: process.pid,
    protocolVersion: PROTOCOL_VERSION,
    schema: store.schema,
    owner: options.owner ?? "cli",
    adminToken,
  });
  logger.info("listening", { address, instanceId: identity.instanceId, dataDir: directories.dataDir });
  const { instanceId } = identity;
  return { address, instanceId, adminToken, runFile: directories.runFile, directories, stop, stopped };
}

function claimDirectories(options: DaemonOptions, env: NodeJS.ProcessEnv, cleanup: Cleanup): Directories {
  const directories = resolveDirectories({ env, dataDir: options.dataDir, runtimeDir: options.runtimeDir });
  const { dataDir, runtimeDir, lockFile, runFile } = directories;
  ensurePrivateDirectory(dataDir);
  ensurePrivateDirectory(runtimeDir);
  cleanup.add(claimDirectory(lockFile, `The data directory ${dataDir}`, directories).release);
  cleanup.add(claimDirectory(`${runFile}.lock`, `The runtime directory ${runtimeDir}`, directories).release);
  return directories;
}
