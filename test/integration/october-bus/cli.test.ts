import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CliHome } from "../../support/cli.ts";

let home: CliHome;
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.close());

test("start --october-bus-port opens the listener, and start, status and doctor tell where it is", async () => {
  const started = await home.run(["start", "--october-bus-port", "0"]);
  expect(started).toMatchObject({ code: 0, stderr: "" });
  const address = home.runFile().octoberBusAddress as string;
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(started.stdout).toContain(`October Bus 0.1  ${address}\n`);
  const health = await (await fetch(`${address}/health`)).json();
  expect(health).toMatchObject({ name: "october-bus", status: "ready" });

  expect((await home.call(["status"])).stdout).toContain(`October Bus 0.1  ${address}\n`);
  expect((await home.call(["status", "--json"])).json()).toMatchObject({ octoberBusAddress: address });
  expect((await home.call(["doctor"])).stdout).toContain(`Clients of October Bus 0.1 are served at ${address}`);
  // The credential in the run file is good for both addresses in it.
  const there = await home.call(["status", "--address", address]);
  expect(there.stdout).toMatch(/is ready at .*\n(.*\n)*Protocol +0\.1\n(.*\n)*default/);
  // What `agent run` starts finds the listener that is meant for it.
  const print = "process.stdout.write(process.env.OCTOBER_BUS_ADDRESS + ' ' + process.env.AGENT_INTERCOM_ADDRESS)";
  const ran = await home.run(["agent", "run", "--id", "guest", "--", process.execPath, "-e", print]);
  expect(ran.stdout).toBe(`${address} ${home.runFile().address}`);
  const again = await home.call(["start", "--october-bus-port", "0", "--json"]);
  expect(again.json()).toMatchObject({ alreadyRunning: true, octoberBusAddress: address });
});

test("without it nothing speaks of it, and asking for it later says what to do", async () => {
  await home.run(["start"]);
  expect(home.runFile().octoberBusAddress).toBeUndefined();
  for (const command of ["status", "doctor"]) {
    const { stdout } = await home.call([command]);
    expect(stdout).not.toContain("October Bus");
  }
  const asked = await home.call(["start", "--october-bus-port", "0"]);
  expect(asked.code).toBe(5);
  expect(asked.stderr).toContain("It does not serve clients of October Bus 0.1.");
  expect(asked.stderr).toContain("agent-intercom stop");
});

test("settings and variables count, and what is wrong in them is told with exit code 2", async () => {
  mkdirSync(home.dataDir, { recursive: true, mode: 0o700 });
  const settings = (value: unknown) => writeFileSync(join(home.dataDir, "settings.json"), JSON.stringify(value));
  settings({ octoberBusPort: true });
  const refused = await home.run(["start"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("settings.json cannot be used: octoberBusPort: expected a whole number");

  settings({ octoberBusPort: 0 });
  const variable = await home.run(["start"], { env: { AGENT_INTERCOM_OCTOBER_BUS_PORT: "4765x" } });
  expect(variable.code).toBe(2);
  expect(variable.stderr).toContain("AGENT_INTERCOM_OCTOBER_BUS_PORT: expected a whole number from 0 to 65535");
  const port = await home.run(["start"], { env: { AGENT_INTERCOM_PORT: "x" } });
  expect(port.code).toBe(2);
  expect(port.stderr).toContain("AGENT_INTERCOM_PORT: expected a whole number from 0 to 65535");

  const started = await home.run(["start", "--json"]);
  expect(started.json()).toMatchObject({ octoberBusAddress: home.runFile().octoberBusAddress });
  expect(home.runFile().octoberBusAddress).toMatch(/^http:/);
});
