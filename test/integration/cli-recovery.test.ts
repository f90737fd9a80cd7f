import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../daemon/index.ts";
import { CliHome } from "../support/cli.ts";

const home = new CliHome();
const onUnix = process.platform === "win32" ? it.skip : it;
let daemon: Daemon;
const start = async () => {
  daemon = await startDaemon({ dataDir: home.dataDir, runtimeDir: home.runtimeDir, port: 0, env: {} });
};
beforeAll(start);
afterAll(async () => {
  await daemon.stop();
  await home.close();
});

const file = (name: string) => join(home.home, name);
let scopes = 0;

/** A scope of its own with two agents and a message, of which one is running. */
async function filledScope(running = false): Promise<string> {
  scopes += 1;
  const id = `scope-${scopes}`;
  await home.admin().createScope({ id, linkPolicy: "open" });
  const scope = home.admin().scope(id);
  const tokens = await Promise.all(
    ["ada", "bob"].map(async (agent) => (await scope.registerAgent({ id: agent, displayName: agent })).agentToken),
  );
  const [ada, bob] = tokens.map((token) => scope.agent(token));
  await ada?.sendMessage({ to: "bob", body: "hello" });
  if (!running) await Promise.all([ada?.retire(), bob?.retire()]);
  return id;
}

describe("backup create", () => {
  it("makes a file that holds everything, for this user alone", async () => {
    await filledScope();
    const made = await home.call(["backup", "create", "--output", file("a.db")]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toMatch(
      /^Wrote the backup .*a\.db: \d+ KiB in \d+\.\d s\.\nIt holds everything, also hashes of credentials: .*\nCheck it with: agent-intercom backup verify .*a\.db\n$/,
    );
    if (process.platform !== "win32") expect(statSync(file("a.db")).mode & 0o777).toBe(0o600);
    expect(existsSync(file("a.db.partial"))).toBe(false);
    const verified = await home.call(["backup", "verify", file("a.db")]);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toMatch(
      /is a sound backup\.\n {2}Size +\d+ KiB\n {2}Schema +\d+, as this version has it\n {2}Holds +\d+ scopes?, 2 agents, 1 message, \d+ events\n$/,
    );
  });

  it("overwrites only when told to, and leaves nothing half done", async () => {
    writeFileSync(file("mine.db"), "precious");
    const refused = await home.call(["backup", "create", "--output", file("mine.db")]);
    expect(refused).toMatchObject({ code: 5, stdout: "" });
    expect(refused.stderr).toMatch(/mine\.db exists already\.\n.*--force/);
    expect(readFileSync(file("mine.db"), "utf8")).toBe("precious");
    const forced = await home.call(["backup", "create", "--output", file("mine.db"), "--force", "--json"]);
    expect(forced.json()).toMatchObject({ file: file("mine.db"), bytes: statSync(file("mine.db")).size });
    writeFileSync(file("other.db.partial"), "half");
    const busy = await home.call(["backup", "create", "--output", file("other.db")]);
    expect(busy.code).toBe(5);
    expect(busy.stderr).toMatch(/other\.db\.partial exists already: another command is writing it, or one was cut off/);
    expect((await home.call(["backup", "create", "--output", file("other.db"), "--force"])).code).toBe(0);
    const nowhere = await home.call(["backup", "create", "--output", file("no/where.db")]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toMatch(/cannot be written: there is no such directory/);
    expect((await home.call(["backup", "create", "--output", home.home])).stderr).toMatch(/is not a file/);
  });

  it("is for the owner, and leaves no file behind when it is refused", async () => {
    const AGENT_INTERCOM_ADMIN_TOKEN = "wrong-wrong-wrong-wrong-wrong-wrong-wrong";
    const env = { AGENT_INTERCOM_ADMIN_TOKEN };
    expect((await home.call(["backup", "create", "--output", file("x.db")], { env })).code).toBe(6);
    expect(readdirSync(home.home).filter((name) => name.startsWith("x.db"))).toEqual([]);
  });

  it("goes through a pipe", async () => {
    const piped = await home.run(["backup", "create", "--output", "-"]);
    expect(piped.code).toBe(0);
    expect(piped.stdout).toMatch(/^SQLite format 3\0/);
    expect(piped.stderr).toMatch(/^Wrote a backup: /);
  });
});

describe("backup verify", () => {
  it("exits with 1 for what is not sound, and 2 for what is not there", async () => {
    writeFileSync(file("text.db"), "a shopping list");
    const verified = await home.call(["backup", "verify", file("text.db")]);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toMatch(/text\.db is not sound\.\n {2}It is damaged, or not a database at all/);
    expect((await home.call(["backup", "verify", file("text.db"), "--json"])).json()).toMatchObject({ sound: false });
    expect((await home.call(["backup", "verify", file("nothing.db")])).code).toBe(2);
  });
});

describe("backup restore", () => {
  it("goes back to the backup, and from there to what was there before", async () => {
    const early = await filledScope();
    expect((await home.call(["backup", "create", "--output", file("r.db")])).code).toBe(0);
    const late = await filledScope();
    const busy = await home.call(["backup", "restore", file("r.db"), "--yes"]);
    expect(busy.code).toBe(5);
    expect(busy.stderr).toMatch(/in use by the daemon at http.*\n.*agent-intercom stop/);

    await daemon.stop();
    const asked = await home.call(["backup", "restore", file("r.db")]);
    expect(asked).toMatchObject({ code: 2, stdout: "" });
    expect(asked.stderr).toMatch(/This replaces the data in .*Nothing was changed\.\n.*backup restore .*r\.db --yes/);
    const restored = await home.call(["backup", "restore", file("r.db"), "--yes"]);
    expect(restored.code).toBe(0);
    const undo = /To go back: agent-intercom (.*)\n/.exec(restored.stdout)?.[1] as string;
    await start();
    const ids = async () => (await home.admin().listScopes()).map(({ scopeId }) => scopeId);
    expect(await ids()).toContain(early);
    expect(await ids()).not.toContain(late);

    await daemon.stop();
    expect((await home.call(undo.split(" "))).code).toBe(0);
    await start();
    expect(await ids()).toContain(late);
  });

  it("refuses what is not sound, with a sentence", async () => {
    writeFileSync(file("bad.db"), "a shopping list");
    const refused = await home.call(["backup", "restore", file("bad.db"), "--data-dir", file("fresh")]);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toMatch(/bad\.db cannot be restored\. It is damaged, or not a database at all/);
    expect(existsSync(join(file("fresh"), "intercom.db"))).toBe(false);
  });
});

describe("scope export and import", () => {
  it("move a scope, and show its token once", async () => {
    const id = await filledScope();
    const exported = await home.call(["scope", "export", id, "--output", file("s.json"), "--extensions"]);
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    expect(exported.stdout).toMatch(
      /^Exported the scope .*\nOn the other machine: agent-intercom scope import .*s\.json/,
    );
    if (process.platform !== "win32") expect(statSync(file("s.json")).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file("s.json"), "utf8"))).toMatchObject({
      scope: { id },
      agents: [{ id: "ada" }, { id: "bob" }],
    });
    const there = await home.call(["scope", "import", file("s.json")]);
    expect(there.code).toBe(5);
    expect(there.stderr).toContain(`the scope ${id} exists already`);
    await home.call(["scope", "delete", id, "--confirm", id]);
    const imported = await home.call(["scope", "import", file("s.json")]);
    expect(imported.code).toBe(0);
    const token = /^Its token, shown only now: (\S+)$/m.exec(imported.stdout)?.[1] as string;
    const env = { AGENT_INTERCOM_SCOPE_TOKEN: token };
    expect((await home.call(["agent", "list", "--json"], { env })).json()).toMatchObject({ agents: [{}, {}] });
    const again = await home.call(["scope", "import", file("s.json")]);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/from this very archive before\. Nothing was changed\.\n.*scope rotate-token/);
    expect((await home.call(["scope", "import", file("s.json"), "--json"])).json()).toEqual({
      scopeId: id,
      imported: false,
    });
  });

  it("go through pipes", async () => {
    const id = await filledScope();
    const exported = await home.call(["scope", "export", id, "--output", "-"]);
    expect(JSON.parse(exported.stdout)).toMatchObject({ scope: { id } });
    expect(exported.stderr).toMatch(/^Exported the scope/);
    await home.admin().deleteScope({ scopeId: id, confirmScopeId: id });
    const imported = await home.call(["scope", "import", "-", "--json"], { input: exported.stdout });
    expect(imported.json()).toMatchObject({ scopeId: id, imported: true, scopeToken: expect.any(String) });
  });

  onUnix("end quietly enough when the reader goes away", async () => {
    const id = await filledScope();
    const child = home.spawn(["scope", "export", id, "--output", "-"]);
    let said = "";
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.destroy();
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).not.toBe(13);
    expect(said).not.toMatch(/\n\s+at |unsettled/);
  });

  it("say how to export while agents are running", async () => {
    const id = await filledScope(true);
    const refused = await home.call(["scope", "export", id, "--output", file("busy.json")]);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toMatch(/The agent \w+ is running in this scope\.\n.*--while-running/);
    expect(existsSync(file("busy.json"))).toBe(false);
    expect((await home.call(["scope", "export", id, "--output", file("busy.json"), "--while-running"])).code).toBe(0);
  });

  it("say what is wrong with an archive", async () => {
    writeFileSync(file("half.json"), readFileSync(file("s.json"), "utf8").slice(0, -20));
    const refused = await home.call(["scope", "import", file("half.json")]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect((await home.call(["scope", "import", file("nothing.json")])).stderr).toMatch(/There is no file/);
    expect((await home.call(["scope", "export", "nope", "--output", file("n.json")])).code).toBe(4);
  });
});

