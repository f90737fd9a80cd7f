import { describe, expect, it } from "vitest";
import { requestFor } from "../support/http.ts";
import { useDaemon } from "../support/use-daemon.ts";
import { until } from "../support/waiting.ts";
import { watchWaitingCalls } from "./waiting-calls.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();

async function pair() {
  const scope = await intercom().scope({ linkPolicy: "open" });
  const ada = await scope.agent("ada", { leaseMs: 86_400_000 });
  const bob = await scope.agent("bob", { leaseMs: 86_400_000 });
  return { scope, ada, bob };
}

/** A call whose caller may hang up. Resolves to the answer, or to undefined when it was cut off. */
function call(name: "reserveInbox" | "claimNextTask", token: string, headers: Record<string, string> = {}) {
  const gone = new AbortController();
  const { path, body } = requestFor(name, { waitMs: 20_000 });
  const answer = fetch(intercom().address + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
    body: body as string,
    signal: gone.signal,
  })
    .then(async (response) => ((await response.json()) as { result: { id: string } | null }).result)
    .catch(() => undefined);
  return { hangUp: () => gone.abort(), answer };
}

/** Lets the event loop of both sides turn a few times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("a caller that hangs up", () => {
  it("while it waits takes nothing with it", async () => {
    const { ada, bob } = await pair();
    const waiting = call("reserveInbox", bob.token);
    await turns(50);
    waiting.hangUp();
    expect(await waiting.answer).toBeUndefined();
    const messageId = await ada.tell(bob);
    expect((await bob.pull()).map(({ id }) => id)).toEqual([messageId]);
  });

  it("gives back its place among those who wait", async () => {
    const { bob } = await pair();
    for (let round = 0; round < 4; round += 1) {
      const waiting = Array.from({ length: 32 }, () => call("reserveInbox", bob.token));
      await until("all wait", () => waitingCalls() === 32);
      expect(await bob.refused("reserveInbox", { waitMs: 1 })).toMatchObject({ code: "BACKPRESSURE" });
      for (const { hangUp } of waiting) hangUp();
      await Promise.all(waiting.map(({ answer }) => answer));
      await until("there is room again", () => waitingCalls() === 0);
    }
  });

  it("exactly when a message arrives loses nothing and holds nothing up", async () => {
    const { ada, bob } = await pair();
    const outcomes = { heard: 0, givenBack: 0, held: 0 };
    for (let round = 0; round < 72; round += 1) {
      const waiting = call("reserveInbox", bob.token);
      await turns(20);
      // Both at once, a little earlier or later from round to round.
      const sending = ada.tell(bob);
      await turns(round % 24);
      waiting.hangUp();
      const [messageId, heard] = await Promise.all([sending, waiting.answer]);
      if (heard) {
        outcomes.heard += 1;
        await bob.call("commitInbox", { reservationId: heard.id });
        await bob.call("acknowledgeMessages", { messageIds: [messageId] });
        continue;
      }
      // What the daemon had handed to the network before the connection broke, it cannot know to be lost: that comes
      // back when the reservation runs out. Everything else comes back at once.
      const next = await bob.call("reserveInbox", { waitMs: 100 });
      if (next) outcomes.givenBack += 1;
      else {
        outcomes.held += 1;
        await intercom().advance(30_000);
      }
      const reservation = next ?? (await bob.call("reserveInbox", {}));
      expect(reservation?.messages.map(({ id }) => id)).toEqual([messageId]);
      await bob.call("commitInbox", { reservationId: reservation?.id ?? "" });
      await bob.call("acknowledgeMessages", { messageIds: [messageId] });
    }
    expect(await bob.call("reserveInbox", {})).toBeNull();
    console.log(`hanging up as a message arrives: ${JSON.stringify(outcomes)}`);
    expect(outcomes.givenBack).toBeGreaterThan(0);
    expect(outcomes.held).toBeLessThan(36);
  });

  it("with an idempotency key on a call that knows none gives its reservation back all the same", async () => {
    const { ada, bob } = await pair();
    let released = 0;
    for (let round = 0; round < 16; round += 1) {
      const waiting = call("reserveInbox", bob.token, { "Idempotency-Key": `round-${round}` });
      await turns(20);
      const sending = ada.tell(bob);
      waiting.hangUp();
      const [messageId, heard] = await Promise.all([sending, waiting.answer]);
      expect(heard).toBeUndefined();
      const next = await bob.call("reserveInbox", { waitMs: 100 });
      expect(next?.messages.map(({ id }) => id)).toEqual([messageId]);
      released += 1;
      await bob.call("commitInbox", { reservationId: next?.id ?? "" });
      await bob.call("acknowledgeMessages", { messageIds: [messageId] });
    }
    expect(released).toBe(16);
  });

  it("while it waits for work leaves the work to others", async () => {
    const { scope, ada, bob } = await pair();
    for (let round = 0; round < 24; round += 1) {
      const waiting = call("claimNextTask", bob.token);
      await turns(20);
      const adding = scope.call("addTask", { title: "t" });
      await turns(round % 12);
      waiting.hangUp();
      const [task, heard] = await Promise.all([adding, waiting.answer]);
      const holder = heard ? bob : ada;
      if (!heard) {
        const claimed = await ada.call("claimNextTask", { waitMs: 200 });
        if (!claimed) {
          // Handed to the network already: it is bob's, who finds it among his tasks.
          expect((await scope.call("getTask", { taskId: task.id })).claimedBy).toBe("bob");
          await bob.call("completeTask", { taskId: task.id });
          continue;
        }
        expect(claimed.id).toBe(task.id);
      }
      await holder.call("completeTask", { taskId: task.id });
    }
    const tasks = await scope.call("listTasks", {});
    expect(new Set(tasks.map(({ status }) => status))).toEqual(new Set(["done"]));
  });
});
