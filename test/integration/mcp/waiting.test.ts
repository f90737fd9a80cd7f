import { describe, expect, test } from "vitest";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import type { AgentActor } from "../../support/actors.ts";
import { callTool, ERAS, type Era, MCP_CLIENTS } from "../../support/mcp.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();

async function pair() {
  const scope = await intercom().scope();
  const [ada, bob] = await scope.agents("ada", "bob");
  return { scope, ada, bob };
}

/** A check of the inbox whose caller may hang up. Resolves to the ids it got, or to undefined when it was cut off. */
function check(era: Era, agent: AgentActor, waitMs = 20_000) {
  const gone = new AbortController();
  const options = { token: agent.token, signal: gone.signal };
  const answer = callTool(agent.intercom.address, era, "check_inbox", { waitMs }, options).then(
    ({ structured }) => (structured.messages as { id: string }[]).map(({ id }) => id),
    () => undefined,
  );
  return { hangUp: () => gone.abort(), answer };
}

/** Lets the event loop of both sides turn a few times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(ERAS)("a wait in %s", (era) => {
  test("ends with the message it was for", async () => {
    const { ada, bob } = await pair();
    const waiting = check(era, bob);
    await until("the call waits", () => waitingCalls() === 1);
    const id = await ada.tell(bob);
    expect(await waiting.answer).toEqual([id]);
    expect(await ada.call("getReceipt", { messageId: id })).toMatchObject({ state: "delivered" });
  });

  test("ends empty when its time is over", async () => {
    const { bob } = await pair();
    expect(await check(era, bob, 20).answer).toEqual([]);
  });

  test("ends in the daemon when the caller hangs up, and takes nothing with it", async () => {
    const { ada, bob } = await pair();
    for (let round = 0; round < 3; round += 1) {
      // As many as may wait at once: if one stayed behind, the next round would be refused.
      const waiting = Array.from({ length: 32 }, () => check(era, bob));
      await until("all wait", () => waitingCalls() === 32);
      for (const { hangUp } of waiting) hangUp();
      await until("nobody waits", () => waitingCalls() === 0);
    }
    const id = await ada.tell(bob);
    expect((await bob.pull()).map((message) => message.id)).toEqual([id]);
  });

  test("beyond what one agent may have is refused with advice", async () => {
    const { bob } = await pair();
    const waiting = Array.from({ length: 32 }, () => check(era, bob));
    await until("all wait", () => waitingCalls() === 32);
    const answer = await callTool(intercom().address, era, "check_inbox", { waitMs: 1000 }, { token: bob.token });
    expect(answer).toMatchObject({ isError: true, structured: { error: { code: "BACKPRESSURE" } } });
    expect(answer.text).toContain("without waitMs");
    for (const { hangUp } of waiting) hangUp();
    await until("nobody waits", () => waitingCalls() === 0);
  });

  test("cut off exactly as a message arrives loses nothing", async () => {
    const { ada, bob } = await pair();
    for (let round = 0; round < 48; round += 1) {
      const waiting = check(era, bob);
      await until("the call waits", () => waitingCalls() === 1);
      // Both at once, a little earlier or later from round to round.
      const sending = ada.tell(bob);
      await turns(round % 16);
      waiting.hangUp();
      const [id, heard] = await Promise.all([sending, waiting.answer]);
      if (heard) expect(heard).toEqual([id]);
      else {
        // Reserved for a caller who is gone, or committed to an answer nobody read: either way it comes again at once.
        const next = await until("it comes again", async () => (await bob.call("reserveInbox", {})) ?? undefined);
        expect(next.messages.map((message) => message.id)).toEqual([id]);
        await bob.call("commitInbox", { reservationId: next.id });
      }
      expect(await bob.call("acknowledgeMessages", { messageIds: [id] })).toEqual({ acknowledged: 1 });
    }
    expect(await bob.call("reserveInbox", {})).toBeNull();
  });

  test("ends when the daemon stops, and what comes later is there for the next one", async () => {
    const { ada, bob } = await pair();
    const waiting = check(era, bob);
    await until("the call waits", () => waitingCalls() === 1);
    await intercom().restart();
    expect(await waiting.answer).toEqual([]);
    const id = await ada.tell(bob);
    expect(await check(era, bob).answer).toEqual([id]);
  });
});

describe.each(MCP_CLIENTS)("$make", ({ connect }) => {
  test("waits for a message while it makes other calls", async () => {
    const { ada, bob } = await pair();
    const client = await connect(intercom().address, bob.token);
    const waiting = client.call("check_inbox", { waitMs: 20_000 });
    await until("the call waits", () => waitingCalls() === 1);
    expect((await client.call("list_agents")).structured).toMatchObject({ agents: [{ id: "ada" }] });
    const id = await ada.tell(bob);
    expect((await waiting).structured).toMatchObject({ messages: [{ id }] });
    await client.close();
  });
});

describe("a modern client", () => {
  test("that cancels a call ends its wait in the daemon", async () => {
    const { bob } = await pair();
    const { connect } = MCP_CLIENTS[0] as (typeof MCP_CLIENTS)[number];
    const client = await connect(intercom().address, bob.token);
    const cancel = new AbortController();
    const waiting = client.call("check_inbox", { waitMs: 20_000 }, cancel.signal);
    await until("the call waits", () => waitingCalls() === 1);
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    await until("nobody waits", () => waitingCalls() === 0);
    await client.close();
  });
});
