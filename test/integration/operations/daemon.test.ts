import { once } from "node:events";
import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { expect, test } from "vitest";
import { COMPATIBLE_PROTOCOLS, FEATURES, PROTOCOL_NAME, PROTOCOL_VERSION } from "../../../protocol/index.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { exchange } from "../../support/http.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

test("health says what the daemon is, under both of its paths, to everybody", async () => {
  const health = await intercom().call("health", {});
  expect(health).toMatchObject({
    name: PROTOCOL_NAME,
    protocolVersion: PROTOCOL_VERSION,
    features: [...FEATURES],
    compatible: [...COMPATIBLE_PROTOCOLS],
    instanceId: intercom().daemon.instanceId,
    status: "ready",
    storage: { backend: "sqlite", status: "available" },
  });
  expect(health.features).toContain("session-retirement");
  const alias = await exchange(intercom().address, { method: "GET", path: "/health/ready" });
  expect(alias).toMatchObject({ status: 200, body: health });
  const { name, startedAt } = health;
  expect(await intercom().call("liveness", {})).toEqual({ name, status: "alive", startedAt });
});

test("a restart is another instance on the same data", async () => {
  const scope = await intercom().scope();
  const { instanceId, adminToken } = intercom().daemon;
  await intercom().restart();
  expect(intercom().daemon.instanceId).not.toBe(instanceId);
  expect(await intercom().refused("overview", {}, { token: adminToken })).toMatchObject({ code: "UNAUTHENTICATED" });
  expect(await scope.call("getScope", {})).toMatchObject({ scopeId: scope.id });
});

test("shutdown is answered, ends what waits, and leaves nothing running", async () => {
  const daemon = await TestDaemon.start();
  const scope = await daemon.scope();
  const agent = await scope.agent("a");
  const waiting = agent.call("reserveInbox", { waitMs: 25_000 });
  await agent.call("whoAmI", {});
  expect(await daemon.admin.call("shutdown", {})).toEqual({ stopping: true });
  expect(await waiting).toBeNull();
  await daemon.daemon.stopped;
  expect(existsSync(daemon.daemon.runFile)).toBe(false);
  await expect(fetch(`${daemon.address}/health`)).rejects.toThrow();
  await daemon.close();
});

test("a connection nobody asks anything on does not hold up the end", async () => {
  const daemon = await TestDaemon.start();
  const socket = createConnection({ host: "127.0.0.1", port: daemon.port });
  await once(socket, "connect");
  await daemon.settle();
  const started = performance.now();
  await daemon.close();
  expect(performance.now() - started).toBeLessThan(1500);
  socket.destroy();
});
