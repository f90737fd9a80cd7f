import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import { CliHome, output } from "../support/cli.ts";
import { until } from "../support/waiting.ts";

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.close());

const onUnix = process.platform === "win32" ? it.skip : it;

describe("start, status and stop", () => {
  it("start a daemon in the background that outlives the command, know it, and stop it", async () => {
    const started = await home.run(["start"]);
    expect(started).toMatchObject({ code: 0, stderr: "" });
    expect(started.stdout).toMatch(/^Agent Intercom .* is running at http:\/\/127\.0\.0\.1:\d+ \(pid \d+\)\./);
    expect(started.stdout).toMatch(/What next:\n {2}agent-intercom connect/);
    const run = home.runFile();
    expect(run.owner).toBe("cli");
    expect(isProcessAlive(run.pid)).toBe(true);
    expect(await home.admin().listScopes()).toMatchObject([{ scopeId: "default", linkPolicy: "open" }]);

    const again = await home.run(["start", "--json"]);
    expect(again.json()).toMatchObject({ alreadyRunning: true, address: run.address, pid: run.pid });
    expect(again.code).toBe(0);

    const status = await home.run(["status"]);
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/is ready at http.*\n.*pid \d+, started .* by cli/);
    expect(status.stdout).toMatch(/default +open/);

    const stopped = await home.run(["stop"]);
    expect(stopped).toMatchObject({ code: 0, stdout: "The daemon has stopped.\n" });
    expect(isProcessAlive(run.pid)).toBe(false);
    expect(existsSync(join(home.runtimeDir, "run.json"))).toBe(false);
    expect(await home.run(["stop"])).toMatchObject({ code: 0, stdout: "The daemon is not running.\n" });
    const gone = await home.run(["status", "--json"]);
    expect(gone.code).toBe(3);
    expect(gone.json()).toEqual({ running: false, state: "stopped" });
  });

  onUnix("is nobody's child, since there are programs that end what their children have started", async () => {
    // This process goes on, as a client's server does.
    expect((await home.call(["start"])).code).toBe(0);
    const processes = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
    const parentOf = new Map(
      processes
        .trim()
        .split("\n")
        .map((line) => line.trim().split(/ +/).map(Number) as [number, number]),
    );
    for (let pid = home.runFile().pid; pid > 1; pid = parentOf.get(pid) ?? 0) expect(pid).not.toBe(process.pid);
  });

  it("--foreground stays, says the same, and stops at a signal", async () => {
    const child = home.spawn(["start", "--foreground"]);
    const said = output(child);
    const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
    await until("it is ready", () => said.text.includes("What next:"), 15_000);
    expect(home.runFile().pid).toBe(child.pid);
    const second = await home.run(["start", "--foreground"]);
    expect(second.code).toBe(5);
    expect(second.stderr).toMatch(/already running at/);
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    expect(existsSync(join(home.runtimeDir, "run.json"))).toBe(false);
    expect(said.text).not.toContain('"level"');
  });

  it("a taken port is explained with its owner, in the background too", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const taken = await home.run(["start", "--port", String(port)]);
      expect(taken.code).toBe(5);
      expect(taken.stdout).toBe("");
      expect(taken.stderr).toMatch(new RegExp(`^Error: Port ${port} is taken by .*Choose another with --port`));
      const json = await home.run(["start", "--json", "--port", String(port)]);
      expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "CONFLICT", exitCode: 5 } });
    } finally {
      server.close();
    }
  });

  it("may be started twice at the same moment, and one daemon runs", async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => home.run(["start", "--json"])));
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(3).fill({ code: 0, stderr: "" }));
    const { pid } = home.runFile();
    for (const outcome of outcomes) expect(outcome.json()).toMatchObject({ state: "running", pid });
    expect(outcomes.filter((outcome) => !outcome.json().alreadyRunning)).toHaveLength(1);
  });

  it("recovers from a daemon that was killed", async () => {
    await home.run(["start"]);
    const { pid } = home.runFile();
    process.kill(pid, "SIGKILL");
    await until("it is dead", () => !isProcessAlive(pid));
    const status = await home.run(["status"]);
    expect(status.code).toBe(3);
    expect(status.stdout).toMatch(/ended without clearing up/);
    expect((await home.run(["agent", "list"])).code).toBe(3);
    expect((await home.run(["start"])).code).toBe(0);
    expect(home.runFile().pid).not.toBe(pid);
  });

  it("a start that fails says why and leaves nothing running", async () => {
    mkdirSync(home.runtimeDir, { mode: 0o700 });
    mkdirSync(home.dataDir, { mode: 0o700 });
    writeFileSync(
      join(home.dataDir, "intercom.db"),
      "this is no database at all, but it is long enough to be looked at",
    );
    const failed = await home.run(["start"]);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toMatch(/^Error: /);
    expect(failed.stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(join(home.runtimeDir, "run.json"))).toBe(false);
  });

  onUnix("keeps everything it writes to this user, and credentials out of logs", async () => {
    await home.run(["start"]);
    const { adminToken } = home.runFile();
    await home.run(["scope", "create", "private"]);
    await home.run(["stop"]);
    const logs = join(home.dataDir, "logs");
    for (const directory of [home.dataDir, home.runtimeDir, logs])
      expect(lstatSync(directory).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(logs)) {
      expect(lstatSync(join(logs, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(logs, name), "utf8")).not.toContain(adminToken);
    }
    expect(readFileSync(join(logs, "daemon.log"), "utf8")).toContain('"message":"listening"');
  });
});

