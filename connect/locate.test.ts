import { describe, expect, it } from "vitest";
import { findClient } from "./clients/index.ts";
import type { Environment } from "./environment.ts";
import { configFile, detect } from "./locate.ts";
import type { ClientProfile } from "./profile.ts";

const client = (id: string) => findClient(id) as ClientProfile;

/** A machine on which only some paths exist. */
function machine(there: readonly string[], changes: Partial<Environment> = {}): Environment {
  const exists = (path: string) => there.includes(path);
  return { platform: "linux", env: {}, homedir: "/home/ada", project: "/src/shop", exists, ...changes };
}

describe("configFile", () => {
  it("takes the first candidate that is there, else the first whose folder is there, else the first", () => {
    const zed = (there: string[]) =>
      configFile(client("zed"), "user", machine(there, { platform: "darwin", homedir: "/Users/ada" }));
    const [first, second] = ["/Users/ada/.config/zed", "/Users/ada/Library/Application Support/Zed"] as const;
    expect(zed([])).toBe(`${first}/settings.json`);
    expect(zed([second])).toBe(`${second}/settings.json`);
    expect(zed([first, second, `${second}/settings.json`])).toBe(`${second}/settings.json`);
    const opencode = (there: string[]) => configFile(client("opencode"), "user", machine(there));
    expect(opencode(["/home/ada/.config/opencode/opencode.jsonc"])).toBe("/home/ada/.config/opencode/opencode.jsonc");
  });

  it.each([
    { id: "codex", env: { CODEX_HOME: "/opt/codex" }, file: "/opt/codex/config.toml" },
    { id: "claude-code", env: { CLAUDE_CONFIG_DIR: "/opt/claude" }, file: "/opt/claude/.claude.json" },
    { id: "opencode", env: { OPENCODE_CONFIG: "/opt/oc.json" }, file: "/opt/oc.json" },
    { id: "cline", env: { CLINE_DIR: "/opt/cline" }, file: "/opt/cline/data/settings/cline_mcp_settings.json" },
    { id: "pi", env: { PI_CODING_AGENT_DIR: "/opt/pi" }, file: "/opt/pi/mcp.json" },
  ])("$id: a variable of the client's own decides alone", ({ id, env, file }) => {
    const usual = configFile(client(id), "user", machine([]));
    expect(configFile(client(id), "user", machine([usual], { env }))).toBe(file);
    const relative = Object.fromEntries(Object.keys(env).map((name) => [name, "relative"]));
    expect(configFile(client(id), "user", machine([], { env: relative }))).toBe(usual);
  });

  it("follows XDG_CONFIG_HOME, but not a relative one", () => {
    const goose = (XDG_CONFIG_HOME: string) =>
      configFile(client("goose"), "user", machine([], { env: { XDG_CONFIG_HOME } }));
    expect(goose("/etc/ada")).toBe("/etc/ada/goose/config.yaml");
    expect(goose("etc")).toBe("/home/ada/.config/goose/config.yaml");
  });

  it("finds Windows' folders with and without APPDATA", () => {
    const windows = (env: Record<string, string>) =>
      configFile(client("goose"), "user", machine([], { platform: "win32", homedir: "C:\\Users\\Ada", env }));
    expect(windows({})).toBe("C:\\Users\\Ada\\AppData\\Roaming\\Block\\goose\\config\\config.yaml");
    expect(windows({ APPDATA: "D:\\Roam" })).toBe("D:\\Roam\\Block\\goose\\config\\config.yaml");
  });

  it("says so when a client has no file for a project", () => {
    expect(() => configFile(client("goose"), "project", machine([]))).toThrow(
      "Goose has no configuration for a single project.",
    );
    expect(configFile(client("codex"), "project", machine([]))).toBe("/src/shop/.codex/config.toml");
  });
});

describe("detect", () => {
  it("finds a client by its program", () => {
    const env = { PATH: "bin:/usr/bin:/home/ada/.local/bin" };
    const there = ["bin/claude", "/home/ada/.local/bin/claude"];
    expect(detect(client("claude-code"), machine(there, { env }))).toEqual({
      found: true,
      program: "/home/ada/.local/bin/claude",
    });
  });

  it("finds a program on Windows by the endings of PATHEXT", () => {
    const program = "C:\\npm\\codex.cmd";
    const env = { Path: "C:\\Windows;C:\\npm", PATHEXT: ".EXE;.CMD" };
    expect(detect(client("codex"), machine([program], { platform: "win32", homedir: "C:\\Users\\Ada", env }))).toEqual({
      found: true,
      program,
    });
  });

  it("finds a client by what it left, and else does not", () => {
    expect(detect(client("cursor"), machine(["/home/ada/.cursor"]))).toEqual({ found: true });
    expect(detect(client("cursor"), machine(["/home/ada/.codex"]))).toEqual({ found: false });
  });
});
