import { describe, expect, it } from "vitest";
import { LIMITS } from "../../protocol/index.ts";
import type { AgentActor } from "../support/actors.ts";
import { useDaemon } from "../support/use-daemon.ts";
import { inParallel } from "../support/waiting.ts";

const intercom = useDaemon();

async function pair() {
  const scope = await intercom().scope({ linkPolicy: "open" });
  const [ada, bob] = await scope.agents("ada", "bob");
  return { scope, ada, bob };
}

describe("a message that makes its receiver crash", () => {
  it("ends among the dead letters by its delivery count, and the others get through", async () => {
    const { scope, ada, bob } = await pair();
    const before = await ada.tell(bob, { body: "before" });
    const poison = await ada.tell(bob, { body: "poison" });
    const after = await ada.tell(bob, { body: "after" });
    const handled: string[] = [];
    let crashes = 0;

    /** One life of a receiver that dies of the poison, and sets aside what it has been given too often. */
    const live = async (agent: AgentActor): Promise<"crashed" | "done"> => {
      for (;;) {
        // One at a time: of a batch every message counts as delivered when the receiver dies of one.
        const messages = await agent.pull({ limit: 1 });
        if (messages.length === 0) return "done";
        for (const { id, body, deliveryCount } of messages) {
          if (deliveryCount > 3) {
            await agent.call("deadLetterMessage", { messageId: id, reason: `Delivered ${deliveryCount} times` });
            continue;
          }
          if (body === "poison") return "crashed";
          handled.push(body);
          await agent.call("acknowledgeMessages", { messageIds: [id] });
        }
      }
    };
    let agent = bob;
    while ((await live(agent)) === "crashed") {
      crashes += 1;
      expect(crashes).toBeLessThan(10);
      agent = await scope.agent("bob");
    }
    expect(crashes).toBe(3);
    expect(handled).toEqual(["before", "after"]);
    expect(await ada.call("getReceipt", { messageId: poison })).toMatchObject({
      state: "dead_lettered",
      deadLetterReason: "Delivered 4 times",
    });
    for (const messageId of [before, after]) {
      expect(await ada.call("getReceipt", { messageId })).toMatchObject({ state: "acknowledged" });
    }
    const dead = await scope.call("listMessages", { state: "dead_lettered" });
    expect(dead.messages.map(({ id }) => id)).toEqual([poison]);

    // The owner may try again, which starts from the beginning.
    await scope.call("requeueMessage", { messageId: poison });
    expect(await agent.pull()).toMatchObject([{ id: poison, deliveryCount: 1 }]);
  });

  it("that never gets as far as to commit is not counted, and does not keep new ones out", async () => {
    const { scope, ada } = await pair();
    await ada.tell("bob", { body: "poison" });
    for (let life = 0; life < 5; life += 1) {
      const agent = await scope.agent("bob");
      const reservation = await agent.call("reserveInbox", {});
      expect(reservation?.messages[0]).toMatchObject({ body: "poison", deliveryCount: 0 });
    }
    const agent = await scope.agent("bob");
    await ada.tell("bob", { body: "new" });
    expect((await agent.pull()).map(({ body }) => body)).toEqual(["poison", "new"]);
  });
});

