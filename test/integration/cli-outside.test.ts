import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { A2aPrincipal, OutputHistory, OutputPrincipal, OutputStream, OutputValue } from "../../protocol/index.ts";
import { CliHome, type Outcome, output } from "../support/cli.ts";
import { until } from "../support/waiting.ts";

const home = new CliHome();
let scopes = 0;
beforeAll(async () => {
  const started = await home.run(["start"]);
  if (started.code !== 0) throw new Error(started.stderr);
});
afterAll(() => home.close());

/** A scope of its own with the agent ada, and the command acting in it as its owner. */
async function freshScope() {
  scopes += 1;
  const id = `s${scopes}`;
  await home.admin().createScope({ id });
  const owner = home.admin().scope(id);
  const shell = await home.agentShell(owner, "ada");
  const run = (...args: string[]) => home.call([...args, "--scope", id]);
  const asAda = (args: string[], input = "") => home.call(args, { env: shell, input });
  return { id, owner, run, asAda };
}

function holder(credential: string) {
  return (args: string[], input = "") =>
    home.call(args, { env: { AGENT_INTERCOM_OUTPUT_CREDENTIAL: credential }, input });
}

const idIn = (outcome: Outcome) => /\((out_\w+)\)/.exec(outcome.stdout)?.[1] as string;
const secretIn = (outcome: Outcome) => /^The credential, shown only now: (\S+)$/m.exec(outcome.stdout)?.[1] as string;

