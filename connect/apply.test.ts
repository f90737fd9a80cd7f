import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apply, undo } from "./apply.ts";
import { findClient } from "./clients/index.ts";
import { type BuiltEntry, buildEntry } from "./entry.ts";
import { backupsOf } from "./file/backup.ts";
import { inspect, planConnect, planRemove } from "./plan.ts";
import type { ClientProfile, Transport } from "./profile.ts";

const NOW = Date.UTC(2026, 10, 29, 12, 0, 0);
const profile = findClient("codex") as ClientProfile;
const cursor = findClient("cursor") as ClientProfile;
const existing = '# mine\nmodel = "x"\n\n[mcp_servers.docs]\ncommand = "docs"\n';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "intercom-connect-"));
  file = join(folder, "config.toml");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (path = file) => readFileSync(path, "utf8");
const modeOf = (path: string) => statSync(path).mode & 0o777;
const build = (transport: Transport = "stdio", command = "/opt/agent-intercom", of = profile): BuiltEntry =>
  buildEntry(of, transport, { platform: "linux", launcher: { command }, address: "http://127.0.0.1:4766" });
const connect = (built = build(), now = NOW, force = false) =>
  apply(() => planConnect(profile, file, built, force), now);
const disconnect = (now = NOW) => apply(() => planRemove(profile, file), now);

describe("connecting", () => {
  it("adds the entry, keeps a backup, and afterwards says that it is there", () => {
    writeFileSync(file, existing);
    const { plan, backup } = connect();
    expect(plan.action).toBe("add");
    expect(read()).toBe(
      `${existing}\n[mcp_servers.intercom]\ncommand = "/opt/agent-intercom"\nargs = ["mcp", "--client", "codex"]\nenv_vars = ["XDG_RUNTIME_DIR", "AGENT_INTERCOM_RUNTIME_DIR", "AGENT_INTERCOM_DATA_DIR"]\nstartup_timeout_sec = 20\ntool_timeout_sec = 60\n`,
    );
    expect(backup).toBe(`${file}.agent-intercom-backup-20261129T120000000Z`);
    expect(read(backup)).toBe(existing);
    expect(inspect(profile, file)).toMatchObject({ state: "connected", transport: "stdio", isOff: false });
    const before = statSync(file);
    expect(connect()).toMatchObject({ plan: { action: "none" } });
    expect(statSync(file).ino).toBe(before.ino);
    expect(backupsOf(file)).toEqual([backup]);
  });

  it("updates an entry of ours and leaves what the user set in it", () => {
    connect();
    writeFileSync(file, read().replace("tool_timeout_sec = 60", "tool_timeout_sec = 600 # slow\nenabled = false"));
    const { plan } = connect(build("stdio", "/new/agent-intercom"));
    expect(plan.action).toBe("update");
    expect(read()).toContain('command = "/new/agent-intercom"\n');
    expect(read()).toContain("tool_timeout_sec = 600 # slow\nenabled = false");
    expect(inspect(profile, file)).toMatchObject({ isOff: true });
  });

  it("goes over to the other transport with nothing left of the first", () => {
    connect();
    connect(build("http"));
    expect(read()).toBe(
      '[mcp_servers.intercom]\nstartup_timeout_sec = 20\ntool_timeout_sec = 60\nurl = "http://127.0.0.1:4766/mcp"\nbearer_token_env_var = "AGENT_INTERCOM_TOKEN"\n',
    );
    expect(inspect(profile, file)).toMatchObject({ transport: "http" });
  });

  it("does not touch an entry of somebody else's, unless told to", () => {
    const foreign = '[mcp_servers.intercom]\ncommand = "other"\n';
    writeFileSync(file, foreign);
    expect(() => connect()).toThrow(expect.objectContaining({ code: "FOREIGN_ENTRY" }));
    expect(() => disconnect()).toThrow(expect.objectContaining({ code: "FOREIGN_ENTRY" }));
    expect(read()).toBe(foreign);
    expect(readdirSync(folder)).toEqual(["config.toml"]);
    connect(build(), NOW, true);
    expect(inspect(profile, file).state).toBe("connected");
    undo(profile, file);
    expect(read()).toBe(foreign);
  });

  it("tells an entry of ours for another client that reads the same file", () => {
    const path = join(folder, "mcp.json");
    apply(() => planConnect(cursor, path, build("stdio", "/x", cursor)), NOW);
    const kiro = findClient("kiro") as ClientProfile;
    expect(inspect(kiro, path)).toEqual({ state: "taken", by: "other-client" });
    expect(() => planConnect(kiro, path, build("stdio", "/x", kiro))).toThrow(/for another client than Kiro/);
  });

  it("refuses a broken file, and leaves it and the folder as they were", () => {
    writeFileSync(file, "a = \n");
    expect(() => connect()).toThrow(expect.objectContaining({ code: "BROKEN_FILE" }));
    writeFileSync(file, Buffer.from([0x61, 0xff]));
    expect(() => connect()).toThrow(/is not UTF-8 text/);
    writeFileSync(file, "mcp_servers = 1\n");
    expect(() => connect()).toThrow(/expected a table of servers at mcp_servers/);
    expect(readdirSync(folder)).toEqual(["config.toml"]);
  });
});

