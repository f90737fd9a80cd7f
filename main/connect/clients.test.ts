import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Launcher } from "../../connect/index.ts";
import { writeEvidence } from "../../harness/evidence.ts";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { ConnectableClients } from "./clients.ts";
import { launcherOf, machineOf } from "./machine.ts";

function scene(launcher: Launcher | undefined = { command: "/opt/bin/agent-intercom" }) {
  const home = temporaryFolder();
  const dataDir = join(home, "data");
  const machine = { platform: "linux", env: {}, homedir: home, appDir: home } as const;
  const clients = new ConnectableClients({
    environment: machineOf(machine),
    launcher: () => launcher,
    address: () => "http://127.0.0.1:4766",
    dataDir,
    runtimeDir: "/run/user/1/agent-intercom",
    isRuntimeDirChosen: false,
    now: () => Date.UTC(2026, 0, 31),
  });
  const find = (id: string) => clients.list().find((client) => client.id === id);
  mkdirSync(join(home, ".cursor"));
  return { home, dataDir, clients, find, file: join(home, ".cursor", "mcp.json") };
}

describe("the clients of this machine", () => {
  it("are listed with what to paste, those that are there first", () => {
    const { clients, find, file } = scene();
    const all = clients.list();
    expect(all[0]?.installed).toBe(true);
    expect(all.filter(({ installed }) => installed)).toHaveLength(1);
    expect(find("cursor")).toMatchObject({ title: "Cursor", state: "absent", file, canUndo: false });
    for (const { snippet, notes } of all) {
      expect(snippet.text).toContain("/opt/bin/agent-intercom");
      expect(notes.every((note) => note.length > 0)).toBe(true);
    }
  });

  it("are connected in their own file, and put back as it was", () => {
    const { clients, find, file } = scene();
    const before = '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } }\n}\n';
    writeFileSync(file, before);
    const done = clients.connect("cursor");
    expect(done.summary).toContain("~/.cursor/mcp.json");
    expect(done.next.length).toBeGreaterThan(0);
    expect(done.client).toMatchObject({ state: "connected", canUndo: true });
    expect(readFileSync(file, "utf8")).toContain("// mine");
    expect(clients.connect("cursor").summary).toContain("Nothing was changed");
    expect(clients.undo("cursor").client.state).toBe("absent");
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(find("cursor")?.canUndo).toBe(false);
  });

  it("lose only our entry when their file has changed since", () => {
    const { clients, file } = scene();
    clients.connect("cursor");
    const config = JSON.parse(readFileSync(file, "utf8"));
    config.mcpServers.other = { command: "x" };
    writeFileSync(file, JSON.stringify(config));
    const { client, summary } = clients.undo("cursor");
    expect(client.state).toBe("absent");
    expect(summary).toContain("everything else in it stays");
    expect(JSON.parse(readFileSync(file, "utf8")).mcpServers).toEqual({ other: { command: "x" } });
  });

  it("lose the file that was made for our entry", () => {
    const { clients, file } = scene();
    clients.connect("cursor");
    clients.undo("cursor");
    expect(existsSync(file)).toBe(false);
  });

  it("differ where our name is taken, and then nothing is changed", () => {
    const { clients, find, file } = scene();
    writeFileSync(file, '{"mcpServers":{"intercom":{"command":"theirs"}}}');
    expect(find("cursor")).toMatchObject({ state: "differs", canUndo: false });
    expect(() => clients.connect("cursor")).toThrow(
      expect.objectContaining({ code: "CONFLICT", details: { reason: "foreign_entry" } }),
    );
    expect(readFileSync(file, "utf8")).toContain("theirs");
  });

  it("differ where our entry starts another command than we would", () => {
    const { clients, find, file } = scene();
    clients.connect("cursor");
    writeFileSync(file, readFileSync(file, "utf8").replace("/opt/bin/agent-intercom", "/old/agent-intercom"));
    expect(find("cursor")).toMatchObject({ state: "differs" });
    expect(clients.connect("cursor").client.state).toBe("connected");
  });

  it("are told apart where their file cannot be read", () => {
    const { find, file } = scene();
    writeFileSync(file, "{ broken");
    expect(find("cursor")).toMatchObject({
      state: "unreadable",
      notes: expect.arrayContaining([expect.stringContaining(file)]),
    });
  });

  it("are verified by a round trip that went well, and by no other", () => {
    const { dataDir, find } = scene();
    const evidence = (client: string, ok: boolean) => ({
      ...{ client, clientVersion: "1.0", platform: "linux", arch: "x64", productVersion: "1.2.3" },
      ...{ date: "2026-01-30T00:00:00.000Z", checks: [{ name: "all", ok }] },
    });
    writeEvidence(dataDir, evidence("cursor", true));
    writeEvidence(dataDir, evidence("codex", false));
    expect(find("cursor")?.verifiedAt).toBe("2026-01-30T00:00:00.000Z");
    expect(find("codex")).not.toHaveProperty("verifiedAt");
  });

  it("cannot be connected before our command is installed, which each of them says", () => {
    const home = temporaryFolder();
    const machine = { platform: "linux", env: { PATH: "" }, homedir: home, appDir: home } as const;
    expect(launcherOf(machine)).toBeUndefined();
    const clients = new ConnectableClients({
      ...{ environment: machineOf(machine), launcher: () => launcherOf(machine), address: () => "http://127.0.0.1:1" },
      ...{ dataDir: home, runtimeDir: home, isRuntimeDirChosen: true, now: () => 0 },
    });
    expect(clients.list().every(({ notes }) => notes[0]?.includes("npm install -g agent-intercom"))).toBe(true);
    expect(() => clients.connect("cursor")).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
    expect(() => clients.undo("nobody")).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
  });
});

describe("the launcher", () => {
  it("is that of the checkout the app runs from, else the installed command", () => {
    const folder = temporaryFolder();
    const app = join(folder, "checkout", "dist", "desktop");
    const path = join(folder, "path");
    for (const made of [app, path, join(folder, "checkout", "bin")]) mkdirSync(made, { recursive: true });
    writeFileSync(join(path, "agent-intercom"), "");
    const machine = { platform: "linux", env: { PATH: path }, homedir: folder, appDir: app } as const;
    expect(launcherOf(machine)).toEqual({ command: join(path, "agent-intercom") });
    writeFileSync(join(folder, "checkout", "package.json"), "{}");
    writeFileSync(join(folder, "checkout", "bin", "agent-intercom"), "");
    expect(launcherOf(machine)).toEqual({ command: join(folder, "checkout", "bin", "agent-intercom") });
  });
});