describe("doctor", () => {
  it("says that nothing runs, and exits with 1", async () => {
    const outcome = await home.run(["doctor"]);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(/FAIL {2}The daemon is not running\n.*\n {6}-> agent-intercom start/);
  });

  it("is content with a fresh daemon, and finds mail nobody reads", async () => {
    await home.run(["start"]);
    const healthy = await home.run(["doctor", "--json"]);
    expect(healthy.code).toBe(0);
    expect(healthy.json()).toMatchObject({ healthy: true });
    expect(healthy.json<{ findings: { check: string }[] }>().findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        "node",
        "data-directory",
        "runtime-directory",
        "disk",
        "run-file",
        "daemon",
        "protocol",
        "storage",
        "clock",
      ]),
    );
    const scope = home.admin().scope("default");
    const { agentToken } = await scope.registerAgent({ id: "gone", displayName: "Gone" });
    await scope.sendHumanMessage({ to: "gone", body: "hello" });
    await scope.agent(agentToken).retire();
    const worried = await home.run(["doctor"]);
    expect(worried.code).toBe(0);
    expect(worried.stdout).toMatch(/warn {2}1 message for gone in default, which has no live session/);
  });

  onUnix("does not follow a run file it cannot trust, and no other command does", async () => {
    await home.run(["start"]);
    const file = join(home.runtimeDir, "run.json");
    chmodSync(file, 0o644);
    const outcome = await home.run(["doctor"]);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toMatch(/FAIL {2}.*open to other users \(mode 644\)/);
    for (const args of [["agent", "list"], ["stop"], ["start"]]) {
      const refused = await home.run(args);
      expect(refused.code).toBe(6);
      expect(refused.stderr).toMatch(/cannot be trusted/);
    }
    chmodSync(file, 0o600);
  });

  onUnix("finds a directory that is a link", async () => {
    mkdirSync(join(home.home, "elsewhere"), { mode: 0o700 });
    symlinkSync(join(home.home, "elsewhere"), home.dataDir);
    const outcome = await home.run(["doctor"]);
    expect(outcome.stdout).toMatch(/FAIL {2}Data directory .* is a symbolic link/);
    expect((await home.run(["start"])).stderr).toMatch(/is a symbolic link/);
  });
});

describe("demo", () => {
  const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("agent-intercom-demo-"));

  it("plays its story on a daemon of its own and leaves nothing behind", async () => {
    const before = leftovers();
    const outcome = await home.run(["demo"]);
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(outcome.stdout).toMatch(/✓ +1\. Two agents join/);
    expect(outcome.stdout).toMatch(/✓ 11\. The answer arrives/);
    expect(outcome.stdout).toMatch(/All 11 steps really happened/);
    expect(leftovers()).toEqual(before);
    expect(existsSync(home.dataDir)).toBe(false);
  });

  it("clears up when its reader goes away or it is interrupted", async () => {
    const before = leftovers();
    for (const end of ["pipe", "signal"] as const) {
      const child = home.spawn(["demo"]);
      const said = output(child);
      const exit = new Promise((resolve) => child.once("exit", resolve));
      await until("the story has begun", () => said.text.includes("1."), 15_000);
      if (end === "pipe") child.stdout?.destroy();
      else child.kill("SIGINT");
      await exit;
      expect(leftovers()).toEqual(before);
    }
  });

  it("--keep plays on the daemon of this user and leaves the last word to the human", async () => {
    const child = home.spawn(["demo", "--keep"]);
    const exit = new Promise((resolve) => child.once("exit", resolve));
    const said = output(child);
    try {
      await until("you are asked", () => said.text.includes("Your turn"), 15_000);
      const scope = ["--scope", "demo"];
      const [asked] = (await home.run(["escalations", "--json", ...scope])).json<{ escalations: { id: string }[] }>()
        .escalations;
      await home.run(["escalations", "answer", asked?.id ?? "", "Ship it", ...scope]);
      await until("the story is over", () => said.text.includes("stay until you press Ctrl-C"), 15_000);
      expect(said.text).toMatch(/"Ship it", recorded with you as who gave it, and cli as where/);
      const list = await home.run(["message", "list", ...scope]);
      expect(list.stdout).toMatch(/planner -> reviewer {2}request, acknowledged/);
      await home.run(["message", "send", "reviewer", "hello", ...scope]);
      await until("the reviewer answers", async () =>
        (await home.run(["message", "list", ...scope])).stdout.includes("I am an agent of the demo"),
      );
    } finally {
      child.kill("SIGINT");
    }
    expect(await exit).toBe(0);
    expect((await home.run(["agent", "list", "--scope", "demo"])).stdout).toMatch(/offline/);
    expect((await home.run(["stop"])).code).toBe(0);
  });

  it("--keep takes its question back when it is interrupted, and the next one gets a scope of its own", async () => {
    for (const scope of ["demo", "demo-2"]) {
      const child = home.spawn(["demo", "--keep"]);
      const exit = new Promise((resolve) => child.once("exit", resolve));
      const said = output(child);
      await until("you are asked", () => said.text.includes("Your turn"), 15_000);
      child.kill("SIGINT");
      expect(await exit).toBe(130);
      const all = (await home.run(["escalations", "--all", "--json", "--scope", scope])).json<{
        escalations: { status: string }[];
      }>();
      expect(all.escalations.map(({ status }) => status)).toEqual(["cancelled"]);
    }
    expect((await home.run(["stop"])).code).toBe(0);
  });
});
