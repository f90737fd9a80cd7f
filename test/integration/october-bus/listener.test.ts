import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { startDaemon } from "../../../daemon/index.ts";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import { useTemporaryDirectory } from "../../fixtures/temporary-directory.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { exchange } from "../../support/http.ts";
import { rawRequest } from "../../support/raw.ts";
import { until } from "../../support/waiting.ts";
import { Guest, guestAddress } from "./guest.ts";

const path = useTemporaryDirectory();
const waitingCalls = watchWaitingCalls();
const running: TestDaemon[] = [];
afterEach(async () => {
  for (const intercom of running.splice(0)) await intercom.close();
});

async function start(options: Parameters<typeof TestDaemon.start>[0] = {}): Promise<TestDaemon> {
  const intercom = await TestDaemon.start(options);
  running.push(intercom);
  return intercom;
}

const health = (address: string) => exchange(address, { method: "GET", path: "/health" });

describe("the listener for clients of October Bus 0.1", () => {
  test("is off unless it is asked for", async () => {
    const intercom = await start();
    expect(intercom.daemon.octoberBusAddress).toBeUndefined();
    expect(JSON.parse(readFileSync(intercom.daemon.runFile, "utf8"))).not.toHaveProperty("octoberBusAddress");
  });

  test("has an address of its own on loopback, which the run file tells", async () => {
    const intercom = await start({ octoberBusPort: 0 });
    const address = guestAddress(intercom);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(address).not.toBe(intercom.address);
    expect(JSON.parse(readFileSync(intercom.daemon.runFile, "utf8"))).toMatchObject({
      address: intercom.address,
      octoberBusAddress: address,
    });
    expect((await health(address)).body).toMatchObject({ name: "october-bus", protocolVersion: "0.1" });
    expect((await health(intercom.address)).body).toMatchObject({ name: "agent-intercom", protocolVersion: "1.0" });
  });

  test("serves the same scopes, agents and messages as the other", async () => {
    const intercom = await start({ octoberBusPort: 0 });
    const scope = await intercom.scope();
    const [alice, bob] = await scope.agents("alice", "bob");
    const { messageId } = await new Guest(intercom, alice.token).call("sendMessage", { to: "bob", body: "Hello" });
    expect(await bob.pull()).toMatchObject([{ id: messageId, body: "Hello", state: "delivered" }]);
  });

  test("keeps the guards of the other: strange hosts and origins are refused", async () => {
    const intercom = await start({ octoberBusPort: 0 });
    const port = Number(new URL(guestAddress(intercom)).port);
    const at = (headers: Record<string, string>) => rawRequest(port, { path: "/health", headers });
    expect((await at({ Host: "evil.example" })).status).toBe(403);
    expect((await at({ Host: `127.0.0.1:${port}`, Origin: "https://evil.example" })).status).toBe(403);
    expect((await at({ Host: `localhost:${port}` })).status).toBe(200);
  });

  test("stops with the daemon: calls that wait are answered, then nobody listens", async () => {
    const intercom = await start({ octoberBusPort: 0 });
    const address = guestAddress(intercom);
    const scope = await intercom.scope();
    const alice = new Guest(intercom, (await scope.agent("alice")).token);
    const waiting = alice.call("reserveInbox", { waitMs: 20_000 });
    await until("the call waits", () => waitingCalls() === 1);
    await intercom.daemon.stop();
    expect(await waiting).toBeNull();
    await expect(health(address)).rejects.toThrow();
  });

  test("is there again after a restart on the same port", async () => {
    const first = await start({ octoberBusPort: 0 });
    const port = Number(new URL(guestAddress(first)).port);
    await first.daemon.stop();
    const second = await start({ octoberBusPort: port });
    expect(guestAddress(second)).toBe(`http://127.0.0.1:${port}`);
    await second.restart();
    expect((await health(guestAddress(second))).status).toBe(200);
  });
});

describe("a port that is taken", () => {
  test("keeps the daemon from starting, and its owner is named with the option to change it", async () => {
    const stranger = createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const { port } = stranger.address() as AddressInfo;
    const options = { dataDir: path("data"), runtimeDir: path("run"), port: 0, env: {} };
    try {
      await expect(startDaemon({ ...options, octoberBusPort: port })).rejects.toMatchObject({
        code: "CONFLICT",
        message: expect.stringMatching(
          new RegExp(`^Port ${port} is taken by .*Choose another with --october-bus-port`),
        ) as string,
        details: { reason: "port_taken", port },
      });
    } finally {
      stranger.close();
    }
    // Nothing of the failed start is left: neither locks nor the first listener.
    const daemon = await startDaemon({ ...options, octoberBusPort: port });
    expect(daemon.octoberBusAddress).toBe(`http://127.0.0.1:${port}`);
    await daemon.stop();
  });

  test("by the daemon's other listener is told before anything is opened", async () => {
    const options = { dataDir: path("data"), runtimeDir: path("run"), port: 4999, octoberBusPort: 4999, env: {} };
    await expect(startDaemon(options)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^octoberBusPort: expected another port than 4999/) as string,
    });
  });
});
