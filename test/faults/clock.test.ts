import { describe, expect, it } from "vitest";
import { ID_PREFIXES } from "../../protocol/index.ts";
import { useDaemon } from "../support/use-daemon.ts";

const intercom = useDaemon();
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

async function pair() {
  const scope = await intercom().scope({ linkPolicy: "open" });
  const [ada, bob] = await scope.agents("ada", "bob");
  return { scope, ada, bob };
}

describe.each([
  ["forward by an hour", HOUR],
  ["back by an hour", -HOUR],
  ["forward by a year", YEAR],
  ["back by a year", -YEAR],
])("when the clock jumps %s", (_how, ms) => {
  it("leases neither end nor get longer", async () => {
    const { ada } = await pair();
    await ada.ready();
    await intercom().jump(ms);
    const { identity, agent } = await ada.call("whoAmI", {});
    expect(agent).toMatchObject({ reachable: true, ready: true });
    expect(identity.leaseExpiresAt).toBe(intercom().clock.instant(300_000));
    await intercom().advance(299_999);
    await ada.call("whoAmI", {});
    await intercom().advance(1);
    expect(await ada.refused("whoAmI", {})).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "expired" } });
  });

  it("reservations and claims stay with who has them", async () => {
    const { scope, ada, bob } = await pair();
    const messageId = await ada.tell(bob);
    const reservation = await bob.call("reserveInbox", {});
    const task = await scope.call("addTask", { title: "t" });
    await bob.call("claimTask", { taskId: task.id });
    await intercom().jump(ms);
    expect(await bob.call("reserveInbox", {})).toBeNull();
    const messages = await bob.call("commitInbox", { reservationId: reservation?.id ?? "" });
    expect(messages.map(({ id }) => id)).toEqual([messageId]);
    expect(await bob.call("completeTask", { taskId: task.id })).toMatchObject({ status: "done" });
  });

  it("what was put off comes again after its delay", async () => {
    const { ada, bob } = await pair();
    const messageId = await ada.tell(bob);
    await bob.pull();
    await bob.call("deferMessages", { messageIds: [messageId], delayMs: 60_000 });
    await intercom().jump(ms);
    expect(await bob.pull()).toEqual([]);
    await intercom().advance(60_000);
    expect((await bob.pull()).map(({ id }) => id)).toEqual([messageId]);
  });

  it("messages without an expiry wait, and those with one go by the wall clock", async () => {
    const { ada, bob } = await pair();
    const lasting = await ada.tell(bob);
    const brief = await ada.tell(bob, { expiresInMs: 60_000 });
    await intercom().jump(ms);
    const state = async (messageId: string) => (await ada.call("getReceipt", { messageId })).state;
    expect([await state(lasting), await state(brief)]).toEqual(["queued", ms > 0 ? "expired" : "queued"]);
  });

  it("ids stay unique and in order, and inboxes with them", async () => {
    const { scope, ada, bob } = await pair();
    const sent: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (let count = 0; count < 4; count += 1) sent.push(await ada.tell(bob));
      await intercom().jump(round % 2 === 0 ? ms : -ms);
    }
    expect(sent).toEqual(sent.toSorted());
    expect(new Set(sent).size).toBe(sent.length);
    expect((await bob.pull({ limit: 100 })).map(({ id }) => id)).toEqual(sent);
    const events = (await scope.events()).map(({ id }) => id);
    expect(events).toEqual(events.toSorted());
    expect(events[0]?.startsWith(ID_PREFIXES.event)).toBe(true);
  });

  it("a call that is waiting goes on waiting, and gets its message", async () => {
    const { ada, bob } = await pair();
    const waiting = bob.call("reserveInbox", { waitMs: 10_000 });
    await intercom().jump(ms);
    const messageId = await ada.tell(bob);
    expect((await waiting)?.messages.map(({ id }) => id)).toEqual([messageId]);
  });
});

it("a clock that stands years back at the next start loses nothing", async () => {
  const { ada, bob } = await pair();
  const messageId = await ada.tell(bob);
  intercom().clock.advance(-3 * YEAR);
  await intercom().restart();
  expect((await bob.pull()).map(({ id }) => id)).toEqual([messageId]);
  const later = await ada.tell(bob);
  expect((await bob.pull()).map(({ id }) => id)).toEqual([messageId, later]);
});
