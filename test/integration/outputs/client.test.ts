import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AdminClient, AgentClient, type FollowedOutput, OutputClient, ScopeClient } from "../../../client/index.ts";
import { type Daemon, startDaemon } from "../../../daemon/index.ts";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import { useTemporaryDirectory } from "../../fixtures/temporary-directory.ts";
import { until } from "../../support/waiting.ts";

/** The SDK against a daemon that goes away and comes back at its old address. */

const path = useTemporaryDirectory();
const waitingCalls = watchWaitingCalls();
let daemon: Daemon;
let owner: ScopeClient;

async function start(port = 0): Promise<void> {
  daemon = await startDaemon({ dataDir: path("data"), runtimeDir: path("run"), port, env: {} });
}

/** Stops the daemon; the function returned starts it again. */
async function stop(): Promise<() => Promise<void>> {
  const port = Number(new URL(daemon.address).port);
  await daemon.stop();
  return () => start(port);
}

beforeEach(() => start());
afterEach(() => daemon.stop());

async function makeStream(retentionLimit = 1000) {
  const { address, adminToken } = daemon;
  const { scopeToken } = await new AdminClient({ address, adminToken }).createScope({ id: "s" });
  owner = new ScopeClient({ address, scopeToken });
  const { agentToken } = await owner.registerAgent({ id: "ada", displayName: "Ada" });
  const { id: streamId } = await owner.createOutputStream({ name: "n", retentionLimit, publisherAgentIds: ["ada"] });
  const permissions = ["read" as const, "publish" as const];
  const { principal, credential } = await owner.createOutputPrincipal({ streamId, label: "page", permissions });
  const output = new OutputClient({ address, credential });
  const agent = new AgentClient({ address, agentToken });
  const say = (value: string) => output.publish({ streamId, contentType: "text/plain", value });
  return { streamId, principalId: principal.id, output, agent, say };
}

/** Follows in the background until stopped. */
function collect(stream: (signal: AbortSignal) => AsyncGenerator<FollowedOutput, void, undefined>) {
  const controller = new AbortController();
  const seen: FollowedOutput[] = [];
  const done = (async () => {
    for await (const item of stream(controller.signal)) seen.push(item);
  })();
  const outcome = done.then(
    () => undefined,
    (error: unknown) => error,
  );
  const end = (): Promise<unknown> => {
    controller.abort();
    return outcome;
  };
  return { seen, outcome, end };
}

test("publishes, reads and pages", async () => {
  const { streamId, principalId, output, agent, say } = await makeStream();
  expect(await output.latest({ streamId })).toBeNull();
  const first = await agent.publishOutput({ streamId, contentType: "application/json", value: { ok: true } });
  const second = await say("two");
  expect(second).toMatchObject({ sequence: 2, producerId: principalId });
  expect(await output.latest({ streamId })).toEqual(second);
  expect(await output.history({ streamId, after: 0, limit: 1 })).toMatchObject({ values: [first], nextSequence: 1 });
  expect(await owner.latestOutput({ streamId })).toEqual(second);
  await expect(output.publish({ streamId: "out_none", contentType: "text/plain", value: "x" })).rejects.toMatchObject({
    code: "UNAUTHENTICATED",
  });
});

describe("follow", () => {
  test("goes on where it was when the daemon comes back", async () => {
    const { streamId, output, say } = await makeStream();
    await say("before");
    const followed = collect((signal) => output.follow({ streamId, signal }));
    const ofOwner = collect((signal) => owner.followOutput({ streamId, after: 0, signal }));
    await until("both wait for more", () => waitingCalls() === 2);
    await say("while it runs");
    await until("both have it", () => followed.seen.length === 1 && ofOwner.seen.length === 2);
    const comeBack = await stop();
    await comeBack();
    await say("after");
    await until("both have that, too", () => followed.seen.length === 2 && ofOwner.seen.length === 3);
    expect(await followed.end()).toBeUndefined();
    expect(await ofOwner.end()).toBeUndefined();
    expect(followed.seen.map(({ sequence, output: { value } = {} }) => [sequence, value])).toEqual([
      [2, "while it runs"],
      [3, "after"],
    ]);
    expect(ofOwner.seen.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect([...followed.seen, ...ofOwner.seen].some(({ resync }) => resync)).toBe(false);
  });

  test("tells what it missed, and gives what is left", async () => {
    const { streamId, output, say } = await makeStream(2);
    for (const text of ["a", "b", "c", "d"]) await say(text);
    const followed = collect((signal) => output.follow({ streamId, after: 1, signal }));
    await until("all has come", () => followed.seen.length === 3);
    await followed.end();
    expect(followed.seen).toEqual([
      { resync: true, sequence: 2 },
      { sequence: 3, output: expect.objectContaining({ value: "c" }) },
      { sequence: 4, output: expect.objectContaining({ value: "d" }) },
    ]);
  });

  test("ends with the error when the credential is no longer good", async () => {
    const { streamId, principalId, output, say } = await makeStream();
    await say("x");
    const followed = collect((signal) => output.follow({ streamId, after: 0, signal }));
    await until("it follows", () => followed.seen.length === 1);
    await owner.disableOutputPrincipal({ principalId });
    expect(await followed.outcome).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});
