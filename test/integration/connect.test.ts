import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CliHome, type Outcome } from "../support/cli.ts";

const ROOT = realpathSync(join(import.meta.dirname, "../.."));
const docs = '[mcp_servers.docs]\ncommand = "docs" # ours\n';

let cli: CliHome;
let codexFile: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  cli = new CliHome();
  codexFile = join(cli.home, ".codex", "config.toml");
  // The home folder of whoever runs the tests is never looked at, and neither are the programs there.
  env = { HOME: cli.home, USERPROFILE: cli.home, APPDATA: join(cli.home, "AppData"), PATH: join(cli.home, "bin") };
  mkdirSync(join(cli.home, ".codex"));
  writeFileSync(codexFile, docs);
});
afterEach(() => cli.close());

const connect = (...args: string[]): Promise<Outcome> => cli.call(["connect", ...args], { env });
const read = (path: string) => readFileSync(path, "utf8");
const errorOf = ({ stderr }: Outcome) => JSON.parse(stderr).error as { code: string; message: string; hint: string };

describe("agent-intercom connect", () => {
  it("shows every client, those that are here first, and what to do next", async () => {
    const { code, stdout } = await connect();
    expect(code).toBe(0);
    const [header, first, ...rest] = stdout.split("\n");
    expect(header).toMatch(/^CLIENT +NAME +FOUND +CONNECTED +CONFIG FILE$/);
    expect(first).toMatch(/^codex +Codex +yes +- +~.\.codex.config\.toml$/);
    expect(rest.filter((line) => / +- +- +/.test(line))).toHaveLength(15);
    expect(stdout).toMatch(/No client is connected yet\.\nConnect one with: agent-intercom connect codex\n$/);
  });

  it("shows what is connected, switched off, taken and unreadable", async () => {
    await connect("codex");
    await connect("kiro", "--http");
    const kiro = join(cli.home, ".kiro", "settings", "mcp.json");
    writeFileSync(kiro, read(kiro).replace('"disabled": false', '"disabled": true'));
    mkdirSync(join(cli.home, ".cursor"));
    writeFileSync(join(cli.home, ".cursor", "mcp.json"), "{");
    mkdirSync(join(cli.home, ".gemini"));
    writeFileSync(join(cli.home, ".gemini", "settings.json"), '{"mcpServers": {"intercom": {"command": "x"}}}');
    const { stdout } = await connect();
    expect(stdout).toMatch(/^codex .* yes +yes /m);
    expect(stdout).toMatch(/^kiro .* yes +switched off \(http\) /m);
    expect(stdout).toMatch(/^cursor .* yes +unreadable /m);
    expect(stdout).toMatch(/^gemini-cli .* yes +name taken /m);
    expect(stdout).toMatch(/mcp\.json cannot be read: line 1, column 2: .*\n\n2 clients connected\./);
    const listed = (await connect("--json")).json<{ clients: { client: string; spots: unknown[] }[] }>().clients;
    expect(listed.find(({ client }) => client === "codex")).toMatchObject({
      found: true,
      spots: [
        { place: "user", file: codexFile, state: "connected", transport: "stdio" },
        { place: "project", state: "absent" },
      ],
    });
  });

  it("connects a client, says what it did and what to do next, and does nothing the second time", async () => {
    const { code, stdout } = await connect("codex");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Codex is connected\. Added to ~.\.codex.config\.toml, under mcp_servers > intercom:\n\n {4}\[mcp_servers\.intercom\]\n/,
    );
    expect(stdout).toMatch(
      /\nThe file as it was: ~.*config\.toml\.agent-intercom-backup-\d{8}T\d{9}Z\nBack to it: agent-intercom connect --undo codex\n/,
    );
    expect(stdout).toMatch(/\nNext:\n1\. Start the daemon: agent-intercom start\n2\. Start a new session of Codex/);
    const text = read(codexFile);
    expect(text.startsWith(`${docs}\n[mcp_servers.intercom]\n`)).toBe(true);
    const again = await connect("codex");
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Codex is already connected in .*Nothing was changed\.\n$/),
    });
    expect(read(codexFile)).toBe(text);
  });

  it("names a program that is there, the scope, and where the daemon is, but no token", async () => {
    const { entry, action } = (await connect("codex", "--scope", "shop", "--json")).json<{
      action: string;
      entry: { command: string; args: string[] };
    }>();
    expect(action).toBe("add");
    const ours = ["mcp", "--client", "codex", "--scope", "shop", "--runtime-dir", join(cli.home, "run")];
    expect(entry.args.slice(-ours.length)).toEqual(ours);
    if (process.platform !== "win32") expect(entry.command).toBe(join(ROOT, "bin", "agent-intercom"));
    expect(read(codexFile)).not.toMatch(/token/i);
  });

  it("over HTTP refers to the variable with the token, at the address of the daemon", async () => {
    const { code, stdout } = await connect("codex", "--http", "--address", "http://127.0.0.1:4999");
    expect(code).toBe(0);
    expect(read(codexFile)).toContain(
      'url = "http://127.0.0.1:4999/mcp"\nbearer_token_env_var = "AGENT_INTERCOM_TOKEN"\n',
    );
    expect(stdout).toMatch(/Where Codex is started, set AGENT_INTERCOM_TOKEN/);
    const refused = await connect("zed", "--http", "--json");
    expect(refused.code).toBe(2);
    expect(errorOf(refused)).toMatchObject({
      code: "NOT_OFFERED",
      message: expect.stringMatching(/Zed sends headers as they are written/),
    });
  });

  it("--print shows the entry and where it goes, and writes nothing", async () => {
    const { code, stdout } = await connect("goose", "--print");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^For Goose, in ~.*config\.yaml:\n\n {4}extensions:\n {6}intercom:\n {8}type: stdio\n/);
    expect(stdout).toMatch(/Nothing was changed\./);
    const json = (await connect("goose", "--print", "--json")).json<{ snippet: string; path: string[] }>();
    expect(json).toMatchObject({ client: "goose", format: "yaml", path: ["extensions", "intercom"] });
    expect(readdirSync(cli.home).sort()).toEqual([".codex"]);
  });

  it("--remove and --undo give the file back as it was", async () => {
    await connect("codex");
    const removed = await connect("codex", "--remove");
    expect(removed.stdout).toMatch(/^Codex is no longer connected\. Removed mcp_servers > intercom from ~/);
    expect(read(codexFile)).toBe(docs);
    expect((await connect("codex", "--remove")).stdout).toMatch(/^Codex was not connected in/);
    expect((await connect("--undo", "codex")).stdout).toMatch(/config\.toml is as it was before the latest change\.\n/);
    expect(read(codexFile)).toContain("[mcp_servers.intercom]");
    await connect("--undo", "codex");
    expect(read(codexFile)).toBe(docs);
    expect(readdirSync(join(cli.home, ".codex"))).toEqual(["config.toml"]);
    const nothing = await connect("--undo", "codex", "--json");
    expect(nothing.code).toBe(4);
    expect(errorOf(nothing)).toMatchObject({ code: "NO_BACKUP" });
  });

  it("--undo stops when the file was changed since, and says what can be done", async () => {
    await connect("codex");
    writeFileSync(codexFile, `x = 1\n${read(codexFile)}`);
    const { code, stderr } = await connect("--undo", "codex");
    expect(code).toBe(5);
    expect(stderr).toMatch(
      /has been changed since Agent Intercom changed it\.\nNothing was changed\. .*connect codex --remove\nThe backup is .*backup-/,
    );
  });

  it("--force alone replaces an entry that is not ours", async () => {
    const foreign = '[mcp_servers.intercom]\ncommand = "other"\n';
    writeFileSync(codexFile, foreign);
    const refused = await connect("codex", "--json");
    expect(refused.code).toBe(5);
    expect(errorOf(refused)).toMatchObject({ code: "FOREIGN_ENTRY", hint: expect.stringContaining("--force") });
    expect(read(codexFile)).toBe(foreign);
    expect((await connect("codex", "--force")).code).toBe(0);
    expect(read(codexFile)).toContain('"--client", "codex"');
  });

  it("--project uses the folder it is run in", async () => {
    const { code, stdout } = await cli.run(["connect", "claude-code", "--project", "--json"], { env });
    expect(code).toBe(0);
    const file = join(cli.home, ".mcp.json");
    expect(JSON.parse(stdout)).toMatchObject({ action: "add", place: "project", file });
    expect(JSON.parse(read(file)).mcpServers.intercom).toMatchObject({ type: "stdio" });
    expect((await cli.run(["connect"], { env })).stdout).toMatch(
      /^claude-code .* yes in this project +~.\.mcp\.json$/m,
    );
  });

  it.each([
    { args: ["nope"], says: /There is no client 'nope'\.\nClients: claude-code, / },
    { args: ["--print"], says: /--print needs a client/ },
    { args: ["codex", "--print", "--remove"], says: /--print and --remove do not go together/ },
    { args: ["codex", "--http", "--undo"], says: /--http and --undo do not go together/ },
    { args: ["codex", "--http", "--scope", "shop"], says: /--scope and --http do not go together/ },
    { args: ["goose", "--project"], says: /Goose has no configuration for a single project/ },
    { args: ["codex", "--scope", "-x y"], says: /--scope: -x y cannot be the id of a scope/ },
  ])("exits with 2 and changes nothing: $args", async ({ args, says }) => {
    const outcome = await connect(...args);
    expect(outcome).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(says) });
    expect(read(codexFile)).toBe(docs);
  });
});
