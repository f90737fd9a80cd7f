import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls, type Script, says } from "../../harness/model/script.ts";
import { areInstalled } from "./installed.ts";
import { finished, readBy, shownBy } from "./support/outcome.ts";
import { Stage } from "./support/stage.ts";

/** The daemon is killed at each step of a session over stdio, and nobody but the front is there to start it again. */

const WAIT_MS = 20_000;
/** Milliseconds a program needs at most to hand a call on: so long after it was told to wait, it waits. */
const WAITING_MS = 1_000;

const script: Script = {
  rules: [
    calls("add_task", { title: "Once" }),
    calls("list_tasks"),
    calls("send_message", { to: "human", text: "Once", idempotencyKey: "key-1" }),
    calls("check_inbox", { waitMs: WAIT_MS }),
    calls("list_tasks"),
    calls("check_inbox", { waitMs: WAIT_MS }),
    calls("acknowledge_messages", { messageIds: ["{{check_inbox.messages.0.id}}"] }),
    says("Through it all"),
  ],
};
/** Requests to the model, counted from 1, before whose answer something happens. */
const [LIST, WAIT, AGAIN] = [2, 4, 6];

describe.runIf(areInstalled).each(["codex", "opencode", "claude-code"])("%s over stdio", (client) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  test("starts the daemon, and goes on when it is killed between calls and while it waits", async () => {
    // There is none when the program begins: the front starts it before the first tool is listed.
    await stage.killDaemon();
    const kills: Promise<void>[] = [];
    const run = await stage.start(client, {
      transport: "stdio",
      script,
      onRequest: async (_request, count) => {
        expect(stage.isDaemonRunning() || count === WAIT + 1).toBe(true);
        if (count === LIST) await stage.killDaemon();
        if (count === WAIT) {
          const { promise, resolve } = Promise.withResolvers<void>();
          setTimeout(resolve, WAITING_MS);
          kills.push(promise.then(() => stage.killDaemon()));
        }
        if (count === AGAIN) await stage.scope.sendHumanMessage({ to: client, body: "For later" });
      },
    });
    await finished(run);
    await Promise.all(kills);
    expect(kills).toHaveLength(1);
    expect((await stage.scope.listTasks()).map(({ title, createdBy }) => [title, createdBy])).toEqual([
      ["Once", client],
    ]);
    const { messages } = await stage.scope.listMessages({ agent: client });
    const [later, once, ...others] = messages.filter(({ fromKind }) => fromKind !== "system");
    expect([later, once]).toMatchObject([
      { from: "human", body: "For later", state: "acknowledged" },
      { to: "human", body: "Once" },
    ]);
    expect(others).toEqual([]);
    // What was cut off in the middle says that it may have been done, and where to look.
    const [cutOff, last] = [shownBy(run, "check_inbox")[0]?.text, readBy(run, "check_inbox").at(-1)];
    expect(cutOff).toMatch(/may or may not have been done\. Look .* before you repeat it/);
    expect(last).toMatchObject({ messages: [{ body: "For later" }] });
  });
});