describe("scope storage and prune", () => {
  it("show how much there is, count what may go, and remove it when told to", async () => {
    const id = await filledScope();
    const scope = home.admin().scope(id);
    await scope.removeAgent({ agentId: "bob" });
    const storage = await home.call(["scope", "storage", id]);
    expect(storage.code).toBe(0);
    expect(storage.stdout).toMatch(/^KIND +STATE +COUNT +SIZE +OLDEST\nmessages +queued +1 +7 B /);
    expect(storage.stdout).toMatch(/\n\n\d+ records, .* in all\.\n$/);
    expect((await home.call(["scope", "storage", id, "--json"])).json()).toMatchObject({ scopeId: id });

    const counted = await home.call(["scope", "prune", id, "--before", "0s"]);
    expect(counted.code).toBe(0);
    expect(counted.stdout).toMatch(/^Finished before .*\(just now\) in /);
    const command = /\n {2}agent-intercom (scope prune .* --yes)\n/.exec(counted.stdout)?.[1] as string;
    const events = /^events +(\d+)$/m.exec(counted.stdout)?.[1];
    expect((await scope.listEvents({})).events.length).toBe(Number(events));
    const removed = await home.call(command.split(" "));
    expect(removed.stdout).toMatch(
      new RegExp(`^Removed from ${id} what was finished before .*\\nKIND +COUNT\\nevents +${events}\\n$`),
    );
    expect((await home.call(["scope", "prune", id, "--before", "30d"])).stdout).toMatch(
      /^Nothing in .* was finished before .* \(30 days ago\) and may go\.\n$/,
    );
    expect((await home.call(["scope", "prune", id, "--before", "30d", "--json"])).json()).toMatchObject({
      dryRun: true,
      records: { messages: 0 },
    });
  });

  it.each(["30", "yesterday", "2026-01-01", "2026-01-01T00:00:00", "-3d", "2026-13-01T00:00:00Z", ""])(
    "refuse --before %j",
    async (before) => {
      const refused = await home.call(["scope", "prune", "any", `--before=${before}`, "--yes"]);
      expect(refused).toMatchObject({ code: 2, stdout: "" });
      expect(refused.stderr).toMatch(/expected an age such as 30d/);
    },
  );

  it("take an instant of any zone, and the scope from the environment", async () => {
    const id = await filledScope();
    const env = { AGENT_INTERCOM_SCOPE: id };
    const pruned = await home.call(["scope", "prune", "--before", "2026-01-01T02:00:00+02:00", "--json"], { env });
    expect(pruned.json()).toMatchObject({ scopeId: id, before: "2026-01-01T00:00:00.000Z" });
    expect((await home.call(["scope", "storage", "--json"], { env })).json()).toMatchObject({ scopeId: id });
  });
});
