import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDesktop } from "./desktop.mjs";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "intercom-desktop-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function file(...path: string[]): string {
  const name = join(directory, ...path);
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(name, "{}");
  return name;
}

/** What a build leaves behind. */
function build(): void {
  file("dist", "desktop", "main.js");
  writeFileSync(join(directory, "package.json"), JSON.stringify({ main: "dist/desktop/main.js" }));
}

const find = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = "linux") => findDesktop({ env, platform, directory });

test("the desktop needs a build, an Electron and a display, and the first that is missing is named", () => {
  expect(find({ DISPLAY: ":0" })).toEqual({ missing: "the desktop is not built" });
  writeFileSync(join(directory, "package.json"), JSON.stringify({ main: "dist/desktop/main.js" }));
  expect(find({ DISPLAY: ":0" })).toEqual({ missing: "the desktop is not built" });
  build();
  expect(find({ DISPLAY: ":0" })).toEqual({ missing: "there is no Electron here", fetchable: true });
  const electron = file("node_modules", "electron", "dist", "electron");
  expect(find({})).toEqual({ missing: "there is no display here" });
  expect(find({ DISPLAY: "" })).toEqual({ missing: "there is no display here" });
  expect(find({ DISPLAY: ":0" })).toEqual({ electron });
  expect(find({ WAYLAND_DISPLAY: "wayland-0" })).toEqual({ electron });
});

test("macOS and Windows have a display, and their own executables", () => {
  build();
  const mac = file("node_modules", "electron", "dist", "Electron.app", "Contents", "MacOS", "Electron");
  expect(find({}, "darwin")).toEqual({ electron: mac });
  const windows = file("node_modules", "electron", "dist", "electron.exe");
  expect(find({}, "win32")).toEqual({ electron: windows });
});

test("an Electron elsewhere is used when it is named and there", () => {
  build();
  const distribution = file("elsewhere", "electron");
  const env = { DISPLAY: ":0", ELECTRON_OVERRIDE_DIST_PATH: dirname(distribution) };
  expect(find(env)).toEqual({ electron: distribution });
  const named = file("my", "own-electron");
  expect(find({ ...env, AGENT_INTERCOM_ELECTRON: named })).toEqual({ electron: named });
  expect(find({ ...env, AGENT_INTERCOM_ELECTRON: join(directory, "gone") })).toEqual({ electron: distribution });
});
