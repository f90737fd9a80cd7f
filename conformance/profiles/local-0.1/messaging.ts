import { equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { at } from "../../http/path.ts";
import { acknowledgement, agent, agents, messages, receipt, reservation } from "./objects.ts";
import type { Agent, LocalWorld } from "./world.ts";

const EXPIRY_MS = 30;
const AFTER_EXPIRY_MS = 50;
const SOON_MS = 50;

async function acknowledge(who: Agent, id: string): Promise<void> {
  const { acknowledged } = await who.post("/v1/messages/ack", { messageIds: [id] }, acknowledgement);
  equal("the number of acknowledged messages", acknowledged, 1);
}

function ids(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

/** Checks 9 to 14: presence and messages. */
export const messagingChecks: readonly Check<LocalWorld>[] = [
  {
    name: "presence-and-discovery",
    proves: "Agents say how they are, and find exactly those they are linked with.",
    async run(world) {
      const [planner, reviewer] = [world.planner.get(), world.reviewer.get()];
      for (const who of [planner, reviewer]) {
        const beat = { lifecycle: "ready", ready: true, leaseMs: 30_000 };
        const seen = await who.patch("/v1/me/heartbeat", beat, agent);
        matches("the agent after its heartbeat", seen, {
          id: who.id,
          lifecycle: "ready",
          ready: true,
          reachable: true,
        });
      }
      const peers = await planner.get("/v1/peers", agents);
      matches("the peers of planner", peers, [{ id: "reviewer", lifecycle: "ready", ready: true }]);
      equal("the peers of reviewer", ids(await reviewer.get("/v1/peers", agents)), ["planner"]);
    },
  },
  {
    name: "durable-request-and-idempotency",
    proves: "A send can be repeated with its key: same content gives the same message, other content a conflict.",
    async run(world) {
      const planner = world.planner.get();
      const input = {
        to: "reviewer",
        body: world.says("Please review the plan."),
        mode: "request",
        idempotencyKey: "review-1",
        context: [{ kind: "text", title: "Plan", text: world.says("Build, test, ship.") }],
      };
      const { messageId } = await planner.tell(input);
      world.requestId.set(messageId);
      equal("the message of the repeated send", (await planner.tell(input)).messageId, messageId);
      await planner.refused("POST", "/v1/messages", { ...input, body: "Something else." }, "CONFLICT");
    },
  },
  {
    name: "reservation-delivery-and-acknowledgement",
    proves: "A message is reserved, delivered by committing the reservation, and acknowledged.",
    async run(world) {
      const id = world.requestId.get();
      const reviewer = world.reviewer.get();
      const reserved = await reviewer.post("/v1/inbox/reserve", { limit: 10, waitMs: 0 }, reservation.nullable());
      equal("the reserved messages", ids(reserved?.messages ?? []), [id]);
      const delivered = await reviewer.post(at`/v1/inbox/${reserved?.id ?? ""}/commit`, {}, messages);
      matches("the committed messages", delivered, [{ id, state: "delivered" }]);
      world.delivered.set(true);
      await acknowledge(reviewer, id);
    },
  },
  {
    name: "correlated-response",
    proves: "A request takes one response, also after it was acknowledged, and its receipt names it.",
    async run(world) {
      const responseTo = world.requestId.get();
      world.delivered.get();
      const [planner, reviewer] = [world.planner.get(), world.reviewer.get()];
      const input = { to: "planner", mode: "response", responseTo, body: world.says("The plan is good.") };
      const { messageId } = await reviewer.tell(input);
      equal("what planner receives", ids(await planner.pull()), [messageId]);
      await acknowledge(planner, messageId);
      const { responseMessageId, repliedAt } = await planner.get(at`/v1/messages/${responseTo}`, receipt);
      equal("the response named by the receipt", responseMessageId, messageId);
      equal("whether the receipt has repliedAt", repliedAt !== undefined, true);
      await reviewer.refused("POST", "/v1/messages", { ...input, body: "Once more." }, "CONFLICT");
    },
  },
  {
    name: "message-expiry",
    proves: "A message whose time has passed is not delivered any more, and its receipt says so.",
    async run(world) {
      const [planner, reviewer] = [world.planner.get(), world.reviewer.get()];
      const body = world.says("For a moment only.");
      const { messageId } = await planner.tell({ to: "reviewer", body, expiresInMs: EXPIRY_MS });
      await world.run.pause(AFTER_EXPIRY_MS);
      equal("what reviewer receives", ids(await reviewer.pull()), []);
      const { state } = await planner.get(at`/v1/messages/${messageId}`, receipt);
      equal("the state of the message", state, "expired");
    },
  },
  {
    name: "bounded-inbox-wait",
    proves: "A read of the inbox that waits is answered as soon as a message comes.",
    async run(world) {
      const [planner, reviewer] = [world.planner.get(), world.reviewer.get()];
      const waiting = reviewer.pull({ waitMs: 2000 });
      await world.run.pause(SOON_MS);
      const { messageId } = await planner.tell({ to: "reviewer", body: world.says("Wake up.") });
      equal("what the wait brings", ids(await waiting), [messageId]);
      await acknowledge(reviewer, messageId);
    },
  },
];