describe("output streams", () => {
  it("are opened, listed and removed, by id or name", async () => {
    const { run } = await freshScope();
    expect((await run("output", "list")).stdout).toMatch(/There is no output stream.*output create NAME/);
    const made = await run("output", "create", "build", "--retain", "5", "--publisher", "ada");
    expect(made.stdout).toMatch(/^Opened build \(out_\w+\)\.\nAgents that may publish to build: ada\n$/);
    const json = await run("output", "create", "second", "--json");
    expect(json.json<OutputStream>()).toMatchObject({ name: "second", retentionLimit: 1000 });
    expect((await run("output", "create", "build")).code).toBe(5);
    expect((await run("output", "create", "third", "--publisher", "nobody")).code).toBe(4);
    expect((await run("output", "create", "third", "--retain", "0")).code).toBe(2);
    expect((await run("output", "list")).stdout).toMatch(
      /NAME +ID +PUBLISHED +KEEPS +PUBLISHERS[\s\S]*build +out_\w+ +0 +5 +ada/,
    );
    expect((await run("output", "list", "--json")).json<{ streams: unknown[] }>().streams).toHaveLength(2);
    expect((await run("output", "remove", "second")).stdout).toBe("Removed second with its values and credentials.\n");
    expect((await run("output", "remove", idIn(made))).code).toBe(0);
    const gone = await run("output", "remove", "build");
    expect(gone).toMatchObject({ code: 4, stderr: expect.stringMatching(/no output stream build\.\n.*output list/) });
  });

  it("have publishers", async () => {
    const { run } = await freshScope();
    await run("output", "create", "build");
    expect((await run("output", "publisher", "add", "build", "ada")).stdout).toBe(
      "Agents that may publish to build: ada\n",
    );
    expect((await run("output", "publisher", "remove", "build", "ada")).stdout).toMatch(
      /^No agent may publish to build\. .*output publisher add build AGENT\n$/,
    );
    expect((await run("output", "publisher", "add", "build", "nobody")).code).toBe(4);
    expect((await run("output", "publisher")).code).toBe(2);
  });

  it("have credentials, whose secrets are shown once", async () => {
    const { run } = await freshScope();
    const streamId = idIn(await run("output", "create", "build"));
    expect((await run("output", "credential", "list")).stdout).toMatch(/There are no credentials/);
    expect((await run("output", "credential", "create", "build", "page")).stderr).toMatch(/--read, --publish or both/);
    const made = await run("output", "credential", "create", "build", "page", "--read", "--publish");
    expect(made.stdout).toMatch(
      /^Issued cred_\w+ \(page\): may read and publish build \(out_\w+\)\.\nThe credential, shown only now: cred_\w+\.[\w-]{43}\n$/,
    );
    const secret = secretIn(made);
    const id = secret.split(".")[0] as string;
    const list = await run("output", "credential", "list");
    expect(list.stdout).toMatch(new RegExp(`${id} +page +build +read, publish +enabled`));
    const listed = await run("output", "credential", "list", "--json");
    expect(listed.json<{ credentials: OutputPrincipal[] }>().credentials[0]).toMatchObject({ id, streamId });
    expect(list.stdout + listed.stdout).not.toContain(secret.split(".")[1]);

    expect((await run("output", "credential", "disable", id)).stdout).toMatch(/\(page\) no longer works/);
    expect((await holder(secret)(["output", "read", streamId])).code).toBe(6);
    const rotated = await run("output", "credential", "rotate", id);
    expect(rotated.stdout).toMatch(
      /^The old secret of cred_\w+ \(page\) no longer works\. It is still disabled: .*enable cred_/,
    );
    expect((await run("output", "credential", "enable", id)).stdout).toMatch(/\(page\) works again/);
    expect((await holder(secretIn(rotated))(["output", "read", streamId])).stdout).toBe(
      "Nothing has been published yet.\n",
    );
    expect((await holder(secret)(["output", "read", streamId])).code).toBe(6);
    expect((await run("output", "credential", "rotate", "cred_none")).code).toBe(4);
    const json = await run("output", "credential", "create", "build", "x", "--read", "--json");
    expect(json.json()).toMatchObject({ principal: { label: "x" }, credential: expect.stringMatching(/^cred_\w+\./) });
  });

  it("are published to by agents and holders of credentials", async () => {
    const { run, asAda } = await freshScope();
    const streamId = idIn(await run("output", "create", "build", "--publisher", "ada"));
    const publish = ["output", "publish", streamId];
    expect((await asAda([...publish, "queued"])).stdout).toBe(`Published 1 to ${streamId}.\n`);
    expect((await asAda([...publish, "--text", "--dashes"])).code).toBe(0);
    expect((await asAda([...publish, "-"], "from a pipe\n")).code).toBe(0);
    const file = join(home.home, "value.json");
    writeFileSync(file, '{"passed": 12}\n');
    const uri = "https://ci.example/run/7";
    const withFile = await asAda([...publish, "--data", file, "--reference", uri, "--title", "Run 7", "--json"]);
    expect(withFile.json<OutputValue>()).toMatchObject({ value: { passed: 12 }, reference: { uri, title: "Run 7" } });
    const secret = secretIn(await run("output", "credential", "create", "build", "c", "--publish"));
    const asHolder = holder(secret);
    expect((await asHolder([...publish, "--data", "-", "--key", "k"], "[1, 2]")).stdout).toMatch(/^Published 5 /);
    expect((await asHolder([...publish, "--data", "-", "--key", "k"], "[1, 2]")).stdout).toMatch(/^Published 5 /);
    const values = (await run("output", "read", "build", "--json")).json<OutputHistory>().values;
    expect(values.map(({ value }) => value)).toEqual(["queued", "--dashes", "from a pipe", { passed: 12 }, [1, 2]]);

    expect((await asHolder(["output", "read", streamId])).code).toBe(6);
    const nobody = await run("output", "publish", streamId, "x");
    expect(nobody).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/Only a publisher can publish[\s\S]*--publish/),
    });
    const named = await asAda(["output", "publish", "build", "x"]);
    expect(named).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/no stream this shell may publish to\.\n.*by its id/),
    });
    const broken = join(home.home, "broken.json");
    writeFileSync(broken, '{"a":');
    for (const [args, says] of [
      [["a", "--text", "b"], /one value/],
      [["--data", join(home.home, "missing.json")], /cannot be read \(ENOENT\)/],
      [["--data", broken], /expected one JSON value/],
      [["x", "--title", "t"], /--title goes with --reference/],
      [["x", "--reference", "javascript:alert(1)"], /reference\.uri/],
    ] as const) {
      const refused = await asAda([...publish, ...args]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
    }
    await run("output", "publisher", "remove", "build", "ada");
    expect((await asAda([...publish, "x"])).code).toBe(6);
  });

  it("are read and followed, harmlessly", async () => {
    const { owner, run, asAda } = await freshScope();
    const streamId = idIn(await run("output", "create", "build", "--retain", "3", "--publisher", "ada"));
    for (const text of ["one", "two", "\u001b[2Jthree", "four\nlines"])
      await asAda(["output", "publish", streamId, text]);
    const shown = await run("output", "read", "build");
    expect(shown.stdout).toMatch(
      /^\S+ +#2 +ada +two\n\S+ +#3 +ada +\\e\[2Jthree\n\S+ +#4 +ada\n {4}four\n {4}lines\n$/,
    );
    const all = await run("output", "read", streamId, "--after", "0", "--limit", "2");
    expect(all.stderr).toBe("Values up to 1 are no longer kept.\nThere are more. Continue with --after 3\n");
    expect((await run("output", "read", "build", "--after", "4")).stdout).toBe(
      "Nothing has been published after that.\n",
    );
    expect((await run("output", "read", "build", "--after", "5")).code).toBe(2);
    expect((await asAda(["output", "read", streamId])).stderr).toMatch(/this shell belongs to an agent/);

    const { credential } = await owner.createOutputPrincipal({ streamId, label: "l", permissions: ["read"] });
    const following = home.spawn(["output", "read", streamId, "--follow", "--after", "0", "--json"], {
      env: { AGENT_INTERCOM_OUTPUT_CREDENTIAL: credential },
    });
    const said = output(following);
    await until("what is there has come", () => said.text.split("\n").length === 5, 15_000);
    await asAda(["output", "publish", streamId, "five"]);
    await until("the next one has come", () => said.text.includes("five"), 15_000);
    const lines = said.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ type: "resync", sequence: 1 });
    expect(lines.slice(1).map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5]);
    const exit = new Promise((resolve) => following.once("exit", resolve));
    following.kill("SIGINT");
    expect(await exit).toBe(0);
  });
});

