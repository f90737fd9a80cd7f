import { describe, expect, it } from "vitest";
import { buildEntry, freshEntry, type Launcher, ownerOf, updatedEntry } from "../entry.ts";
import { type Environment, PLATFORMS, type Platform } from "../environment.ts";
import { ConnectError } from "../error.ts";
import { configFile } from "../locate.ts";
import { snippet } from "../plan.ts";
import { type ClientProfile, SERVER_NAME, TOKEN_VARIABLE, type Transport } from "../profile.ts";
import { clients, findClient } from "./index.ts";

const machines: Readonly<Record<Platform, Omit<Environment, "exists"> & { launcher: Launcher }>> = {
  linux: {
    platform: "linux",
    env: {},
    homedir: "/home/ada",
    project: "/home/ada/shop",
    launcher: { command: "/opt/agent intercom/bin/agent-intercom" },
  },
  darwin: {
    platform: "darwin",
    env: {},
    homedir: "/Users/ada",
    project: "/Users/ada/shop",
    launcher: { command: "/opt/homebrew/bin/agent-intercom" },
  },
  win32: {
    platform: "win32",
    env: { APPDATA: "C:\\Users\\Ada L\\AppData\\Roaming" },
    homedir: "C:\\Users\\Ada L",
    project: "C:\\src\\shop",
    launcher: {
      command: "C:\\Program Files\\nodejs\\node.exe",
      args: ["C:\\Users\\Ada L\\AppData\\Roaming\\npm\\node_modules\\agent-intercom\\dist\\cli\\main.js"],
    },
  },
};
const fresh = (platform: Platform): Environment => ({ ...machines[platform], exists: () => false });
const build = (profile: ClientProfile, transport: Transport, platform: Platform) =>
  buildEntry(profile, transport, {
    platform,
    launcher: machines[platform].launcher,
    address: "http://127.0.0.1:4766",
    scope: "shop",
  });
const offersHttp = (profile: ClientProfile) => !("unavailable" in profile.http);
const each = clients.map((profile) => ({ id: profile.id, profile }));

describe.each(each)("$id", ({ id, profile }) => {
  it("has the snippets and places that are written down for it", async () => {
    const parts = PLATFORMS.flatMap((platform) => {
      const { project } = profile.files;
      const places = [`user: ${configFile(profile, "user", fresh(platform))}`];
      if (project) places.push(`project: ${configFile(profile, "project", fresh(platform))}`);
      const transports: Transport[] = offersHttp(profile) ? ["stdio", "http"] : ["stdio"];
      const texts = transports.map(
        (name) => `--- ${name}\n${snippet(profile, freshEntry(build(profile, name, platform)))}`,
      );
      return [`=== ${platform}`, ...places, ...texts];
    });
    await expect(`${parts.join("\n")}`).toMatchFileSnapshot(`golden/${id}.txt`);
  });

  it("starts our command by its absolute path, with who asks", () => {
    for (const platform of PLATFORMS) {
      const { launcher } = machines[platform];
      const { entry } = build(profile, "stdio", platform);
      const line = [entry.cmd ?? entry.command, entry.args ?? []].flat(2);
      const ours = ["mcp", "--client", id, "--scope", "shop"];
      expect(line).toEqual([launcher.command, ...(launcher.args ?? []), ...ours]);
    }
  });

  it("never holds a token, but the name of the variable that does", () => {
    expect(JSON.stringify(build(profile, "stdio", "linux"))).not.toMatch(/token|bearer|authorization/i);
    if (!offersHttp(profile)) {
      const refusal = () => build(profile, "http", "linux");
      expect(refusal).toThrow(ConnectError);
      expect(refusal).toThrow(/token|starts programs/);
      return;
    }
    const strings = JSON.stringify(build(profile, "http", "linux").entry);
    expect(strings).toContain(TOKEN_VARIABLE);
    const reference = /"Bearer (\$\{(env:)?AGENT_INTERCOM_TOKEN\}|\{env:AGENT_INTERCOM_TOKEN\})"/;
    expect(strings).toMatch(id === "codex" ? /"bearer_token_env_var":"AGENT_INTERCOM_TOKEN"/ : reference);
  });

  it("knows its own entries again, and nobody else's", () => {
    const transports: Transport[] = offersHttp(profile) ? ["stdio", "http"] : ["stdio"];
    for (const transport of transports) {
      const built = build(profile, transport, "win32");
      expect(ownerOf(freshEntry(built), profile)).toBe("ours");
      expect(updatedEntry(built, freshEntry(built))).toEqual(freshEntry(built));
    }
    const other = clients.find((client) => client.id !== id) as ClientProfile;
    expect(ownerOf(freshEntry(build(profile, "stdio", "linux")), other)).toBe("other-client");
    expect(ownerOf({ command: "/usr/bin/intercom", args: ["serve"] }, profile)).toBe("foreign");
    expect(ownerOf({ url: "http://127.0.0.1:9000/mcp" }, profile)).toBe("foreign");
    expect(ownerOf({ url: `https://example.com/mcp?${TOKEN_VARIABLE}` }, profile)).toBe("foreign");
  });

  it("leaves what the user has changed or added, and begins anew with the other transport", () => {
    const built = build(profile, "stdio", "linux");
    const users = { ...freshEntry(built), timeout: 7, extra: ["kept"], env: { A: "b" } };
    expect(updatedEntry(built, users)).toEqual(users);
    if (!offersHttp(profile)) return;
    const http = build(profile, "http", "linux");
    expect(updatedEntry(http, users)).toEqual(freshEntry(http));
  });
});

describe("all clients", () => {
  it("are those we promise, each with an id of its own", () => {
    const ids = [
      ...["claude-code", "claude-desktop", "codex", "opencode", "cursor", "vscode", "gemini-cli", "goose", "zed"],
      ...["windsurf", "cline", "amp", "copilot-cli", "kiro", "qwen-code", "pi"],
    ];
    expect(clients.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(findClient("codex")?.name).toBe("Codex");
    expect(findClient("nope")).toBeUndefined();
  });

  it("can have our name: short, lower case, no underscore", () => {
    expect(SERVER_NAME).toMatch(/^[a-z]{1,12}$/);
  });

  it("do not share a file in one place, since they share our name", () => {
    for (const platform of PLATFORMS) {
      for (const place of ["user", "project"] as const) {
        const files = clients.flatMap(({ files }) => (place === "user" ? files.user[platform] : (files.project ?? [])));
        expect(files).toEqual([...new Set(files)]);
      }
    }
  });

  it("refuse a launcher that is not absolute on their system", () => {
    const [profile] = clients as [ClientProfile];
    const request = { address: "http://127.0.0.1:4766", launcher: { command: "agent-intercom" } };
    for (const platform of PLATFORMS) {
      expect(() => buildEntry(profile, "stdio", { ...request, platform })).toThrow(/absolute/);
    }
    const drive = { command: "C:\\x\\agent-intercom.exe" };
    expect(() => buildEntry(profile, "stdio", { ...request, launcher: drive, platform: "linux" })).toThrow(/absolute/);
    expect(buildEntry(profile, "stdio", { ...request, launcher: drive, platform: "win32" }).entry.command).toBe(
      drive.command,
    );
  });
});
