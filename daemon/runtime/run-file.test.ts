import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunFile, readRunFile, removeRunFile, writeRunFile } from "./run-file.ts";

let root: string;
let path: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "intercom-run-")));
  path = join(root, "run.json");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const sample: RunFile = {
  address: "http://127.0.0.1:4766",
  pid: 123,
  instanceId: "dmn_1",
  version: "0.1.0",
  protocolVersion: "1.0",
  schema: 1,
  startedAt: "2026-01-01T00:00:00.000Z",
  owner: "cli",
  adminToken: "A".repeat(43),
};
const onUnix = process.platform === "win32" ? it.skip : it;

function reasonOf(file = path): string {
  const reading = readRunFile(file);
  return reading.state === "untrusted" ? reading.reason : reading.state;
}

describe("run file", () => {
  it("is read back as it was written, and leaves no temporary file", () => {
    writeRunFile(path, sample);
    writeRunFile(path, { ...sample, pid: 124 });
    expect(readRunFile(path)).toEqual({ state: "present", run: { ...sample, pid: 124 } });
    expect(readdirSync(root)).toEqual(["run.json"]);
  });

  onUnix("is for the user alone, whatever the umask", () => {
    writeRunFile(path, sample);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  it("refuses to write what a reader would refuse", () => {
    expect(() => writeRunFile(path, { ...sample, adminToken: "short" })).toThrow();
    expect(() => writeRunFile(path, { ...sample, extra: 1 } as RunFile)).toThrow();
    expect(readdirSync(root)).toEqual([]);
  });

  it("is absent when the file or its directory is", () => {
    expect(readRunFile(path)).toEqual({ state: "absent" });
    expect(readRunFile(join(root, "none", "run.json"))).toEqual({ state: "absent" });
  });

  onUnix("is not trusted through a link, from another place or with a loose mode", () => {
    writeRunFile(path, sample);
    symlinkSync(path, join(root, "link.json"));
    expect(reasonOf(join(root, "link.json"))).toMatch(/symbolic link/);
    chmodSync(path, 0o644);
    expect(reasonOf()).toMatch(/open to other users \(mode 644\)/);
    chmodSync(path, 0o600);
    chmodSync(root, 0o770);
    expect(reasonOf()).toMatch(/can be written by other users/);
  });

  it("is not trusted as anything but a small file of the expected form", () => {
    mkdirSync(path);
    expect(reasonOf()).toMatch(/not a regular file|cannot be/);
    rmSync(path, { recursive: true });
    const write = (text: string) => writeFileSync(path, text, { mode: 0o600 });
    write("{");
    expect(reasonOf()).toMatch(/not valid JSON/);
    write(JSON.stringify({ ...sample, surprise: 1 }));
    expect(reasonOf()).toMatch(/expected form \(surprise\)/);
    write(JSON.stringify({ ...sample, address: "file:///etc/passwd" }));
    expect(reasonOf()).toMatch(/expected form \(address\)/);
    write(JSON.stringify({ ...sample, adminToken: "secret with spaces" }));
    expect(reasonOf()).not.toMatch(/secret/);
    write("[]");
    expect(reasonOf()).toMatch(/expected form/);
    write(" ".repeat(70_000));
    expect(reasonOf()).toMatch(/larger than/);
  });

  it.runIf(process.getuid?.() === 0)("is not trusted when it belongs to another user", async () => {
    const { chownSync } = await import("node:fs");
    writeRunFile(path, sample);
    chownSync(path, 65_534, 65_534);
    expect(reasonOf()).toMatch(/belongs to another user/);
  });

  it("is removed only by the daemon that wrote it last", () => {
    expect(removeRunFile(path, sample.instanceId)).toBe(false);
    writeRunFile(path, { ...sample, instanceId: "dmn_2" });
    expect(removeRunFile(path, sample.instanceId)).toBe(false);
    expect(readFileSync(path, "utf8")).toContain("dmn_2");
    expect(removeRunFile(path, "dmn_2")).toBe(true);
    expect(readRunFile(path)).toEqual({ state: "absent" });
  });
});
