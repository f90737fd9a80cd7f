import { describe, expect, test } from "vitest";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import type { AgentActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const intercom = useDaemon();
const waitingCalls = watchWaitingCalls();

async function pair() {
  const scope = await intercom().scope();
  const [ada, bob] = await scope.agents("ada", "bob");
  return { scope, ada, bob };
}

/** A request of ada's that bob has taken. */
async function asked(ada: AgentActor, bob: AgentActor): Promise<string> {
  const id = await ada.tell(bob, { mode: "request" });
  await bob.drain();
  return id;
}

const answer = (bob: AgentActor, ada: AgentActor, responseTo: string) =>
  bob.tell(ada, { mode: "response", responseTo, body: "noon" });

describe("takeResponse", () => {
  test("is not ended by other messages, and leaves them where they are", async () => {
    const { ada, bob } = await pair();
    const messageId = await asked(ada, bob);
    const other = await asked(ada, bob);
    const waiting = ada.call("takeResponse", { messageId, waitMs: 20_000 });
    await until("the call waits", () => waitingCalls() === 1);
    const aside = [await bob.tell(ada), await answer(bob, ada, other)];
    const response = await answer(bob, ada, messageId);
    expect(await waiting).toMatchObject({ id: response, body: "noon", state: "delivered", deliveryCount: 1 });
    expect(await ada.call("acknowledgeMessages", { messageIds: [response] })).toEqual({ acknowledged: 1 });
    expect((await ada.drain()).map(({ id }) => id)).toEqual(aside);
  });

  test("takes it out of a reservation, which then brings the rest only", async () => {
    const { ada, bob } = await pair();
    const messageId = await asked(ada, bob);
    const response = await answer(bob, ada, messageId);
    const aside = await bob.tell(ada);
    const reservation = await ada.call("reserveInbox", {});
    expect(reservation?.messages.map(({ id }) => id)).toEqual([response, aside]);
    expect(await ada.call("takeResponse", { messageId })).toMatchObject({ id: response, deliveryCount: 1 });
    const committed = await ada.call("commitInbox", { reservationId: reservation?.id ?? "" });
    expect(committed.map(({ id }) => id)).toEqual([aside]);
    expect(await ada.call("getReceipt", { messageId: response })).toMatchObject({ state: "delivered" });
  });

  test("gives the same response again, also to a later execution and after it was acknowledged", async () => {
    const { scope, ada, bob } = await pair();
    const messageId = await asked(ada, bob);
    const response = await answer(bob, ada, messageId);
    await ada.call("takeResponse", { messageId });
    expect(await ada.call("takeResponse", { messageId })).toMatchObject({ id: response, deliveryCount: 1 });
    await ada.call("acknowledgeMessages", { messageIds: [response] });
    const later = await scope.agent("ada");
    expect(await later.call("takeResponse", { messageId })).toMatchObject({ id: response, state: "acknowledged" });
  });

  test("comes again through the inbox when it was not acknowledged", async () => {
    const { ada, bob } = await pair();
    const messageId = await asked(ada, bob);
    const response = await answer(bob, ada, messageId);
    await ada.call("takeResponse", { messageId });
    expect(await ada.pull()).toMatchObject([{ id: response, deliveryCount: 2 }]);
  });

  test("says when no response can come any more", async () => {
    const { ada, bob } = await pair();
    const expired = await ada.tell(bob, { mode: "request", expiresInMs: 1000 });
    await intercom().advance(1000);
    expect(await ada.refused("takeResponse", { messageId: expired })).toMatchObject({
      code: "CONFLICT",
      details: { state: "expired" },
    });
    const dead = await asked(ada, bob);
    const unread = await ada.tell(bob, { mode: "request" });
    await bob.pull();
    await bob.call("deadLetterMessage", { messageId: unread, reason: "broken" });
    expect(await ada.refused("takeResponse", { messageId: unread })).toMatchObject({ code: "CONFLICT" });
    expect(await ada.call("takeResponse", { messageId: dead })).toBeNull();
    await bob.tell(ada, { mode: "response", responseTo: dead, expiresInMs: 1000 });
    await intercom().advance(1000);
    expect(await ada.refused("takeResponse", { messageId: dead })).toMatchObject({ details: { state: "expired" } });
  });

  test("is for whoever asked, and for requests", async () => {
    const { scope, ada, bob } = await pair();
    const messageId = await asked(ada, bob);
    const response = await answer(bob, ada, messageId);
    const eve = await scope.agent("eve");
    for (const [agent, id] of [
      [bob, messageId],
      [eve, messageId],
      [ada, response],
      [ada, "msg_none"],
    ] as const) {
      expect(await agent.refused("takeResponse", { messageId: id })).toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

describe("unlessUnanswered", () => {
  const once = { to: "bob", body: "when?", mode: "request", unlessUnanswered: true } as const;

  test("lets one of many requests at once through", async () => {
    const { ada } = await pair();
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => intercom().send("sendMessage", once, { token: ada.token })),
    );
    expect(sent.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(sent.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  test("counts any open request to that agent, and none to or from others", async () => {
    const { scope, ada, bob } = await pair();
    await scope.agent("cy", { connectTo: ["ada", "bob"] });
    await ada.tell("cy", { mode: "request" });
    await bob.tell(ada, { mode: "request" });
    const { messageId } = await ada.call("sendMessage", { to: "bob", body: "plain", mode: "request" });
    const refused = await ada.refused("sendMessage", once);
    expect(refused).toMatchObject({ code: "CONFLICT", details: { reason: "unanswered", messageId } });
    await ada.call("sendMessage", { ...once, mode: "notify" });
    await ada.call("sendMessage", { ...once, unlessUnanswered: false });
  });

  test("is over when the request expired or was set aside", async () => {
    const { ada, bob } = await pair();
    await ada.call("sendMessage", { ...once, expiresInMs: 1000 });
    await intercom().advance(1000);
    const { messageId } = await ada.call("sendMessage", once);
    await bob.pull();
    await bob.call("deadLetterMessage", { messageId, reason: "broken" });
    await ada.call("sendMessage", once);
  });

  test("does not stand in the way of a call that is repeated with its key", async () => {
    const { ada } = await pair();
    const first = await ada.call("sendMessage", { ...once, idempotencyKey: "k" });
    expect(await ada.call("sendMessage", { ...once, idempotencyKey: "k" })).toMatchObject({
      messageId: first.messageId,
    });
  });
});

describe("a search in one's own messages", () => {
  test("finds text whatever its case, in any script, and takes nothing for a pattern", async () => {
    const { ada, bob } = await pair();
    const ids: Record<string, string> = {};
    for (const body of ["Übung macht den Meister", "100% sure", "1000 sure", "under_score", "underXscore"]) {
      ids[body] = await ada.tell(bob, { body });
    }
    for (const [text, bodies] of [
      ["ÜBUNG", ["Übung macht den Meister"]],
      ["0% s", ["100% sure"]],
      ["r_s", ["under_score"]],
      ["SURE", ["1000 sure", "100% sure"]],
      ["nothing like it", []],
    ] as const) {
      const { messages } = await bob.call("listMyMessages", { text });
      expect(
        messages.map(({ id }) => id),
        text,
      ).toEqual(bodies.map((body) => ids[body]));
    }
  });

  test("goes through a long conversation piece by piece, and finds each message once", async () => {
    const { ada, bob } = await pair();
    const wanted: string[] = [];
    for (let n = 0; n < 1100; n += 1) {
      const id = await ada.tell(bob, { body: n % 400 === 0 ? `needle ${n}` : `hay ${n}` });
      if (n % 400 === 0) wanted.unshift(id);
    }
    const found: string[] = [];
    let pages = 0;
    for (let before: string | undefined; ; pages += 1) {
      const page = await bob.call("listMyMessages", { text: "needle", ...(before ? { before } : {}) });
      found.push(...page.messages.map(({ id }) => id));
      before = page.nextCursor;
      if (before === undefined) break;
    }
    expect({ found, pages }).toEqual({ found: wanted, pages: 2 });
    const first = await bob.call("listMyMessages", { text: "hay", limit: 2 });
    const next = await bob.call("listMyMessages", { text: "hay", limit: 2, before: first.nextCursor ?? "" });
    expect([...first.messages, ...next.messages].map(({ body }) => body)).toEqual([
      "hay 1099",
      "hay 1098",
      "hay 1097",
      "hay 1096",
    ]);
  });
});
