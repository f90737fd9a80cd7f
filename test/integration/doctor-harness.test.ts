import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codex } from "../../harness/programs/codex.ts";
import { roundTrip } from "../../harness/round-trip/round-trip.ts";
import type { Fault } from "../fixtures/fake-program.ts";
import { CliHome, MAIN, type Outcome } from "../support/cli.ts";

/** What is told about a client's program that works, and about one that does not; the program is one of ours. */

const FIXTURE = pathToFileURL(join(import.meta.dirname, "../fixtures/fake-program.ts")).href;

let cli: CliHome;
beforeAll(async () => {
  cli = new CliHome();
  await cli.run(["start"]);
});
afterAll(() => cli.close());

/** A program with a fault, as a file. */
function program(fault: Fault): string {
  const path = join(cli.home, `${fault}.mjs`);
  writeFileSync(path, `globalThis.fault = ${JSON.stringify(fault)};\nawait import(${JSON.stringify(FIXTURE)});\n`);
  return path;
}

interface Report {
  readonly healthy: boolean;
  readonly examined: {
    evidence: { checks: { name: string; ok: boolean; detail?: string }[] };
    file: string;
  }[];
}

const doctor = (...args: string[]): Promise<Outcome> =>
  cli.call(["doctor", "--harness", ...args], { env: { HOME: cli.home } });

async function failures(fault: Fault): Promise<Record<string, string | undefined>> {
  const outcome = await doctor("codex", "--program", program(fault), "--json");
  const { healthy, examined } = outcome.json<Report>();
  const failed = (examined[0]?.evidence.checks ?? []).filter(({ ok }) => !ok);
  expect([outcome.code, healthy]).toEqual(failed.length === 0 ? [0, true] : [1, false]);
  return Object.fromEntries(failed.map(({ name, detail }) => [name, detail]));
}

const errorOf = ({ stderr }: Outcome) => JSON.parse(stderr.trim().split("\n").at(-1) ?? "").error;

describe("a program that works", () => {
  it("passes every check, is written down, and only then called verified", async () => {
    expect((await cli.call(["connect"])).stdout).not.toContain("VERIFIED");
    const { code, stdout } = await doctor("codex", "--program", program("none"));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Codex 9\.8\.7-fake, over stdio, in [\d.]+ s\n/);
    expect(stdout.match(/^ {2}ok {4}/gm)).toHaveLength(8);
    expect(stdout).toMatch(/All is well\.\n$/);
    const file = join(cli.dataDir, "evidence", "codex-9.8.7-fake.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      client: "codex",
      clientVersion: "9.8.7-fake",
      platform: process.platform,
      arch: process.arch,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      productVersion: expect.stringMatching(/^\d/),
      checks: expect.arrayContaining([{ name: "reply", ok: true }]),
    });
    expect((await cli.call(["connect"])).stdout).toMatch(/^codex .* 9\.8\.7-fake on \d{4}-\d\d-\d\d /m);
    const connected = await cli.call(["connect", "codex"], {
      env: { HOME: cli.home, CODEX_HOME: join(cli.home, "c") },
    });
    expect(connected.stdout).toMatch(/Verified with Codex 9\.8\.7-fake on \d{4}/);
  });

  it("leaves no scope and no agent behind, and nothing in the user's own configuration", async () => {
    expect((await cli.admin().listScopes()).map(({ scopeId }) => scopeId)).toEqual(["default"]);
    expect(existsSync(join(cli.home, ".codex"))).toBe(false);
  });
});

