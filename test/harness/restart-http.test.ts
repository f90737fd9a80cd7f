import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentSession } from "../../client/index.ts";
import { SERVER_NAME } from "../../connect/index.ts";
import { ourTools } from "../../harness/model/request.ts";
import { calls, type Script, says } from "../../harness/model/script.ts";
import type { Run } from "../../harness/run.ts";
import { areInstalled } from "./installed.ts";
import { finished, readBy } from "./support/outcome.ts";
import { Stage } from "./support/stage.ts";
import { type Moment, Tap } from "./support/tap.ts";

/** The daemon is killed at each step of a session over HTTP, and started again. No write is lost, and none is made twice. */

const WAIT_MS = 20_000;

/** A careful model: after an error it looks before it repeats, or repeats under the same key. */
const careful: Script = {
  rules: [
    calls("add_task", { title: "Once" }),
    calls("list_tasks"),
    { ...calls("add_task", { title: "Once" }), when: { result: '"tasks":\\s*\\[\\]' } },
    calls("send_message", { to: "peer", text: "Once", idempotencyKey: "key-1" }),
    calls("send_message", { to: "peer", text: "Once", idempotencyKey: "key-1" }),
    calls("check_inbox", { waitMs: WAIT_MS }),
    calls("check_inbox", { waitMs: WAIT_MS }),
    calls("acknowledge_messages", { messageIds: ["{{check_inbox.messages.0.id}}"] }),
    says("Through it all"),
  ],
};
const CUTS: readonly (readonly [tool: string, moment: Moment])[] = [
  ["add_task", "before"],
  ["send_message", "after"],
  ["check_inbox", "during"],
];

const oneTask: Script = { rules: [calls("add_task", { title: "Once" }), says("Done")] };

function offeredTo({ model }: Run): number {
  const [first] = model.exchanges;
  return first ? ourTools(first.request, SERVER_NAME).length : 0;
}

describe.runIf(areInstalled).each(["codex", "opencode", "claude-code"])("%s over HTTP", (client) => {
  let stage: Stage;
  let tap: Tap;
  beforeAll(async () => {
    stage = await Stage.open();
    tap = await Tap.open(() => stage.address);
  });
  beforeEach(async () => {
    if (!stage.isDaemonRunning()) await stage.startDaemon();
  });
  afterAll(async () => {
    await tap.close();
    await stage.close();
  });

  const kill = () => stage.killDaemon();
  const killAndRestart = async () => {
    await stage.killDaemon();
    await stage.startDaemon();
  };

  test("goes on when it is killed before, after and during calls", async () => {
    const peer = await AgentSession.start({
      scope: stage.scope,
      registration: { id: "peer", displayName: "Peer", leaseMs: 600_000 },
    });
    const cuts = [...CUTS];
    const planNext = () => {
      const [tool, moment] = cuts.shift() ?? [];
      if (tool && moment) tap.cutAt(tool, moment, kill);
    };
    planNext();
    const run = await stage.start(client, {
      transport: "http",
      script: careful,
      address: tap.address,
      onRequest: async () => {
        // The model has been told of the failure; meanwhile somebody has started the daemon again.
        if (stage.isDaemonRunning()) return;
        await stage.startDaemon();
        if (cuts.length === 0) await peer.client.sendMessage({ to: client, body: "For later" });
        planNext();
      },
    });
    await finished(run);
    expect([cuts.length, tap.hasCut]).toEqual([0, true]);
    expect((await stage.scope.listTasks()).map(({ title }) => title)).toEqual(["Once"]);
    const { messages } = await stage.scope.listMessages({ agent: "peer" });
    expect(messages.map(({ from, body, state }) => [from, body, state])).toEqual([
      ["peer", "For later", "acknowledged"],
      [client, "Once", "queued"],
    ]);
    expect(readBy(run, "send_message").at(-1)).toMatchObject({ messageId: messages[1]?.id });
    await peer.close();
  });

  test.each(["initialize", "tools/list"])("loses at most this session when it is killed at %s", async (step) => {
    const before = (await stage.scope.listTasks()).length;
    tap.cutAt(step, "before", killAndRestart);
    const hit = await stage.start(client, { transport: "http", script: oneTask, address: tap.address });
    await hit.ended;
    expect(tap.hasCut).toBe(true);
    const next = await stage.start(client, { transport: "http", script: oneTask, address: tap.address });
    await finished(next);
    const written = [hit, next].filter((run) => offeredTo(run) > 0).length;
    expect((await stage.scope.listTasks()).length - before).toBe(written);
  });
});