describe.skipIf(process.platform === "win32")("the file itself", () => {
  it("is made with its folders for the owner alone", () => {
    file = join(folder, "a", "b", "config.toml");
    expect(connect().backup).toBeUndefined();
    expect([modeOf(join(folder, "a")), modeOf(join(folder, "a", "b")), modeOf(file)]).toEqual([0o700, 0o700, 0o600]);
  });

  it("keeps its mode, and so does the backup", () => {
    writeFileSync(file, existing);
    chmodSync(file, 0o640);
    const { backup } = connect();
    expect([modeOf(file), modeOf(backup as string)]).toEqual([0o640, 0o640]);
  });

  it("stays a link when it is one", () => {
    const real = join(folder, "dotfiles", "codex.toml");
    mkdirSync(join(folder, "dotfiles"));
    writeFileSync(real, existing);
    symlinkSync("dotfiles/codex.toml", file);
    connect();
    expect(readlinkSync(file)).toBe("dotfiles/codex.toml");
    expect(read(real)).toContain("[mcp_servers.intercom]");
    expect(readdirSync(join(folder, "dotfiles"))).toEqual(["codex.toml"]);
    undo(profile, file);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(read(real)).toBe(existing);
  });

  it("is refused when it is a link to nowhere, or no file", () => {
    symlinkSync("gone.toml", file);
    expect(() => connect()).toThrow(/a link that leads nowhere/);
    rmSync(file);
    mkdirSync(file);
    expect(() => connect()).toThrow(/is not a file/);
  });
});

describe("another program that writes at the same moment", () => {
  it("is noticed before the file is replaced, and the change is worked out again", () => {
    writeFileSync(file, existing);
    let plans = 0;
    const { backup } = apply(() => {
      const plan = planConnect(profile, file, build());
      plans += 1;
      if (plans === 1) writeFileSync(file, `${existing}late = 1\n`);
      return plan;
    }, NOW);
    expect(plans).toBe(2);
    expect(read()).toContain("late = 1");
    expect(read(backup)).toBe(`${existing}late = 1\n`);
    expect(backupsOf(file)).toEqual([backup]);
  });

  it("wins when it never stops, and nothing of ours is left behind", () => {
    writeFileSync(file, existing);
    let writes = 0;
    const race = () => {
      const plan = planConnect(profile, file, build());
      writes += 1;
      writeFileSync(file, `${existing}n = ${writes}\n`);
      return plan;
    };
    expect(() => apply(race, NOW)).toThrow(expect.objectContaining({ code: "CHANGED_MEANWHILE" }));
    expect(read()).toBe(`${existing}n = 3\n`);
    expect(readdirSync(folder)).toEqual(["config.toml"]);
  });

  it("is noticed when it makes the file we meant to make", () => {
    const plan = planConnect(profile, file, build());
    writeFileSync(file, existing);
    let plans = 0;
    apply(() => (plans++ === 0 ? plan : planConnect(profile, file, build())), NOW);
    expect(read().startsWith(existing)).toBe(true);
  });
});

describe("removing and undoing", () => {
  it("removes our entry alone, byte for byte", () => {
    writeFileSync(file, existing);
    connect();
    expect(disconnect(NOW + 1).plan.action).toBe("remove");
    expect(read()).toBe(existing);
    expect(disconnect(NOW + 2).plan.action).toBe("none");
  });

  it("takes back one change after another, to the file that was not there", () => {
    connect();
    const first = read();
    connect(build("http"), NOW + 1);
    disconnect(NOW + 2);
    expect(undo(profile, file)).toMatchObject({ action: "restored" });
    expect(inspect(profile, file)).toMatchObject({ transport: "http" });
    undo(profile, file);
    expect(read()).toBe(first);
    expect(undo(profile, file)).toEqual({ action: "deleted", file });
    expect(readdirSync(folder)).toEqual([]);
    expect(() => undo(profile, file)).toThrow(expect.objectContaining({ code: "NO_BACKUP" }));
  });

  it("does not undo over changes of others", () => {
    writeFileSync(file, existing);
    connect();
    const changed = read().replace('model = "x"', 'model = "y"');
    writeFileSync(file, changed);
    expect(() => undo(profile, file)).toThrow(expect.objectContaining({ code: "CHANGED_SINCE" }));
    rmSync(file);
    expect(() => undo(profile, file)).toThrow(expect.objectContaining({ code: "CHANGED_SINCE" }));
    expect(existsSync(file)).toBe(false);
  });

  it("does not delete a file that holds more than our entry", () => {
    connect();
    writeFileSync(file, `# mine now\n${read()}`);
    expect(() => undo(profile, file)).toThrow(expect.objectContaining({ code: "NO_BACKUP" }));
    expect(read()).toContain("# mine now");
  });

  it("keeps the newest three backups, also when the clock stands still", () => {
    writeFileSync(file, existing);
    for (let round = 0; round < 3; round += 1) {
      connect();
      disconnect();
    }
    const backups = backupsOf(file).map((name) => name.slice(-"20261129T120000000Z".length));
    expect(backups).toEqual(["20261129T120000005Z", "20261129T120000004Z", "20261129T120000003Z"]);
    writeFileSync(`${file}.agent-intercom-backup-of-mine`, "");
    expect(backupsOf(file)).toHaveLength(3);
  });
});
