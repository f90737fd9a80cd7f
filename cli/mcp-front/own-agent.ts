import { AdminClient, AgentSession, type ScopeClient } from "../../client/index.ts";
import type { RunFile } from "../../daemon/runtime/run-file.ts";
import { type AgentMetadata, isIntercomError } from "../../protocol/index.ts";
import { type DaemonOptions, requireDaemon } from "../daemon-process/require-daemon.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Keeper } from "./kept-agent.ts";

export interface OwnAgentOptions extends DaemonOptions {
  readonly scopeId: string;
  /** What the agent is called; more of them at a time get `-2`, `-3` and so on. */
  readonly name: string;
  readonly metadata: AgentMetadata;
  readonly tools: string | undefined;
}

/** A client that dies without a word is gone from the lists after this long. */
const LEASE_MS = 60_000;
/** Windows of one client in one project. */
const MAX_AGENTS = 64;

/** Registers the client as an agent of its project's scope, with the credential of this user's daemon. */
export function ownAgent(options: OwnAgentOptions): Keeper<RunFile> {
  return {
    find: () => requireDaemon(options),
    begin: (run, former) => register(options, run, former),
    givesWay: false,
    tools: options.tools,
  };
}

/** Registers under the first name nobody is running, or once more under one that was ours. */
async function register(options: OwnAgentOptions, run: RunFile, formerId?: string): Promise<AgentSession> {
  const admin = new AdminClient({ address: run.address, adminToken: run.adminToken });
  await ensureScope(admin, options.scopeId);
  const scope = admin.scope(options.scopeId);
  const names = Array.from({ length: MAX_AGENTS }, (_, index) =>
    index === 0 ? options.name : `${options.name}-${index + 1}`,
  );
  const before = formerId ?? (await agentOfSession(scope, names, options.metadata.sessionId));
  for (const id of before === undefined ? names : [before, ...names]) {
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
  throw new CliError(`${MAX_AGENTS} agents called ${options.name} are running already.`, {
    exitCode: EXIT.busy,
    code: "NO_NAME",
  });
}

/** Who a session that is resumed was before, when nobody has come under that name since. */
async function agentOfSession(
  scope: ScopeClient,
  names: readonly string[],
  sessionId: string | undefined,
): Promise<string | undefined> {
  if (sessionId === undefined) return undefined;
  const agents = await scope.listAgents();
  return agents.find(({ id, metadata }) => metadata?.sessionId === sessionId && names.includes(id))?.id;
}

/** The project's scope, made by whoever comes first. Everybody in it may talk to everybody. */
async function ensureScope(admin: AdminClient, scopeId: string): Promise<void> {
  try {
    await admin.createScope({ id: scopeId, linkPolicy: "open" });
  } catch (error) {
    if (!isIntercomError(error, "CONFLICT")) throw error;
  }
}
