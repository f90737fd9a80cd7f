import { randomBytes } from "node:crypto";
import { DEFAULT_PORT, IntercomError, type OperationName, PROTOCOL_VERSION } from "../protocol/index.ts";
import type { CoreOperation } from "./core/index.ts";
import { DaemonOperations } from "./daemon-operations.ts";
import { type Call, type Clock, Engine, SystemClock, TimeOrderedIds } from "./engine/index.ts";
import { createDoor, type Listening, listen, streamEvents } from "./http/index.ts";
import {
  type DaemonOwner,
  type Directories,
  describePortOwner,
  ensurePrivateDirectory,
  type Logger,
  productVersion,
  type RunFile,
  readRunFile,
  removeRunFile,
  resolveDirectories,
  silentLogger,
  writeRunFile,
} from "./runtime/index.ts";
import { type HeldLock, SqliteStore, tryLock } from "./store/index.ts";

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
  const env = options.env ?? process.env;
  const logger = options.logger ?? silentLogger;
  const directories = resolveDirectories({ env, dataDir: options.dataDir, runtimeDir: options.runtimeDir });
  ensurePrivateDirectory(directories.dataDir);
  ensurePrivateDirectory(directories.runtimeDir);
  // Undone in reverse when a later step fails.
  const undo: (() => void | Promise<void>)[] = [];
  try {
    undo.push(holdLock(directories.lockFile, `The data directory ${directories.dataDir}`, directories).release);
    undo.push(
      holdLock(`${directories.runFile}.lock`, `The runtime directory ${directories.runtimeDir}`, directories).release,
    );
    const store = SqliteStore.open(directories.databaseFile);
    undo.push(() => store.close());
    if (store.report.recovered)
      logger.warn("the last daemon did not stop cleanly; the database was checked and is sound");
    const clock = options.clock ?? new SystemClock();
    const ids = new TimeOrderedIds(() => clock.now());
    const engine = new Engine({ store, clock, ids, logger });
    const identity = {
      instanceId: ids.next("daemon"),
      version: productVersion(),
      startedAt: new Date(clock.now()).toISOString(),
    };
    const adminToken = randomBytes(32).toString("base64url");
    const port = options.port ?? portFromEnvironment(env);
    const { promise: stopped, resolve: resolveStopped, reject: rejectStopped } = Promise.withResolvers<void>();
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= stopEverything(engine, listening, store, directories, identity.instanceId, undo, logger).then(
        resolveStopped,
        rejectStopped,
      );
      return stopped;
    };
    const operations = new DaemonOperations(engine, identity, () => void stop().catch(() => {}));
    const door = createDoor({
      logger,
      adminToken,
      perform: (name, call) => perform(engine, operations, name, call),
      checkAuthority: (name, credentials) => engine.checkAuthority(name, credentials),
      stream: async (_name, call, request, response) => {
        await operations.requireAdmin(call);
        await streamEvents(engine, call, request, response);
      },
    });
    const listening = await listenOrExplain(door, port);
    undo.push(() => listening.close(0));
    engine.start();
    const run: RunFile = {
      address: listening.address,
      pid: process.pid,
      instanceId: identity.instanceId,
      version: identity.version,
      protocolVersion: PROTOCOL_VERSION,
      schema: store.schema,
      startedAt: identity.startedAt,
      owner: options.owner ?? "cli",
      adminToken,
    };
    writeRunFile(directories.runFile, run);
    logger.info("listening", {
      address: listening.address,
      instanceId: identity.instanceId,
      dataDir: directories.dataDir,
    });
    return {
      address: listening.address,
      instanceId: identity.instanceId,
      adminToken,
      runFile: directories.runFile,
      directories,
      stop,
      stopped,
    };
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

async function perform(
  engine: Engine,
  operations: DaemonOperations,
  name: OperationName,
  call: Call,
): Promise<unknown> {
  switch (name) {
    case "health":
    case "liveness":
    case "shutdown":
    case "overview": {
      const leave = engine.admit(name);
      try {
        return await operations[name](call);
      } finally {
        leave();
      }
    }
    default:
      return engine.call(name as CoreOperation, call);
  }
}

function holdLock(file: string, what: string, directories: Directories): HeldLock {
  const lock = tryLock(file);
  if (lock) return lock;
  const reading = readRunFile(directories.runFile);
  const who =
    reading.state === "present"
      ? ` by the daemon at ${reading.run.address} (pid ${reading.run.pid})`
      : " by another daemon";
  throw new IntercomError("CONFLICT", `${what} is in use${who}. Stop it first, or choose other directories.`, {
    reason: "already_running",
    ...(reading.state === "present" ? { address: reading.run.address, pid: reading.run.pid } : {}),
  });
}

function portFromEnvironment(env: NodeJS.ProcessEnv): number {
  const value = env.AGENT_INTERCOM_PORT;
  if (value === undefined || value === "") return DEFAULT_PORT;
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new IntercomError("INVALID_ARGUMENT", `AGENT_INTERCOM_PORT: expected a number from 0 to 65535, got ${value}`);
  }
  return Number(value);
}

async function listenOrExplain(door: Parameters<typeof listen>[0], port: number): Promise<Listening> {
  try {
    return await listen(door, port);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EADDRINUSE") {
      throw new IntercomError(
        "CONFLICT",
        await describePortOwner(port),
        { reason: "port_taken", port },
        { cause: error },
      );
    }
    if (code === "EACCES") {
      throw new IntercomError(
        "PERMISSION_DENIED",
        `Port ${port} may not be used by this user. Choose another with --port.`,
        { port },
      );
    }
    throw error;
  }
}

async function stopEverything(
  engine: Engine,
  listening: Listening,
  store: SqliteStore,
  directories: Directories,
  instanceId: string,
  undo: (() => void | Promise<void>)[],
  logger: Logger,
): Promise<void> {
  logger.info("stopping", { instanceId });
  const closed = listening.close(STOP_GRACE_MS);
  engine.stop();
  await closed;
  await store.close();
  removeRunFile(directories.runFile, instanceId);
  // The locks, last: nobody may take over before everything is on disk.
  for (const release of undo.slice(0, 2).reverse()) await release();
  logger.info("stopped", { instanceId });
}