describe("an inbox of ten thousand messages nobody has dealt with", () => {
  it("gives the newest unread at once, and is refused more", async () => {
    const { ada, bob } = await pair();
    // All but one were delivered and never acknowledged.
    const unread = LIMITS.activeMessagesPerScope - 1;
    intercom().sql((database) => {
      const scopeNo = database.prepare("SELECT no FROM scopes WHERE id = ?").pluck().get(bob.scope.id) as number;
      const no = (id: string) =>
        database.prepare("SELECT no FROM agents WHERE scope_no = ? AND id = ?").pluck().get(scopeNo, id) as number;
      const conversation = database
        .prepare("INSERT INTO conversations (scope_no, left_no, right_no) VALUES (?, ?, ?) RETURNING no")
        .pluck();
      const pairNo = (database
        .prepare("SELECT no FROM conversations WHERE left_no = ? AND right_no = ?")
        .pluck()
        .get(no("ada"), no("bob")) ?? conversation.get(scopeNo, no("ada"), no("bob"))) as number;
      const insert = database.prepare(
        `INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, delivery_count, created_at, delivered_at, body, context)
         VALUES (?, ?, ?, ?, ?, 'notify', 'delivered', 1, ?, ?, ?, '[]')`,
      );
      const now = intercom().clock.now();
      for (let count = 0; count < unread; count += 1) {
        const id = `msg_old_${bob.scope.id}_${String(count).padStart(5, "0")}`;
        insert.run(id, scopeNo, pairNo, no("ada"), no("bob"), now, now, "x".repeat(1700));
      }
      database.prepare("UPDATE scopes SET active_messages = ? WHERE no = ?").run(unread, scopeNo);
    });
    const newest = await ada.tell(bob, { body: "the newest" });
    expect(await ada.refused("sendMessage", { to: "bob", body: "one too many" })).toMatchObject({
      code: "BACKPRESSURE",
      details: { limit: LIMITS.activeMessagesPerScope },
    });
    const startedAt = performance.now();
    const reservation = await bob.call("reserveInbox", { limit: 10 });
    const took = performance.now() - startedAt;
    expect(reservation?.messages).toHaveLength(10);
    expect(reservation?.messages.map(({ id }) => id)).toContain(newest);
    expect(took).toBeLessThan(1000);
    await bob.call("releaseInbox", { reservationId: reservation?.id ?? "" });

    // One that takes a single message gets the new one, not the oldest of the old.
    const single = await bob.call("reserveInbox", { limit: 1 });
    expect(single?.messages.map(({ id }) => id)).toEqual([newest]);
    const page = await bob.call("listMyMessages", { limit: 1 });
    expect(page.messages[0]?.id).toBe(newest);
    const { agent } = await bob.call("whoAmI", {});
    expect(agent.owes.undelivered).toBe(1);
  });
});

describe("while ordinary calls are being refused", () => {
  it("heartbeats and health answer, and the refused are told when to come again", async () => {
    const { scope, ada, bob } = await pair();
    // Far more than are admitted at a time, all at once.
    const flood = Array.from({ length: 1200 }, () => intercom().send("listTasks", {}, { token: scope.token }));
    const beats: number[] = [];
    for (let beat = 0; beat < 10; beat += 1) {
      const startedAt = performance.now();
      await (beat % 2 === 0 ? ada : bob).ready();
      expect((await intercom().call("health", {})).status).toBe("ready");
      beats.push(performance.now() - startedAt);
    }
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 429)).toEqual([]);
    for (const { headers, body } of refused) {
      expect(headers.get("retry-after")).toBe("1");
      expect(body).toMatchObject({ error: { code: "BACKPRESSURE", details: { reason: "admission" } } });
    }
    expect(Math.max(...beats)).toBeLessThan(5000);
  });

  it("calls that merely wait take no place away", async () => {
    const scope = await intercom().scope({ linkPolicy: "open" });
    const agents = await inParallel(
      Array.from({ length: 100 }, (_, index) => `agent-${index}`),
      (id) => scope.agent(id),
    );
    const other = await intercom().scope({ linkPolicy: "open" });
    const others = await inParallel(
      Array.from({ length: 100 }, (_, index) => `agent-${index}`),
      (id) => other.agent(id),
    );
    const stop = new AbortController();
    const waits = [...agents, ...others].map((agent) =>
      intercom()
        .send("reserveInbox", { waitMs: 25_000 }, { token: agent.token, signal: stop.signal })
        .catch(() => undefined),
    );
    const answers = await inParallel(Array.from({ length: 300 }), () => scope.call("getScope", {}), 100);
    expect(answers).toHaveLength(300);
    stop.abort();
    await Promise.all(waits);
  });
});
