import {
  apply,
  backupsOf,
  buildEntry,
  type ClientProfile,
  ConnectError,
  type ConnectErrorCode,
  clients,
  configFile,
  detect,
  type Environment,
  findClient,
  freshEntry,
  inspect,
  type Launcher,
  planConnect,
  planRemove,
  snippet,
  undo,
} from "../../connect/index.ts";
import { isGood, readEvidence } from "../../harness/evidence.ts";
import type { ConnectableClient, ConnectOutcome } from "../../protocol/desktop/index.ts";
import { type ErrorCode, IntercomError } from "../../protocol/errors.ts";

export interface ClientsOptions {
  readonly environment: Environment;
  /** How clients start our command; undefined where it is not installed. */
  launcher(): Launcher | undefined;
  /** Base address of the daemon. */
  address(): string;
  readonly dataDir: string;
  /** Where the daemon leaves its run file. */
  readonly runtimeDir: string;
  /** Whether that is another place than clients would look in. */
  readonly isRuntimeDirChosen: boolean;
  readonly now: () => number;
}

const INSTALL_FIRST = "Install the command first: npm install -g agent-intercom";
/** What the snippet names where the command is not installed yet. */
const AS_INSTALLED: Readonly<Record<Environment["platform"], Launcher>> = {
  linux: { command: "/usr/local/bin/agent-intercom" },
  darwin: { command: "/usr/local/bin/agent-intercom" },
  win32: { command: "C:\\Program Files\\nodejs\\agent-intercom.cmd" },
};

/** MCP clients of this machine, and our entry in their own configuration. Always the user's, never a project's. */
export class ConnectableClients {
  readonly #options: ClientsOptions;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  /** Those that are installed come first. */
  list(): ConnectableClient[] {
    const all = clients.map((profile) => this.#describe(profile));
    return [...all.filter(({ installed }) => installed), ...all.filter(({ installed }) => !installed)];
  }

  /** @throws {IntercomError} with the reason of the configuration's in `details.reason` */
  connect(id: string): ConnectOutcome {
    const { launcher, environment, now } = this.#options;
    const profile = requireClient(id);
    if (!launcher()) throw new IntercomError("NOT_FOUND", INSTALL_FIRST, { reason: "command_missing" });
    return asIntercomErrors(() => {
      const file = configFile(profile, "user", environment);
      const { plan } = apply(() => planConnect(profile, file, this.#entry(profile)), now());
      const path = shortPath(file, environment);
      return {
        client: this.#describe(profile),
        summary:
          plan.action === "none"
            ? `${profile.name} was connected already in ${path}. Nothing was changed.`
            : `${profile.name} is connected. The entry is in ${path}; nothing else in it was touched.`,
        next: plan.action === "none" ? [] : [profile.activate, profile.approval],
      };
    });
  }

  /** Takes back the latest change, or where there was more since only our entry. Throws as {@link connect} does. */
  undo(id: string): ConnectOutcome {
    const { environment, now } = this.#options;
    const profile = requireClient(id);
    return asIntercomErrors(() => {
      const file = configFile(profile, "user", environment);
      const path = shortPath(file, environment);
      let summary = `${path} is as it was before.`;
      try {
        if (undo(profile, file).action === "deleted") summary = `${path}, which held nothing else, was deleted.`;
      } catch (error) {
        const code = error instanceof ConnectError ? error.code : undefined;
        if (code !== "CHANGED_SINCE" && code !== "NO_BACKUP") throw error;
        const { plan } = apply(() => planRemove(profile, file), now());
        summary =
          plan.action === "none"
            ? `${profile.name} was not connected in ${path}. Nothing was changed.`
            : `Our entry was removed from ${path}; everything else in it stays.`;
      }
      const next = [`What runs in ${profile.name} now may go on with what it has read; start it anew.`];
      return { client: this.#describe(profile), summary, next };
    });
  }

  #describe(profile: ClientProfile): ConnectableClient {
    const { environment, dataDir, launcher } = this.#options;
    const evidence = readEvidence(dataDir).get(profile.id);
    const { file, state, note } = this.#look(profile);
    return {
      id: profile.id,
      title: profile.name,
      installed: detect(profile, environment).found,
      state,
      ...(file === undefined ? {} : { file }),
      snippet: { language: profile.format, text: snippet(profile, freshEntry(this.#entry(profile))) },
      ...(evidence && isGood(evidence) ? { verifiedAt: evidence.date } : {}),
      notes: [...(launcher() ? [] : [INSTALL_FIRST]), ...(note ? [note] : []), ...profile.notes],
      canUndo: state === "connected" || (file !== undefined && backupsOf(file).length > 0 && state === "differs"),
    };
  }

  #look(profile: ClientProfile): Pick<ConnectableClient, "file" | "state"> & { readonly note?: string } {
    const { environment } = this.#options;
    let file: string | undefined;
    try {
      file = configFile(profile, "user", environment);
      const connection = inspect(profile, file);
      if (connection.state === "absent") return { file, state: "absent" };
      if (connection.state === "taken") {
        const whose = connection.by === "foreign" ? "is not ours" : "was made for another client";
        return { file, state: "differs", note: `There is an entry of our name that ${whose}.` };
      }
      if (connection.isOff) return { file, state: "connected", note: "The server is switched off there." };
      const isAsWritten = planConnect(profile, file, this.#entry(profile)).action === "none";
      return { file, state: isAsWritten ? "connected" : "differs" };
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      return { ...(file === undefined ? {} : { file }), state: "unreadable", note: error.message };
    }
  }

  #entry(profile: ClientProfile) {
    const { environment, launcher, address, runtimeDir, isRuntimeDirChosen } = this.#options;
    // Its usual place depends on variables that not every client hands on to what it starts.
    const isNeeded = isRuntimeDirChosen || profile.stdio.environment !== "sufficient";
    return buildEntry(profile, "stdio", {
      platform: environment.platform,
      launcher: launcher() ?? AS_INSTALLED[environment.platform],
      address: address(),
      runtimeDir: isNeeded ? runtimeDir : undefined,
    });
  }
}

function requireClient(id: string): ClientProfile {
  const profile = findClient(id);
  if (!profile) throw new IntercomError("NOT_FOUND", `client: there is no client ${id}`);
  return profile;
}

function shortPath(path: string, { homedir, platform }: Environment): string {
  const separator = platform === "win32" ? "\\" : "/";
  return path.startsWith(homedir + separator) ? `~${path.slice(homedir.length)}` : path;
}

const CODES: Readonly<Record<ConnectErrorCode, ErrorCode>> = {
  BROKEN_FILE: "CONFLICT",
  UNEDITABLE: "CONFLICT",
  FOREIGN_ENTRY: "CONFLICT",
  CHANGED_MEANWHILE: "CONFLICT",
  CHANGED_SINCE: "CONFLICT",
  NO_BACKUP: "NOT_FOUND",
  NOT_OFFERED: "INVALID_ARGUMENT",
  UNWRITABLE: "PERMISSION_DENIED",
};

function asIntercomErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const details = { reason: error.code.toLowerCase() };
    throw new IntercomError(CODES[error.code], error.message, details, { cause: error });
  }
}
