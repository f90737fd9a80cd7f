import { expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { makeWorld } from "../../support/fixtures.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

test("a remembered answer is forgotten after its time", async () => {
  const { scope } = await makeWorld(intercom());
  const key = "k";
  const first = await scope.call("addTask", { title: "t" }, { key });
  await intercom().advance(LIMITS.idempotencyLifetimeMs - 1);
  expect((await scope.call("addTask", { title: "t" }, { key })).id).toBe(first.id);
  // Forgetting is done together with whatever falls due next.
  await scope.agent("brief", { leaseMs: LIMITS.leaseMinMs });
  await intercom().advance(LIMITS.leaseMinMs);
  expect((await scope.call("addTask", { title: "t" }, { key })).id).not.toBe(first.id);
});

test("a message keeps its key longer than that", async () => {
  const { scope, bob: dan } = await makeWorld(intercom());
  const input = { to: dan.id, body: "b", idempotencyKey: "k" };
  const { messageId } = await scope.call("sendHumanMessage", input);
  await intercom().advance(LIMITS.idempotencyLifetimeMs + 1);
  expect((await scope.call("sendHumanMessage", input)).messageId).toBe(messageId);
});