describe("a2a", () => {
  it("publishes agents and hides them, by id or agent", async () => {
    const { run } = await freshScope();
    expect((await run("a2a", "list")).stdout).toMatch(/No agent is published/);
    const made = await run("a2a", "publish", "ada");
    expect(made.stdout).toMatch(
      /^Published ada\.\nPublication +pub_\w+\nCard +http\S+agent-card\.json\nInterface +http/,
    );
    expect((await run("a2a", "publish", "ada")).code).toBe(5);
    const id = /pub_\w+/.exec(made.stdout)?.[0] as string;
    expect((await run("a2a", "disable", "ada")).stdout).toBe("A2A clients no longer reach ada.\n");
    expect((await run("a2a", "list")).stdout).toMatch(new RegExp(`ada +${id} +disabled`));
    expect((await run("a2a", "enable", id)).stdout).toBe("A2A clients reach ada again.\n");
    expect((await run("a2a", "list", "--json")).json<{ publications: unknown[] }>().publications).toHaveLength(1);
    expect(await run("a2a", "enable", "bob")).toMatchObject({ code: 4, stderr: expect.stringMatching(/a2a list/) });
  });

  it("issues credentials and shows what they have under way", async () => {
    const { run } = await freshScope();
    await run("a2a", "publish", "ada");
    expect((await run("a2a", "credential", "usage")).stdout).toBe("There are no credentials.\n");
    const made = await run("a2a", "credential", "create", "ada", "ci");
    expect(made.stdout).toMatch(/^Issued cred_\w+ \(ci\): may write to ada\.\nThe credential, shown only now: cred_/);
    const secret = secretIn(made);
    const id = secret.split(".")[0] as string;
    expect((await run("a2a", "credential", "list")).stdout).toMatch(new RegExp(`${id} +ci +ada +enabled`));
    expect((await run("a2a", "credential", "usage")).stdout).toMatch(new RegExp(`${id} +ci +0 of 1000 +0 B of 16 MiB`));
    const rotated = await run("a2a", "credential", "rotate", id, "--json");
    expect(rotated.json<{ credential: string }>().credential).not.toBe(secret);
    expect((await run("a2a", "credential", "disable", id, "--json")).json<A2aPrincipal>().enabled).toBe(false);
    expect((await run("a2a", "credential", "enable", id)).stdout).toMatch(/\(ci\) works again/);
    expect((await run("a2a", "credential", "list", "--json")).stdout).not.toContain(secret.split(".")[1]);
  });
});
