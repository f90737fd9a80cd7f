import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { ConnectError } from "../error.ts";
import { type ConfigFile, explain, isUnchanged } from "./config-file.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/**
 * Replaces the content of a file in one step, keeping mode, owner and a link that leads to it. Folders and files that are
 * missing are made for their owner alone.
 * @throws {ConnectError} CHANGED_MEANWHILE when the file is no longer as it was read; UNWRITABLE.
 */
export function writeConfigFile(file: ConfigFile, text: string): void {
  const { path, realPath, was } = file;
  const temporary = join(
    dirname(realPath),
    `.${basename(realPath)}.agent-intercom-${randomBytes(6).toString("hex")}.tmp`,
  );
  try {
    if (!was) mkdirSync(dirname(realPath), { recursive: true, mode: PRIVATE_FOLDER });
    const descriptor = openSync(temporary, "wx", PRIVATE_FILE);
    try {
      writeFileSync(descriptor, text);
      if (was && process.platform !== "win32") {
        keepOwner(temporary, was, path);
        fchmodSync(descriptor, was.mode);
      }
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // As late as can be: whoever writes after this moment is not noticed.
    if (!isUnchanged(file)) throw changedMeanwhile(path);
    renameSync(temporary, realPath);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw explain(error, path, "written");
  }
}

/** Removes a file that is still as it was read. @throws {ConnectError} like {@link writeConfigFile} */
export function removeConfigFile(file: ConfigFile): void {
  if (!isUnchanged(file)) throw changedMeanwhile(file.path);
  try {
    rmSync(file.realPath);
  } catch (error) {
    throw explain(error, file.path, "written");
  }
}

function keepOwner(temporary: string, { uid, gid }: { uid: number; gid: number }, path: string): void {
  if (uid === process.getuid?.() && gid === process.getgid?.()) return;
  try {
    chownSync(temporary, uid, gid);
  } catch (error) {
    if (uid === process.getuid?.()) return;
    throw new ConnectError("UNWRITABLE", `${path} belongs to another user and would come to belong to you.`, {
      cause: error,
    });
  }
}

function changedMeanwhile(path: string): ConnectError {
  return new ConnectError("CHANGED_MEANWHILE", `${path} was changed by another program at the same moment.`);
}
