import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isIntercomError } from "../../protocol/index.ts";
import { canonicalPath, ensurePrivateDirectory, resolveDirectories } from "./paths.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "intercom-paths-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const mode = (path: string) => lstatSync(path).mode & 0o777;
const onUnix = process.platform === "win32" ? it.skip : it;

describe("resolveDirectories", () => {
  it("takes options before environment before the custom of the OS", () => {
    const env = { AGENT_INTERCOM_DATA_DIR: join(root, "env-data"), AGENT_INTERCOM_RUNTIME_DIR: join(root, "env-run") };
    expect(resolveDirectories({ env }).dataDir).toBe(join(root, "env-data"));
    const chosen = resolveDirectories({ env, dataDir: join(root, "d"), runtimeDir: join(root, "r") });
    expect(chosen).toEqual({
      dataDir: join(root, "d"),
      runtimeDir: join(root, "r"),
      databaseFile: join(root, "d", "intercom.db"),
      lockFile: join(root, "d", "daemon.lock"),
      runFile: join(root, "r", "run.json"),
      settingsFile: join(root, "d", "settings.json"),
      credentialsFile: join(root, "d", "credentials.json"),
      logDir: join(root, "d", "logs"),
    });
    expect(resolveDirectories({ env: {} }).dataDir).toMatch(/agent-intercom$/);
  });

  onUnix("uses XDG_RUNTIME_DIR when it is absolute, else a directory of the user's under the temporary one", () => {
    expect(resolveDirectories({ env: { XDG_RUNTIME_DIR: root } }).runtimeDir).toBe(join(root, "agent-intercom"));
    const fallback = resolveDirectories({ env: { XDG_RUNTIME_DIR: "relative", TMPDIR: root } }).runtimeDir;
    expect(fallback).toBe(join(root, `agent-intercom-${process.getuid?.()}`));
  });

  it("uses the local application data on Windows", () => {
    const { runtimeDir } = resolveDirectories({ env: { LOCALAPPDATA: root }, platform: "win32" });
    expect(runtimeDir).toBe(join(root, "agent-intercom", "Run"));
  });

  onUnix("gives one spelling for one directory, and leaves a link in the last place to be refused", () => {
    mkdirSync(join(root, "real"));
    symlinkSync(join(root, "real"), join(root, "link"));
    expect(canonicalPath(join(root, "link", "a", "..", "data"))).toBe(join(root, "real", "data"));
    expect(canonicalPath(join(root, "link", "new", "data"))).toBe(join(root, "real", "new", "data"));
    expect(canonicalPath(join(root, "link"))).toBe(join(root, "link"));
    expect(canonicalPath("/")).toBe("/");
  });
});

describe("ensurePrivateDirectory", () => {
  onUnix("creates the whole path for the user alone, and may be repeated", () => {
    const path = join(root, "a", "b");
    ensurePrivateDirectory(path);
    ensurePrivateDirectory(path);
    expect(mode(path)).toBe(0o700);
    expect(mode(join(root, "a"))).toBe(0o700);
  });

  onUnix("closes an own directory that is empty or already ours", () => {
    for (const entry of [undefined, "run.json", "intercom.db"]) {
      const path = join(root, entry ?? "empty-dir");
      mkdirSync(path);
      if (entry) writeFileSync(join(path, entry), "");
      chmodSync(path, 0o755);
      ensurePrivateDirectory(path);
      expect(mode(path)).toBe(0o700);
    }
  });

  onUnix("does not close a directory that holds other people's files", () => {
    const path = join(root, "shared");
    mkdirSync(path);
    writeFileSync(join(path, "thesis.txt"), "");
    chmodSync(path, 0o755);
    expect(() => ensurePrivateDirectory(path)).toThrow(/open to other users \(mode 755\).*chmod 700/);
    expect(mode(path)).toBe(0o755);
  });

  onUnix("does not close a directory with the sticky bit, like the temporary directory itself", () => {
    const path = join(root, "tmp");
    mkdirSync(path);
    chmodSync(path, 0o1777);
    expect(() => ensurePrivateDirectory(path)).toThrow(/open to other users/);
  });

  onUnix("refuses a symbolic link and a file", () => {
    mkdirSync(join(root, "real"), { mode: 0o700 });
    symlinkSync(join(root, "real"), join(root, "link"));
    expect(() => ensurePrivateDirectory(join(root, "link"))).toThrow(/is a symbolic link/);
    symlinkSync(join(root, "nowhere"), join(root, "dangling"));
    expect(() => ensurePrivateDirectory(join(root, "dangling"))).toThrow();
    writeFileSync(join(root, "file"), "");
    expect(() => ensurePrivateDirectory(join(root, "file"))).toThrow(/is not a directory/);
  });

  onUnix("says what to do when a directory cannot be created", () => {
    writeFileSync(join(root, "file"), "");
    try {
      ensurePrivateDirectory(join(root, "file", "below"));
      expect.unreachable();
    } catch (error) {
      expect(isIntercomError(error, "PERMISSION_DENIED")).toBe(true);
      expect(String(error)).toMatch(/cannot be created \(ENOTDIR\).*--data-dir/);
    }
  });

  // Only root can make a directory that belongs to somebody else.
  it.runIf(process.getuid?.() === 0)("refuses a directory of another user", async () => {
    const { chownSync } = await import("node:fs");
    const path = join(root, "foreign");
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, 65_534, 65_534);
    expect(() => ensurePrivateDirectory(path)).toThrow(/belongs to another user \(uid 65534/);
  });
});
