import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../protocol/index.ts";
import { Bench } from "../../test/properties/bench.ts";
import { checkStored } from "../../test/properties/invariants.ts";

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(async () => {
  checkStored(bench.database, bench.clock.now());
  await bench.close();
});

async function scope(id: string): Promise<{ token: string; agent(name: string): Promise<string> }> {
  const { scopeToken: token } = await bench.admin("createScope", { id, linkPolicy: "open" });
  const agent = async (name: string) => {
    const input = { id: name, displayName: name, leaseMs: LIMITS.leaseMaxMs };
    return (await bench.call("registerAgent", token, input)).agentToken;
  };
  return { token, agent };
}

async function pull(token: string) {
  const reservation = await bench.call("reserveInbox", token, {});
  return reservation ? bench.call("commitInbox", token, { reservationId: reservation.id }) : [];
}

describe("what time decides", () => {
  it("does not let a message turn up in a stranger's inbox when reservations are forgotten", async () => {
    const ours = await scope("ours");
    const [ada, bob] = [await ours.agent("ada"), await ours.agent("bob")];
    const { messageId: secret } = await bench.call("sendMessage", ada, { to: "bob", body: "between us" });
    // Delivered, and never acknowledged.
    expect((await pull(bob)).map(({ id }) => id)).toEqual([secret]);
    await bench.pass(2 * LIMITS.leaseMaxMs);
    expect(bench.rows("SELECT no FROM reservations")).toEqual([]);

    // The numbers of reservations begin anew.
    const theirs = await scope("theirs");
    const [eve, mallory] = [await theirs.agent("eve"), await theirs.agent("mallory")];
    const { messageId: other } = await bench.call("sendMessage", eve, { to: "mallory", body: "something else" });
    expect((await pull(mallory)).map(({ id }) => id)).toEqual([other]);
    expect((await pull(await ours.agent("bob"))).map(({ id }) => id)).toEqual([secret]);
  });

  it("gives a requeued message its lifetime, and expires it without anybody's help", async () => {
    const { token: owner, agent } = await scope("s");
    const [ada, bob] = [await agent("ada"), await agent("bob")];
    const { messageId } = await bench.call("sendMessage", ada, { to: "bob", body: "b", expiresInMs: 60_000 });
    await pull(bob);
    await bench.call("deadLetterMessage", bob, { messageId, reason: "no" });
    // Everything else that is due has been looked at before.
    await bench.pass(40_000);
    await bench.call("requeueMessage", owner, { messageId });
    await bench.pass(19_999);
    expect(await bench.call("getReceipt", ada, { messageId })).toMatchObject({ state: "queued" });
    await bench.pass(1);
    expect(await bench.call("getReceipt", ada, { messageId })).toMatchObject({ state: "expired" });
  });

  it("does not end the second chance of a message that expired while it was set aside", async () => {
    const { token: owner, agent } = await scope("s");
    const [ada, bob] = [await agent("ada"), await agent("bob")];
    const { messageId } = await bench.call("sendMessage", ada, { to: "bob", body: "b", expiresInMs: 60_000 });
    await pull(bob);
    await bench.call("deadLetterMessage", bob, { messageId, reason: "no" });
    await bench.pass(3_600_000);
    const requeued = await bench.call("requeueMessage", owner, { messageId });
    expect(requeued).not.toHaveProperty("expiresAt");
    await bench.pass(1000);
    expect(await pull(bob)).toMatchObject([{ id: messageId, deliveryCount: 1 }]);
  });

  it("is settled completely, however much fell due at once", async () => {
    const { agent } = await scope("s");
    const [ada] = [await agent("ada"), await agent("bob")];
    for (let count = 0; count < 450; count += 1) {
      await bench.call("sendMessage", ada, { to: "bob", body: "b", expiresInMs: 1000 });
    }
    await bench.pass(1000);
    expect(bench.rows("SELECT state, COUNT(*) AS n FROM messages GROUP BY state")).toEqual([
      { state: "expired", n: 450 },
    ]);
    expect(bench.rows("SELECT active_messages AS n FROM scopes")).toEqual([{ n: 0 }]);
  });
});
