import { lstatSync, type Stats, statfsSync } from "node:fs";
import type { Directories } from "../../daemon/runtime/paths.ts";
import { bytes } from "../output/text.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const OLDEST_NODE = [22, 18] as const;
const NODE_MEANT = 24;
const MIB = 1024 * 1024;

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    return fail(
      "node",
      `Node ${version}`,
      `Agent Intercom needs Node ${OLDEST_NODE.join(".")} or newer.`,
      `Install Node ${NODE_MEANT}.`,
    );
  }
  return ok("node", `Node ${version}`);
}

/** The directories and who may enter them. */
export function checkDirectories({ dataDir, runtimeDir }: Pick<Directories, "dataDir" | "runtimeDir">): Finding[] {
  return [
    checkDirectory("data-directory", "Data directory", dataDir),
    checkDirectory("runtime-directory", "Runtime directory", runtimeDir),
  ];
}

function checkDirectory(check: string, name: string, path: string): Finding {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return ok(check, `${name} ${path} is made when the daemon starts`);
    return fail(
      check,
      `${name} ${path} cannot be looked at`,
      "The daemon cannot use it either.",
      "Check who owns the directories above it.",
    );
  }
  if (stats.isSymbolicLink()) {
    return fail(
      check,
      `${name} ${path} is a symbolic link`,
      "Whoever made the link decides where the data goes.",
      "Name the real directory instead.",
    );
  }
  if (!stats.isDirectory())
    return fail(check, `${name} ${path} is not a directory`, "The daemon cannot start.", "Choose another place.");
  if (process.platform === "win32") return ok(check, `${name} ${path}`);
  if (stats.uid !== process.getuid?.()) {
    return fail(
      check,
      `${name} ${path} belongs to another user`,
      "Its owner could read or change what is in it.",
      "Choose a directory of your own.",
    );
  }
  const mode = (stats.mode & 0o777).toString(8);
  if ((stats.mode & 0o077) !== 0) {
    return fail(
      check,
      `${name} ${path} is open to other users (mode ${mode})`,
      "Other users of this computer can get at your agents.",
      `agent-intercom doctor --fix, or: chmod 700 ${path}`,
    );
  }
  return ok(check, `${name} ${path} is for this user alone`);
}

export function checkDisk(path: string): Finding[] {
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(path);
    free = bavail * bsize;
  } catch {
    return [];
  }
  return [diskFinding(free)];
}

export function diskFinding(free: number): Finding {
  const found = `${bytes(free)} free where the data is`;
  const action = "Free some space.";
  if (free < 50 * MIB) return fail("disk", found, "Soon nothing can be accepted any more.", action);
  if (free < 500 * MIB) return warn("disk", found, "When it is used up, nothing can be accepted any more.", action);
  return ok("disk", found);
}
