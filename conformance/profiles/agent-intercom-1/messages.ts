import { absent, anyText, equal, holds, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import type { Stage } from "./stage.ts";

const DELAY_MS = 1000;
const WAIT_MS = 10_000;

/** What becomes of messages beyond October Bus 0.1. */
export const messageChecks: readonly Check<Stage>[] = [
  {
    name: "receipt-tells-of-the-recipient",
    proves: "The receipt of a message that waits says whether its recipient is there.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      await ben.call("heartbeat", { lifecycle: "ready", ready: true });
      const { messageId, recipient } = await ada.call("sendMessage", { to: ben.id, body: "Hello." });
      matches("what is known of the recipient", recipient, { reachable: true, ready: true, lastSeenAt: anyText });
      await ben.call("retire", {});
      const later = await ada.call("getReceipt", { messageId });
      matches("what is known of it later", later.recipient, { reachable: false, ready: false });
    },
  },
  {
    name: "redelivery-and-delivery-count",
    proves: "What was not acknowledged comes again, after new messages, and says how often it came.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      const first = await ada.tell(ben);
      const next = { limit: 1 };
      matches("the first delivery", await ben.pull(next), [{ id: first, deliveryCount: 1 }]);
      const second = await ada.tell(ben);
      matches("what comes next", await ben.pull(next), [{ id: second, deliveryCount: 1 }]);
      matches("what comes after it", await ben.pull(next), [{ id: first, deliveryCount: 2 }]);
    },
  },
  {
    name: "defer",
    proves: "An agent puts a delivered message off; it comes again when its time has come, and not before.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const id = await ada.tell(ben);
      equal("what is deferred before delivery", await ben.call("deferMessages", { messageIds: [id], delayMs: 0 }), {
        deferred: 0,
      });
      await ben.pull();
      const input = { messageIds: [id], delayMs: DELAY_MS };
      equal("what is deferred", await ben.call("deferMessages", input), { deferred: 1 });
      matches("the event", await owner.eventOf("message.deferred"), {
        subjectId: id,
        attributes: { retryAt: anyText },
      });
      matches("the message", await owner.call("getMessage", { messageId: id }), {
        state: "delivered",
        retryAt: anyText,
      });
      equal("what comes before its time", await ben.pull(), []);
      await stage.run.pause(DELAY_MS);
      matches("what comes when it is time", await ben.pull(), [{ id, deliveryCount: 2 }]);
      equal("what another agent defers", await ada.call("deferMessages", input), { deferred: 0 });
    },
  },
  {
    name: "dead-letter-and-requeue",
    proves: "An agent sets a message aside with a reason; only the owner gives it another chance, from the beginning.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const messageId = await ada.tell(ben);
      const input = { messageId, reason: "Cannot be read" };
      await ben.refused("deadLetterMessage", input, "CONFLICT");
      await ben.pull();
      await ada.refused("deadLetterMessage", input, "NOT_FOUND");
      const dead = { state: "dead_lettered", deadLetterReason: "Cannot be read" };
      matches("the message set aside", await ben.call("deadLetterMessage", input), dead);
      matches("the sender's receipt", await ada.call("getReceipt", { messageId }), dead);
      equal("what comes to the inbox", await ben.pull(), []);
      const { messages } = await owner.call("listMessages", { state: "dead_lettered" });
      matches("what the owner finds", messages, [{ id: messageId }]);
      await ben.refused("requeueMessage", { messageId }, "PERMISSION_DENIED");
      const requeued = await owner.call("requeueMessage", { messageId });
      matches("the message with another chance", requeued, {
        state: "queued",
        deliveryCount: 0,
        deadLetterReason: absent,
      });
      await owner.eventOf("message.requeued");
      const again = await owner.refused("requeueMessage", { messageId }, "CONFLICT");
      matches("the details of a second chance", again.details, { state: "queued" });
      matches("what comes to the inbox then", await ben.pull(), [{ id: messageId, deliveryCount: 1 }]);
    },
  },
  {
    name: "response-taken-by-its-request",
    proves: "The response to one request is waited for and taken alone; everything else stays in the inbox.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      const request = await ada.tell(ben, { mode: "request" });
      matches("what ben owes", await ben.call("listMyRequests", {}), { messages: [] });
      await ben.pull();
      matches("what ben owes then", await ben.call("listMyRequests", {}), { messages: [{ id: request }] });
      equal("a wait in vain", await ada.call("takeResponse", { messageId: request, waitMs: 20 }), null);
      const aside = await ben.tell(ada);
      const waiting = ada.call("takeResponse", { messageId: request, waitMs: WAIT_MS });
      waiting.catch(() => {});
      const response = await ben.tell(ada, { mode: "response", responseTo: request });
      const expected = { id: response, responseTo: request, state: "delivered", deliveryCount: 1 };
      matches("the response", await waiting, expected);
      matches("the response again", await ada.call("takeResponse", { messageId: request }), expected);
      matches("what ben owes at last", await ben.call("listMyRequests", {}), { messages: [] });
      matches("what is left in the inbox", await ada.pull({ limit: 1 }), [{ id: aside }]);
      await ben.refused("takeResponse", { messageId: request }, "NOT_FOUND");
      await ada.refused("takeResponse", { messageId: aside }, "NOT_FOUND");
    },
  },
  {
    name: "one-request-at-a-time",
    proves: "Where the sender wants it, a second request to an agent that has not answered the first is refused.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      const request = { to: ben.id, body: "When?", mode: "request" as const, unlessUnanswered: true };
      const { messageId } = await ada.call("sendMessage", request);
      const whileQueued = await ada.refused("sendMessage", request, "CONFLICT");
      matches("the details", whileQueued.details, { reason: "unanswered", messageId });
      await ben.pull();
      await ada.refused("sendMessage", request, "CONFLICT");
      await ben.call("acknowledgeMessages", { messageIds: [messageId] });
      await ada.refused("sendMessage", request, "CONFLICT");
      await ada.tell(ben);
      await ben.tell(ada, { mode: "response", responseTo: messageId });
      await ada.call("sendMessage", request);
    },
  },
  {
    name: "own-messages",
    proves: "An agent reads what it sent and was sent, by id or by a text in it, and nothing of others.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const cleo = await owner.agent("cleo");
      const sent = await ada.tell(ben, { body: "The Harbour is open." });
      await ben.tell(ada, { body: "The bridge is not." });
      for (const agent of [ada, ben]) {
        matches("the message", await agent.call("getMyMessage", { messageId: sent }), { body: "The Harbour is open." });
      }
      await cleo.refused("getMyMessage", { messageId: sent }, "NOT_FOUND");
      const found = await ben.call("listMyMessages", { text: "hARBOUR" });
      equal(
        "what the text finds",
        found.messages.map(({ id }) => id),
        [sent],
      );
      equal("what it finds for others", (await cleo.call("listMyMessages", { text: "harbour" })).messages, []);
      const { messageId } = await ada.call("sendMessage", { to: "human", toKind: "human", body: "A note." });
      const withHuman = await ada.call("listMyMessages", { peerKind: "human" });
      equal(
        "those with the human",
        withHuman.messages.map(({ id }) => id),
        [messageId],
      );
      equal("those with agents", (await ada.call("listMyMessages", { peerKind: "agent" })).messages.length, 2);
    },
  },
  {
    name: "strangers-and-nobody-look-the-same",
    proves: "In a closed scope an agent cannot find out by sending which other agents exist.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      await owner.agent("stranger");
      const answers = [];
      for (const to of ["stranger", "no-such-agent"]) {
        const { code, message } = await ada.refused("sendMessage", { to, body: "Hello." }, "PERMISSION_DENIED");
        answers.push({ code, message: message.replaceAll(to, "...") });
      }
      equal("the two refusals", answers[0], answers[1]);
    },
  },
  {
    name: "waiting-read-is-woken",
    proves: "A read of the inbox that waits is answered by a message, and gives way to nothing when time is up.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      const waiting = ben.pull({ waitMs: 10_000 });
      waiting.catch(() => {});
      const id = await ada.tell(ben);
      const begun = performance.now();
      equal(
        "what the wait brings",
        (await waiting).map((message) => message.id),
        [id],
      );
      const tookMs = Math.round(performance.now() - begun);
      holds("the time until the wait ended", tookMs < 5000, { expected: "well before the wait was over", got: tookMs });
      await ben.call("acknowledgeMessages", { messageIds: [id] });
      equal("what a wait in vain brings", await ben.call("reserveInbox", { waitMs: 20 }), null);
    },
  },
];
