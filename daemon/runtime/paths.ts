import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import envPaths from "env-paths";
import { IntercomError } from "../../protocol/index.ts";

/** Where one daemon keeps its things. Two spellings of one place give the same values. */
export interface Directories {
  readonly dataDir: string;
  readonly runtimeDir: string;
  readonly databaseFile: string;
  /** Held by the operating system's lock while a daemon uses {@link dataDir}. */
  readonly lockFile: string;
  readonly runFile: string;
  /** What the owner has written down for every start; need not be there. */
  readonly settingsFile: string;
  /** Credentials of connectors by profile, for clients of MCP; need not be there. */
  readonly credentialsFile: string;
  readonly logDir: string;
}

export interface DirectoryOptions {
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly dataDir?: string | undefined;
  readonly runtimeDir?: string | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

const NAME = "agent-intercom";
/** Windows' own tool. */
const ACCESS_LISTS = "icacls";
const DATABASE = "intercom.db";
const LOCK = "daemon.lock";
const RUN = "run.json";
const LOGS = "logs";
const SETTINGS = "settings.json";
const CREDENTIALS = "credentials.json";
/** What marks a directory as one of ours, so that its mode may be changed without asking. */
const OWN_ENTRIES = [DATABASE, LOCK, RUN, `${RUN}.lock`, LOGS, CREDENTIALS];

/** Backups and earlier states carry the name of the database. */
function isOwnEntry(name: string): boolean {
  return OWN_ENTRIES.includes(name) || name.startsWith(`${DATABASE}.`);
}

/** Decides the directories without touching the disk beyond looking. Options come first, then environment, then the OS's custom. */
export function resolveDirectories(options: DirectoryOptions = {}): Directories {
  const env = options.env ?? process.env;
  const platform = options.platform ?? process.platform;
  const dataDir = canonicalPath(options.dataDir || env.AGENT_INTERCOM_DATA_DIR || envPaths(NAME, { suffix: "" }).data);
  const runtimeDir = canonicalPath(
    options.runtimeDir || env.AGENT_INTERCOM_RUNTIME_DIR || defaultRuntimeDir(env, platform),
  );
  return {
    dataDir,
    runtimeDir,
    databaseFile: join(dataDir, DATABASE),
    lockFile: join(dataDir, LOCK),
    runFile: join(runtimeDir, RUN),
    settingsFile: join(dataDir, SETTINGS),
    credentialsFile: join(dataDir, CREDENTIALS),
    logDir: join(dataDir, LOGS),
  };
}

function defaultRuntimeDir(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === "win32") {
    const local = env.LOCALAPPDATA || join(userInfo().homedir, "AppData", "Local");
    return join(local, NAME, "Run");
  }
  // The base directory specification wants relative values ignored.
  const xdg = env.XDG_RUNTIME_DIR;
  if (xdg && isAbsolute(xdg)) return join(xdg, NAME);
  return join(env.TMPDIR || tmpdir(), `${NAME}-${userInfo().uid}`);
}

/**
 * One spelling for one place: absolute, with links in the parent directories resolved. The last part is left as it is, so
 * that {@link ensurePrivateDirectory} sees a link that stands in for the directory itself.
 */
export function canonicalPath(path: string): string {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  if (parent === absolute) return absolute;
  return join(realParent(parent), basename(absolute));
}

function realParent(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realParent(parent), basename(path));
  }
}

/**
 * Makes sure that `path` is a real directory which only the current user can enter, creating it when needed.
 *
 * On Unix it is 0700 afterwards. A directory of the user's own that is open to others is closed when it is empty or already
 * ours; otherwise it is refused, because closing somebody's shared folder would break what they share. On Windows a new
 * directory gets an ACL of its own for the current user; that is best effort, since the per-user locations are private anyway.
 * @throws {IntercomError} `PERMISSION_DENIED` or `INVALID_ARGUMENT` with a sentence that says what to do.
 */
export function ensurePrivateDirectory(path: string): void {
  const created = createDirectory(path);
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) {
    throw refused(`${path} is a symbolic link. Name the directory it points to instead.`);
  }
  if (!stats.isDirectory())
    throw new IntercomError("INVALID_ARGUMENT", `${path} is not a directory. Choose another place.`);
  if (process.platform === "win32") {
    if (created) restrictOnWindows(path);
    return;
  }
  requireOwner(path, stats);
  if ((stats.mode & 0o077) !== 0) tighten(path, stats);
}

function createDirectory(path: string): boolean {
  try {
    return mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // What stands there instead is named by the checks that follow.
    if (code === "EEXIST") return false;
    throw new IntercomError(
      "PERMISSION_DENIED",
      `The directory ${path} cannot be created (${code ?? "unknown error"}). ` +
        "Choose another with --data-dir and --runtime-dir, or AGENT_INTERCOM_DATA_DIR and AGENT_INTERCOM_RUNTIME_DIR.",
      undefined,
      { cause: error },
    );
  }
}

function requireOwner(path: string, stats: Stats): void {
  const uid = process.getuid?.();
  if (uid === undefined || stats.uid === uid) return;
  throw refused(
    `${path} belongs to another user (uid ${stats.uid}, this is uid ${uid}). Choose a directory of your own.`,
  );
}

function tighten(path: string, stats: Stats): void {
  const entries = readdirSync(path);
  // Settings may be written down before the daemon first starts.
  const ours = entries.every((name) => name === SETTINGS) || entries.some(isOwnEntry);
  const shared = (stats.mode & 0o1000) !== 0;
  if (!ours || shared) {
    const mode = (stats.mode & 0o7777).toString(8);
    throw refused(
      `${path} is open to other users (mode ${mode}) and holds files that are not Agent Intercom's. ` +
        `Choose an empty directory, or close it yourself: chmod 700 ${path}`,
    );
  }
  chmodSync(path, 0o700);
}

function restrictOnWindows(path: string): void {
  const { username } = userInfo();
  const account = process.env.USERDOMAIN ? `${process.env.USERDOMAIN}\\${username}` : username;
  try {
    execFileSync(ACCESS_LISTS, [path, "/inheritance:r", "/grant:r", `${account}:(OI)(CI)F`], {
      stdio: "ignore",
      timeout: 2000,
      windowsHide: true,
    });
  } catch {
    // Best effort: see ensurePrivateDirectory.
  }
}

function refused(message: string): IntercomError {
  return new IntercomError("PERMISSION_DENIED", message);
}
