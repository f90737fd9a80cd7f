import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConnectorClient } from "../../client/index.ts";
import type { Connector, IssuedConnector } from "../../protocol/index.ts";
import { CliHome } from "../support/cli.ts";

const home = new CliHome();
const file = join(home.dataDir, "credentials.json");
let scope = "";
let scopes = 0;
beforeAll(async () => {
  const started = await home.run(["start"]);
  if (started.code !== 0) throw new Error(started.stderr);
});
afterAll(() => home.close());
beforeEach(async () => {
  scopes += 1;
  scope = `s${scopes}`;
  await home.admin().createScope({ id: scope });
});

const run = (...args: string[]) => home.call(["connector", ...args, "--scope", scope]);
const list = async () => (await run("list", "--json")).json<{ connectors: Connector[] }>().connectors;
const profiles = () =>
  (JSON.parse(readFileSync(file, "utf8")) as { profiles: Record<string, { token: string }> }).profiles;
const connect = (connectorToken: string) =>
  new ConnectorClient({ address: home.runFile().address, connectorToken }).connect();

describe("connector", () => {
  it("create shows the credential once; list shows none", async () => {
    expect((await run("list")).stdout).toMatch(/There is no connector.*connector create NAME/);
    const made = await run("create", "Claude Code", "--agent-name", "claude", "--tools", "bus", "--lease", "1h");
    expect(made.stdout).toMatch(
      /^Made Claude Code \(conn_\w+\)\. Its agents are called claude\.\nThe credential, shown only now: conn_\w+\.\S{43}\n$/,
    );
    const token = made.stdout.trim().split(" ").at(-1) as string;
    expect(await connect(token)).toMatchObject({ agentId: "claude", toolSet: "bus", leaseMs: 3_600_000 });
    const shown = await run("list");
    expect(shown.stdout).toMatch(/Claude Code +conn_\w+ +claude +bus +1 h +enabled +claude +/);
    expect(shown.stdout + (await run("list", "--json")).stdout).not.toContain(token.split(".")[1]);
    const json = (await run("create", "other", "--json")).json<IssuedConnector>();
    expect(json).toMatchObject({ connector: { agentName: "other", toolSet: "team" }, credential: expect.any(String) });
  });

  it.each([
    [["create"], 2, /missing required argument/i],
    [["create", "x", "--tools", "all"], 2, /team, bus, intercom/],
    [["create", "x", "--lease", "1s"], 2, /leaseMs: expected 0 or 30000/],
    [["create", "x", "--agent-name", "a b"], 2, /agentName: expected an identifier/],
    [["create", "x", "--save", "a b"], 2, /--save: a b cannot be the name of a profile/],
    [["rotate", "x"], 4, /no connector x\.\n.*connector list/],
    [["revoke", "x"], 4, /no connector x\.\n.*connector list/],
  ])("%j is refused with what to do", async (args, code, stderr) => {
    expect(await run(...args)).toMatchObject({ code, stderr: expect.stringMatching(stderr) });
    expect(await list()).toEqual([]);
  });

  it("create refuses a name that is taken", async () => {
    await run("create", "claude");
    expect(await run("create", "claude")).toMatchObject({ code: 5, stderr: expect.stringMatching(/exists already/) });
  });

  it("create --save keeps the credential and shows none, rotate --save finds the profile again, revoke removes it", async () => {
    const made = await run("create", "Claude (1)", "--save");
    expect(made.stdout).toMatch(/kept as the profile Claude-1\. Use it with: agent-intercom mcp --profile Claude-1\n$/);
    const before = profiles()["Claude-1"]?.token as string;
    expect(made.stdout + made.stderr).not.toContain(before.split(".")[1]);
    await connect(before);
    const rotated = await run("rotate", "Claude (1)", "--save", "--json");
    const after = profiles()["Claude-1"]?.token as string;
    expect(rotated.json()).toMatchObject({ profile: "Claude-1", file, connector: { name: "Claude (1)" } });
    expect(rotated.stdout).not.toContain(after.split(".")[1]);
    expect(after).not.toBe(before);
    await expect(connect(before)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect((await connect(after)).agentId).toBe("Claude-1-2");
    const revoked = await run("revoke", "Claude (1)");
    expect(revoked.stdout).toMatch(
      /^Claude \(1\) \(conn_\w+\) no longer works\.\nGone with it: Claude-1, Claude-1-2\nThe profile Claude-1 is gone too\.\n$/,
    );
    expect(profiles()).not.toHaveProperty("Claude-1");
    await expect(connect(after)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("create --save makes nothing when the profile is another connector's", async () => {
    await run("create", "one", "--save", "shared");
    const { shared } = profiles();
    const refused = await run("create", "two", "--save", "shared");
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringMatching(/profile shared already/) });
    expect((await list()).map(({ name }) => name)).toEqual(["one"]);
    expect(profiles().shared).toEqual(shared);
    const { id } = (await list())[0] as Connector;
    expect((await run("rotate", id)).stdout).toMatch(/no longer works\.\nThe credential, shown only now: conn_/);
    expect(profiles().shared).toEqual(shared);
  });

  it("with a file that cannot be trusted makes nothing and leaves the file alone", async () => {
    await run("create", "first", "--save");
    const good = readFileSync(file, "utf8");
    writeFileSync(file, "{");
    try {
      const refused = await run("create", "second", "--save");
      expect(refused).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(/is not valid JSON\. It was left as it is/),
      });
      expect(readFileSync(file, "utf8")).toBe("{");
      expect(await list()).toHaveLength(1);
    } finally {
      writeFileSync(file, good);
    }
  });
});