describe("a program that does not work", () => {
  it("fails in what it does not do, with what was seen", async () => {
    expect(await failures("hides-the-tools")).toMatchObject({
      tools: "none is offered",
      discover: "No tool list_agents is on offer",
      acknowledge: "0 of 0 messages are acknowledged",
    });
    const deaf = await failures("shows-no-results");
    expect(Object.keys(deaf)).toEqual(["discover", "receive", "reply", "answer", "acknowledge"]);
    expect(deaf.reply).toBe("Nothing is there for {{check_inbox.messages.0.id}}");
    expect(Object.keys(await failures("calls-nothing"))).toEqual(
      expect.arrayContaining(["discover", "send", "receive", "reply", "answer", "acknowledge"]),
    );
  });

  it("is quoted when it ends at once, and is verified no longer", async () => {
    expect(await failures("crashes")).toMatchObject({
      starts: "it ended with 3 before it asked the model anything, and last said: the configuration is cursed",
      tools: "none is offered",
    });
    expect((await cli.call(["connect"])).stdout).not.toContain("VERIFIED");
  });

  it("is ended when it takes too long, with what it has started", async () => {
    const { address } = cli.runFile();
    const launcher = { command: process.execPath, args: [MAIN] };
    const checks = await roundTrip({
      program: codex,
      file: program("hangs"),
      admin: cli.admin(),
      entry: { launcher, address, runtimeDir: cli.runtimeDir },
      dataDir: cli.dataDir,
      env: process.env,
      timeoutMs: 500,
    });
    expect(checks[0]).toMatchObject({
      name: "starts",
      ok: false,
      detail: expect.stringContaining("did not end in time"),
    });
  });

  it("is no evidence when it cannot be started or tells no version", async () => {
    const before = readdirSync(join(cli.dataDir, "evidence"));
    const refused = await doctor("codex", "--program", program("no-version"), "--json");
    expect(refused.code).toBe(1);
    expect(errorOf(refused)).toMatchObject({
      code: "NOT_STARTABLE",
      message: expect.stringContaining("tells no version"),
    });
    const notExecutable = join(cli.home, "data.txt");
    writeFileSync(notExecutable, "");
    chmodSync(notExecutable, 0o600);
    expect(errorOf(await doctor("codex", "--program", notExecutable, "--json"))).toMatchObject({
      code: "NOT_STARTABLE",
    });
    expect(readdirSync(join(cli.dataDir, "evidence"))).toEqual(before);
  });
});

describe("what cannot be checked", () => {
  it.each<[string[], number, RegExp]>([
    [["cursor"], 1, /^Cursor cannot be checked this way/],
    [["nobody"], 2, /^There is no client 'nobody'/],
    [["all", "--program", "x"], 2, /^--program needs one client/],
    [["codex", "--program", "/nowhere/codex"], 2, /there is no file .*codex/],
    [["codex", "--fix"], 2, /do not go together/],
  ])("%j is refused with a sentence", async (args, code, message) => {
    const refused = await doctor(...args, "--json");
    expect(refused.code).toBe(code);
    expect(errorOf(refused).message).toMatch(message);
  });

  it("names the programs that are not here, and takes those that are", async () => {
    const bin = join(cli.home, "bin");
    mkdirSync(bin);
    const env = { HOME: cli.home, PATH: bin };
    const none = await cli.call(["doctor", "--harness", "all", "--json"], { env });
    expect(none.code).toBe(4);
    expect(errorOf(none).message).toBe("Not found on the PATH: Claude Code, Codex, OpenCode.");
    const words = `#!/bin/sh\nexec ${process.execPath} ${program("none")} "$@"\n`;
    writeFileSync(join(bin, "codex"), words, { mode: 0o755 });
    const some = await cli.call(["doctor", "--harness", "all", "--json"], {
      env: { ...env, PATH: `${bin}:${process.env.PATH}` },
    });
    expect(some.json()).toMatchObject({
      healthy: true,
      examined: [{ evidence: { client: "codex" } }],
      notFound: ["claude-code", "opencode"],
    });
  });

  it("without a daemon it says how to start one", async () => {
    const refused = await cli.call(["doctor", "--harness", "codex", "--program", program("none"), "--json"], {
      env: { AGENT_INTERCOM_RUNTIME_DIR: join(cli.home, "elsewhere") },
    });
    expect(refused.code).toBe(3);
    expect(errorOf(refused).hint).toContain("agent-intercom start");
  });

  it("--program is for --harness", async () => {
    expect((await cli.call(["doctor", "--program", "x"])).code).toBe(2);
  });
});
