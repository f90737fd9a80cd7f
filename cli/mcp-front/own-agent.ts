import { setTimeout as sleep } from "node:timers/promises";
import { AdminClient, AgentSession } from "../../client/index.ts";
import type { Directories } from "../../daemon/runtime/paths.ts";
import type { RunFile } from "../../daemon/runtime/run-file.ts";
import { type AgentMetadata, isIntercomError } from "../../protocol/index.ts";
import { startInBackground } from "../daemon-process/background.ts";
import { findRunning } from "../daemon-process/running.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Identity } from "./identity.ts";

export interface OwnAgentOptions {
  readonly directories: Directories;
  readonly env: NodeJS.ProcessEnv;
  readonly scopeId: string;
  /** What the agent is called; more of them at a time get `-2`, `-3` and so on. */
  readonly name: string;
  readonly metadata: AgentMetadata;
  /** A daemon is started when none runs. */
  readonly mayStart: boolean;
}

/** A client that dies without a word is gone from the lists after this long. */
const LEASE_MS = 60_000;
/** How long to insist on a daemon while somebody else is starting or ending one, and how often to look, ms. */
const START_MS = 10_000;
const LOOK_MS = 200;
/** Windows of one client in one project. */
const MAX_AGENTS = 64;

/** An agent of the front's own: registered for this client, kept while it lives, retired with it. */
export class OwnAgent implements Identity {
  readonly #options: OwnAgentOptions;
  #run: RunFile;
  #session: AgentSession;
  #renewing: Promise<boolean> | undefined;

  private constructor(options: OwnAgentOptions, run: RunFile, session: AgentSession) {
    this.#options = options;
    this.#run = run;
    this.#session = session;
  }

  /** @throws {CliError} when there is no daemon and none may be started */
  static async start(options: OwnAgentOptions): Promise<OwnAgent> {
    const run = await requireDaemon(options);
    return new OwnAgent(options, run, await register(options, run));
  }

  get address(): string {
    return this.#run.address;
  }

  get token(): string {
    return this.#session.agentToken;
  }

  renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<boolean> {
    const run = await requireDaemon(this.#options);
    const same = run.address === this.#run.address;
    const stillCurrent =
      same &&
      (await this.#session.client.whoAmI().then(
        () => true,
        () => false,
      ));
    this.#run = run;
    if (stillCurrent) return true;
    const { agentId } = this.#session;
    await this.#session.close();
    this.#session = await register(this.#options, run, agentId);
    return true;
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

async function requireDaemon(options: OwnAgentOptions): Promise<RunFile> {
  const { directories, env } = options;
  for (let waitedMs = 0; waitedMs < START_MS; waitedMs += LOOK_MS) {
    const running = await findRunning(directories.runFile);
    if (running.state === "running") return running.run;
    if (running.state === "untrusted") throw refused(`The run file cannot be trusted: ${running.reason}.`);
    if (!options.mayStart) throw refused("The daemon is not running. Start it with: agent-intercom start");
    await startInBackground({ directories, env }).catch(async (error: unknown) => {
      if (!(error instanceof CliError) || error.details?.reason !== "already_running") throw error;
      // Another window is starting one, or the last one is still letting go of its files.
      await sleep(LOOK_MS);
    });
  }
  throw refused("The daemon does not start. Look at it with: agent-intercom doctor");
}

function refused(message: string): CliError {
  return new CliError(message, { exitCode: EXIT.notRunning, code: "NO_DAEMON" });
}

/** Registers under the first name nobody is running, or once more under one that was ours. */
async function register(options: OwnAgentOptions, run: RunFile, formerId?: string): Promise<AgentSession> {
  const admin = new AdminClient({ address: run.address, adminToken: run.adminToken });
  await ensureScope(admin, options.scopeId);
  const scope = admin.scope(options.scopeId);
  const names = Array.from({ length: MAX_AGENTS }, (_, index) =>
    index === 0 ? options.name : `${options.name}-${index + 1}`,
  );
  for (const id of formerId === undefined ? names : [formerId, ...names]) {
    try {
      return await AgentSession.start({
        scope,
        registration: {
          id,
          displayName: id,
          leaseMs: LEASE_MS,
          metadata: options.metadata,
          unlessRunning: id !== formerId,
        },
        initialLifecycle: "working",
        initialReady: false,
      });
    } catch (error) {
      if (!isIntercomError(error, "CONFLICT") || error.details?.reason !== "running") throw error;
    }
  }
  throw refused(`${MAX_AGENTS} agents called ${options.name} are running already.`);
}

/** The project's scope, made by whoever comes first. Everybody in it may talk to everybody. */
async function ensureScope(admin: AdminClient, scopeId: string): Promise<void> {
  try {
    await admin.createScope({ id: scopeId, linkPolicy: "open" });
  } catch (error) {
    if (!isIntercomError(error, "CONFLICT")) throw error;
  }
}
