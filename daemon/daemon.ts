import { randomBytes } from "node:crypto";
import { PROTOCOL_VERSION } from "../protocol/index.ts";
import { createA2aDoor } from "./a2a/index.ts";
import { Background } from "./background/index.ts";
import { claimDirectory, claimPort } from "./claims.ts";
import { Cleanup } from "./cleanup.ts";
import { DaemonOperations } from "./daemon-operations.ts";
import { type Clock, Engine, SystemClock, TimeOrderedIds } from "./engine/index.ts";
import { createDoor, type Dialect, type DoorServices, ownDialect, streamEvents } from "./http/index.ts";
import { createMcpMount, type McpMount } from "./mcp/index.ts";
import { octoberBusDialect } from "./october-bus/index.ts";
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
import { ScopeStorage } from "./scope-storage.ts";
import { type DaemonSettings, resolveSettings } from "./settings.ts";
import { readSettingsFile } from "./settings-file.ts";
import { removeTemporaryFiles, SqliteStore } from "./store/index.ts";
import { Transfers } from "./transfers.ts";
import { createUiDoor, defaultUiDirectory } from "./ui/index.ts";
import { whileAdmin } from "./while-admin.ts";

export interface DaemonOptions {
  /** Where data lives; by default what the environment or the operating system says. */
  readonly dataDir?: string | undefined;
  /** Where the run file lives. */
  readonly runtimeDir?: string | undefined;
  /** TCP port on loopback, 0 for a free one. Default: `AGENT_INTERCOM_PORT`, else the settings file, else 4766. */
  readonly port?: number | undefined;
  /** Port for clients of October Bus 0.1. Default: `AGENT_INTERCOM_OCTOBER_BUS_PORT`, else the settings file, else none. */
  readonly octoberBusPort?: number | undefined;
  readonly owner?: DaemonOwner | undefined;
  readonly logger?: Logger | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly clock?: Clock | undefined;
  /** Where the built user interface for browsers is. Default: where building puts it. */
  readonly uiDir?: string | undefined;
  /** Wins over the settings file. */
  readonly settings?: Partial<Omit<DaemonSettings, "port" | "octoberBusPort">> | undefined;
}

/** A daemon that is ready. */
export interface Daemon {
  readonly address: string;
  /** Where clients of October Bus 0.1 find it, when they may. */
  readonly octoberBusAddress: string | undefined;
  readonly instanceId: string;
  readonly version: string;
  /** Version of the database schema. */
  readonly schema: number;
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

  // Before anything is touched: with settings that are wrong the daemon does not start.
  const { port, octoberBusPort } = options;
  const given = { ...options.settings, port, octoberBusPort };
  const settings = resolveSettings(given, env, readSettingsFile(directories.settingsFile));
  removeTemporaryFiles(directories.dataDir);
  const store = SqliteStore.open(directories.databaseFile, clock.now());
  cleanup.add(() => store.close());
  reportOpening(store, logger);

  const { promise: stopped, resolve, reject } = Promise.withResolvers<void>();
  // Nobody has to look at `stopped` for a failure to be theirs: `stop` throws it as well.
  stopped.catch(() => {});
  const stop = () => {
    cleanup.run().then(resolve, reject);
    return stopped;
  };
  const outside = { ...settings, publicUrl: settings.publicUrl ?? "", version: identity.version };
  const engine = new Engine({ store, clock, ids, logger, outside });
  const background = new Background(store, clock, directories.dataDir);
  const storage = new ScopeStorage(engine, background);
  const transfers = new Transfers(engine, background);
  const operations = new DaemonOperations(engine, storage, identity, {
    get address() {
      return own.address;
    },
    requestStop: () => void stop(),
  });
  const services: Pick<DoorServices, "logger" | "perform" | "checkAuthority"> = {
    logger,
    perform: (name, call) => operations.perform(name, call),
    checkAuthority: (name, credentials) => engine.checkAuthority(name, credentials),
  };
  const a2a = createA2aDoor({ ...services, engine });
  const ui = createUiDoor({ engine, logger, directory: options.uiDir ?? defaultUiDirectory() });
  const mcpMounts: McpMount[] = [];
  const doorFor = (dialect: Dialect) => {
    const isOwn = dialect === ownDialect;
    const serverInfo = { name: dialect.name, version: identity.version };
    const mcp = createMcpMount({ ...services, engine, dialect, serverInfo });
    mcpMounts.push(mcp);
    return createDoor({
      ...services,
      adminToken,
      dialect,
      withSessions: isOwn,
      mounts: {
        get: (path) => (path === "/mcp" ? mcp.mount : (a2a.mountAt(path) ?? (isOwn ? ui.mountAt(path) : undefined))),
      },
      allowedOrigins: settings.allowedOrigins,
      direct: {
        ...a2a.direct,
        exportScope: transfers.exportScope,
        importScope: transfers.importScope,
        backup: transfers.backup,
        watchAllEvents: async (call, request, response) => {
          const signal = await whileAdmin(engine, call);
          await streamEvents(engine, { ...call, signal }, request, response);
        },
      },
    });
  };
  const own = await claimPort(doorFor(ownDialect), settings.port);
  const listeners = [own];
  cleanup.add(async () => {
    logger.info("stopping", { instanceId: identity.instanceId });
    const closed = Promise.all(listeners.map((listener) => listener.close(STOP_GRACE_MS)));
    // Answers the calls that wait, which lets the connections close.
    engine.stop();
    storage.stop();
    await Promise.all([background.stop(), ...mcpMounts.map((mcp) => mcp.close())]);
    await closed;
    await transfers.ended();
  });
  const { address } = own;
  outside.publicUrl ||= address;
  let octoberBusAddress: string | undefined;
  if (settings.octoberBusPort !== undefined) {
    const guests = await claimPort(doorFor(octoberBusDialect), settings.octoberBusPort, "--october-bus-port");
    listeners.push(guests);
    octoberBusAddress = guests.address;
  }
  engine.start();
  writeRunFile(directories.runFile, {
    ...identity,
    address,
    ...(octoberBusAddress === undefined ? {} : { octoberBusAddress }),
    pid: process.pid,
    protocolVersion: PROTOCOL_VERSION,
    schema: store.schema,
    owner: options.owner ?? "cli",
    adminToken,
  });
  logger.info("listening", {
    address,
    octoberBusAddress,
    instanceId: identity.instanceId,
    dataDir: directories.dataDir,
  });
  const { instanceId, version } = identity;
  const { runFile } = directories;
  const { schema } = store;
  return { address, octoberBusAddress, instanceId, version, schema, adminToken, runFile, directories, stop, stopped };
}

function reportOpening({ report: { recovered, migration, replaced }, schema }: SqliteStore, logger: Logger): void {
  if (replaced) logger.warn("a restore that was cut off has been finished", { previousData: replaced });
  if (recovered) logger.warn("the last daemon did not stop cleanly; the database was checked and is sound");
  if (migration?.backup) {
    logger.info("the data was brought up to date", { from: migration.from, to: schema, backup: migration.backup });
  }
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
