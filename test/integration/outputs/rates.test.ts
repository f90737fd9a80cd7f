import { beforeEach, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import type { Actor } from "../../support/actors.ts";
import { issue, makeStream, outputRows, say } from "../../support/outputs.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { inParallel, until } from "../../support/waiting.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();

const MINUTE_MS = 60_000;

/** Each test begins with a minute of its own. */
beforeEach(() => intercom().advance(MINUTE_MS - (intercom().clock.now() % MINUTE_MS)));

const times = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Everything a refusal for haste tells: the answer of the call and the seconds to wait. */
async function hasty(who: Actor, name: "publishOutput" | "latestOutput" | "listOutputValues", input: object) {
  const answer = await intercom().send(name, { ...input }, { token: who.token });
  const { error } = answer.body as { error?: { code: string; details?: unknown } };
  return {
    status: answer.status,
    retryAfter: answer.headers.get("Retry-After"),
    code: error?.code,
    details: error?.details,
  };
}

const tooFast = (limit: number, retryAfterSeconds: number) => ({
  status: 429,
  retryAfter: String(retryAfterSeconds),
  code: "BACKPRESSURE",
  details: { reason: "rate", limit, retryAfterSeconds },
});

test("a publisher publishes 120 values a minute, whatever streams they go to", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const other = await scope.call("createOutputStream", { name: "other", publisherAgentIds: [agent.id] });
  const limit = LIMITS.outputPublishesPerMinute;
  await inParallel(times(limit), (n) => say(agent, n % 2 === 0 ? stream.id : other.id, String(n)));
  const value = { streamId: stream.id, contentType: "text/plain", value: "x" };
  const before = outputRows(intercom());
  expect(await hasty(agent, "publishOutput", value)).toEqual(tooFast(limit, 60));
  intercom().clock.advance(59_001);
  expect(await hasty(agent, "publishOutput", value)).toEqual(tooFast(limit, 1));
  expect(outputRows(intercom())).toEqual(before);
  // Nobody else is held up, and a minute later nobody is.
  const holder = await issue(scope, stream.id, "publish");
  await say(holder, stream.id, "by somebody else");
  intercom().clock.advance(999);
  expect(await say(agent, stream.id, "in the next minute")).toMatchObject({ sequence: limit / 2 + 2 });
});

test("an agent gains nothing by registering again, nor a credential by being rotated", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const holder = await issue(scope, stream.id, "publish");
  const limit = LIMITS.outputPublishesPerMinute;
  await inParallel(times(limit), () => say(agent, stream.id, "x"));
  await inParallel(times(limit), () => say(holder, stream.id, "x"));
  const value = { streamId: stream.id, contentType: "text/plain", value: "x" };
  expect(await (await scope.agent(agent.id)).refused("publishOutput", value)).toMatchObject({ code: "BACKPRESSURE" });
  const { credential } = await scope.call("rotateOutputPrincipal", { principalId: holder.id });
  expect(await intercom().refused("publishOutput", value, { token: credential })).toMatchObject({
    code: "BACKPRESSURE",
  });
});

test("a reader reads 600 times a minute; the owner is not counted", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const reader = await issue(scope, stream.id, "read", "publish");
  const other = await issue(scope, stream.id, "read");
  await say(agent, stream.id, "x");
  const limit = LIMITS.outputReadsPerMinute;
  const streamId = stream.id;
  await inParallel(times(limit), (n) => reader.call(n % 2 === 0 ? "latestOutput" : "listOutputValues", { streamId }));
  expect(await hasty(reader, "latestOutput", { streamId })).toEqual(tooFast(limit, 60));
  expect(await hasty(reader, "listOutputValues", { streamId, waitMs: 25_000 })).toEqual(tooFast(limit, 60));
  // Publishing is counted by itself.
  await say(reader, streamId, "y");
  await other.call("latestOutput", { streamId });
  await inParallel(times(limit + 1), () => scope.call("latestOutput", { streamId }));
  intercom().clock.advance(MINUTE_MS);
  expect(await reader.call("latestOutput", { streamId })).toMatchObject({ value: "y" });
});

test("a call that waits counts once, however often it looks again", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const reader = await issue(scope, stream.id, "read");
  const other = await issue(scope, stream.id, "read");
  const streamId = stream.id;
  const waiting = reader.call("listOutputValues", { streamId, waitMs: 25_000 });
  await until("it waits", () => waitingCalls() === 1);
  for (const _ of times(10)) await scope.call("rotateOutputPrincipal", { principalId: other.id });
  await say(agent, streamId, "x");
  expect((await waiting).values).toHaveLength(1);
  await inParallel(times(LIMITS.outputReadsPerMinute - 1), () => reader.call("latestOutput", { streamId }));
  expect(await reader.refused("latestOutput", { streamId })).toMatchObject({ code: "BACKPRESSURE" });
});

test("calls of strangers count for nobody", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const streamId = stream.id;
  const disabled = await issue(scope, streamId, "publish");
  await scope.call("disableOutputPrincipal", { principalId: disabled.id });
  const value = { streamId, contentType: "text/plain" as const, value: "x" };
  for (const _ of times(LIMITS.outputPublishesPerMinute + 1)) {
    expect(await disabled.refused("publishOutput", value)).toMatchObject({ code: "UNAUTHENTICATED" });
  }
  await scope.call("enableOutputPrincipal", { principalId: disabled.id });
  await disabled.call("publishOutput", value);
  await agent.call("publishOutput", value);
});
