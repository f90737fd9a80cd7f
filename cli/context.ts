import { DEFAULT_SCOPE, ensureDefaultScope } from "../client/first-scope.ts";
import { AdminClient, AgentClient, OutputClient, ScopeClient } from "../client/index.ts";
import { type Directories, resolveDirectories } from "../daemon/runtime/paths.ts";
import { type RunFile, type RunFileReading, readRunFile } from "../daemon/runtime/run-file.ts";
import type { GlobalOptions, Invocation } from "./command.ts";
import { CliError, notRunning, usageError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import type { Printer } from "./output/printer.ts";
import { escapeForTerminal } from "./output/text.ts";

/** The owner's view of one scope. */
export interface Owner {
  readonly client: ScopeClient;
  readonly scopeId: string;
}

/** Finds the daemon, the credential to use and the scope, for one run of the command. */
export class Context {
  readonly io: Io;
  readonly out: Printer;
  readonly options: GlobalOptions;
  #reading: RunFileReading | undefined;

  constructor({ io, out, options }: Invocation) {
    this.io = io;
    this.out = out;
    this.options = options;
  }

  get directories(): Directories {
    return resolveDirectories({ env: this.io.env, runtimeDir: this.options.runtimeDir });
  }

  get runFilePath(): string {
    return this.directories.runFile;
  }

  runFile(): RunFileReading {
    this.#reading ??= readRunFile(this.runFilePath);
    return this.#reading;
  }

  /**
   * Where the daemon listens: `--address`, then the environment, then the run file.
   * @throws {CliError} When there is none, or the run file cannot be trusted.
   */
  address(): string {
    return this.givenAddress() ?? this.#trustedRun().address;
  }

  /** Where the caller says the daemon is, if it does. */
  givenAddress(): string | undefined {
    return this.options.address || this.io.env.AGENT_INTERCOM_ADDRESS || undefined;
  }

  /** Where the same daemon listens for clients of October Bus 0.1, as far as its run file tells. */
  octoberBusAddress(): string | undefined {
    const reading = this.runFile();
    if (reading.state !== "present" || reading.run.address !== this.address()) return undefined;
    return reading.run.octoberBusAddress;
  }

  /** The agent this shell acts as, when `agent run` or a launcher gave it a token. */
  agent(): AgentClient | undefined {
    const agentToken = this.io.env.AGENT_INTERCOM_AGENT_TOKEN;
    return agentToken ? new AgentClient({ ...this.#connection(), agentToken }) : undefined;
  }

  /** Who this shell is when it was given a credential of an output stream. */
  outputHolder(): OutputClient | undefined {
    const credential = this.io.env.AGENT_INTERCOM_OUTPUT_CREDENTIAL;
    return credential ? new OutputClient({ ...this.#connection(), credential }) : undefined;
  }

  /** @throws {CliError} That says how to come by a token. */
  requireAgent(action: string): AgentClient {
    const agent = this.agent();
    if (agent) return agent;
    throw new CliError(`Only an agent can ${action}, and this shell is none: AGENT_INTERCOM_AGENT_TOKEN is not set.`, {
      exitCode: EXIT.denied,
      code: "NO_AGENT",
      hint: "Run the program as an agent; it gets the token in its environment:\n  agent-intercom agent run --id worker --name Worker -- your-command",
    });
  }

  /** @throws {CliError} When this shell has no admin credential, or belongs to an agent. */
  admin(): AdminClient {
    const adminToken = this.#adminToken();
    if (adminToken) return new AdminClient({ ...this.#connection(), adminToken });
    this.#refuseAgentShell();
    throw new CliError("There is no admin credential for this daemon.", {
      exitCode: EXIT.denied,
      code: "NO_CREDENTIAL",
      hint: "Set AGENT_INTERCOM_ADMIN_TOKEN, or leave out --address and AGENT_INTERCOM_ADDRESS to use the daemon of this user.",
    });
  }

  /** The credential {@link admin} acts with. @throws {CliError} like it */
  adminToken(): string {
    this.admin();
    return this.#adminToken() as string;
  }

  /** The owner of the scope that is meant. With `create` a first scope is made when there is none. */
  async owner(options: { create?: boolean } = {}): Promise<Owner> {
    const scopeToken = this.io.env.AGENT_INTERCOM_SCOPE_TOKEN;
    if (scopeToken && !this.io.env.AGENT_INTERCOM_ADMIN_TOKEN) return this.#ownerByToken(scopeToken);
    const admin = this.admin();
    const scopeId = this.#givenScope() ?? (await onlyScope(admin, options.create ?? false));
    return { client: admin.scope(scopeId), scopeId };
  }

  /** For what owner and agent may both do: the agent when this shell is one, else the owner. */
  async ownerOrAgent(options: { create?: boolean } = {}): Promise<ScopeClient | AgentClient> {
    return this.agent() ?? (await this.owner(options)).client;
  }

  /** Every owner credential this command knows of, so that it can be kept away from others. */
  ownerSecrets(): string[] {
    const { env } = this.io;
    const reading = this.runFile();
    const secrets = [env.AGENT_INTERCOM_ADMIN_TOKEN, env.AGENT_INTERCOM_SCOPE_TOKEN];
    if (reading.state === "present") secrets.push(reading.run.adminToken);
    return secrets.filter((secret) => secret !== undefined);
  }

  /** True where owner commands would be an agent acting above its head. */
  isAgentShell(): boolean {
    const { env } = this.io;
    return Boolean(
      env.AGENT_INTERCOM_AGENT_TOKEN && !env.AGENT_INTERCOM_ADMIN_TOKEN && !env.AGENT_INTERCOM_SCOPE_TOKEN,
    );
  }

  async #ownerByToken(scopeToken: string): Promise<Owner> {
    const client = new ScopeClient({ ...this.#connection(), scopeToken });
    const { scopeId } = await client.getScope();
    const wanted = this.options.scope;
    if (wanted === undefined || wanted === scopeId) return { client, scopeId };
    throw new CliError(`AGENT_INTERCOM_SCOPE_TOKEN belongs to the scope ${scopeId}, not to ${wanted}.`, {
      exitCode: EXIT.denied,
      code: "OTHER_SCOPE",
      hint: "Leave out --scope, or unset the variable to act with this user's own credential.",
    });
  }

  #adminToken(): string | undefined {
    if (this.io.env.AGENT_INTERCOM_ADMIN_TOKEN) return this.io.env.AGENT_INTERCOM_ADMIN_TOKEN;
    if (this.isAgentShell()) return undefined;
    const given = this.givenAddress();
    if (given === undefined) return this.#trustedRun().adminToken;
    // The credential of this user's daemon goes to that daemon and to nobody else.
    const reading = this.runFile();
    const wanted = URL.parse(given)?.origin;
    if (reading.state !== "present" || wanted === undefined) return undefined;
    const { address, octoberBusAddress = address, adminToken } = reading.run;
    const own = [address, octoberBusAddress].map((each) => URL.parse(each)?.origin);
    return own.includes(wanted) ? adminToken : undefined;
  }

  #refuseAgentShell(): void {
    if (!this.isAgentShell()) return;
    throw new CliError(
      "This is for the owner, and this shell belongs to an agent (AGENT_INTERCOM_AGENT_TOKEN is set).",
      {
        exitCode: EXIT.denied,
        code: "AGENT_SHELL",
        hint: "An agent cannot answer its own questions or manage others. Run this in a terminal of your own.",
      },
    );
  }

  #givenScope(): string | undefined {
    return this.options.scope || this.io.env.AGENT_INTERCOM_SCOPE || undefined;
  }

  #trustedRun(): RunFile {
    const reading = this.runFile();
    if (reading.state === "present") return reading.run;
    if (reading.state === "absent") throw notRunning();
    throw new CliError(`The run file cannot be trusted: ${reading.reason}.`, {
      exitCode: EXIT.denied,
      code: "UNTRUSTED_RUN_FILE",
      hint: "Find out who made it, remove it, and start the daemon again. agent-intercom doctor shows details.",
    });
  }

  #connection(): { address: string; retries: number } {
    return { address: this.address(), retries: 1 };
  }
}

async function onlyScope(admin: AdminClient, create: boolean): Promise<string> {
  const scopes = await admin.listScopes();
  const [first] = scopes;
  if (first && scopes.length === 1) return first.scopeId;
  if (first) {
    const names = scopes.map(({ scopeId }) => escapeForTerminal(scopeId));
    throw usageError(
      `There are ${scopes.length} scopes, so name the one you mean with --scope or AGENT_INTERCOM_SCOPE.`,
      `Scopes: ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", ..." : ""}`,
    );
  }
  if (create) return (await ensureDefaultScope(admin)) ?? DEFAULT_SCOPE;
  throw new CliError("There is no scope yet.", {
    exitCode: EXIT.notFound,
    code: "NO_SCOPE",
    hint: "Create one with: agent-intercom scope create",
  });
}
