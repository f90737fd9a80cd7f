import { z } from "zod";
import { equal, holds, matches, read } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { at } from "../../http/path.ts";
import type { McpClient } from "../../mcp/client.ts";
import { acknowledgement, type Message, messages, receipt } from "../local-0.1/objects.ts";
import type { AdapterWorld } from "./world.ts";

const WAIT_MS = 8000;
const WITHIN_MS = 2000;
const SOON_MS = 100;

async function checkInbox(
  tools: McpClient,
  args: Readonly<Record<string, unknown>> = { limit: 10 },
): Promise<Message[]> {
  return read("check_inbox", await tools.call("check_inbox", args), z.looseObject({ messages })).messages;
}

async function acknowledge(tools: McpClient, messageIds: readonly string[]): Promise<void> {
  const result = await tools.call("acknowledge_messages", { messageIds });
  equal(
    "the acknowledged messages",
    read("acknowledge_messages", result, acknowledgement).acknowledged,
    messageIds.length,
  );
}

async function send(tools: McpClient, args: Readonly<Record<string, unknown>>): Promise<string> {
  return read("message_peer", await tools.call("message_peer", args), receipt).messageId;
}

function ids(list: readonly Message[]): string[] {
  return list.map(({ id }) => id);
}

/** Check 4: waiting. */
export const longPollChecks: readonly Check<AdapterWorld>[] = [
  {
    name: "long-poll-delivery",
    proves: "check_inbox stays open until a message comes, and then answers at once.",
    async run(world) {
      const { tools, worker } = await world.stage();
      const host = await world.session("drain-host");
      const link = { left: host.agent.id, right: worker.id };
      await world.owner.get().post("/v1/links", link, z.looseObject({ linked: z.literal(true) }));
      try {
        const waiting = checkInbox(tools, { limit: 10, waitMs: WAIT_MS });
        // Whichever fails first is what the check tells.
        waiting.catch(() => {});
        await world.run.pause(SOON_MS);
        const sent = performance.now();
        const { messageId } = await host.agent.tell({ to: worker.id, body: "For whoever waits." });
        equal("what the wait brings", ids(await waiting), [messageId]);
        const tookMs = Math.round(performance.now() - sent);
        holds("the time from sending to receiving", tookMs <= WITHIN_MS, {
          expected: `at most ${WITHIN_MS} ms`,
          got: `${tookMs} ms`,
        });
        await acknowledge(tools, [messageId]);
      } finally {
        await host.close();
      }
    },
  },
];

/** Checks 6 to 9: messages. */
export const messagingChecks: readonly Check<AdapterWorld>[] = [
  {
    name: "durable-messaging-and-acknowledgement",
    proves: "Messages go both ways through the adapter, and acknowledging them reaches the sender's receipt.",
    async run(world) {
      const { tools, worker, controller } = await world.stage();
      const inward = await controller.tell({ to: worker.id, body: "To the worker." });
      equal("what the worker receives", ids(await checkInbox(tools)), [inward.messageId]);
      await acknowledge(tools, [inward.messageId]);
      const seen = await controller.get(at`/v1/messages/${inward.messageId}`, receipt);
      equal("the state of the message to the worker", seen.state, "acknowledged");

      const outward = await send(tools, { peer: controller.id, message: "To the controller." });
      const received = await controller.pull();
      matches("what the controller receives", received, [{ id: outward, from: worker.id, body: "To the controller." }]);
      await controller.post("/v1/messages/ack", { messageIds: [outward] }, acknowledgement);
      const result = await tools.call("message_receipt", { messageId: outward });
      equal(
        "the state of the message to the controller",
        read("message_receipt", result, receipt).state,
        "acknowledged",
      );
    },
  },
  {
    name: "correlated-request-and-response",
    proves: "A request answered through the adapter is linked with its response.",
    async run(world) {
      const { tools, worker, controller } = await world.stage();
      const request = await controller.tell({ to: worker.id, body: "How far are you?", mode: "request" });
      matches("what the worker receives", await checkInbox(tools), [{ id: request.messageId, mode: "request" }]);
      const answer = { peer: controller.id, message: "Half way.", mode: "response", responseTo: request.messageId };
      const response = await send(tools, answer);
      const received = await controller.pull();
      matches("what the controller receives", received, [{ id: response, responseTo: request.messageId }]);
      const { responseMessageId } = await controller.get(at`/v1/messages/${request.messageId}`, receipt);
      equal("the response named by the receipt", responseMessageId, response);
    },
  },
  {
    name: "idempotent-send",
    proves: "Sending twice under one key through the adapter makes one message.",
    async run(world) {
      const { tools, controller } = await world.stage();
      const message = { peer: controller.id, message: "Once only.", idempotencyKey: "adapter-once" };
      const first = await send(tools, message);
      equal("the message of the repeated send", await send(tools, message), first);
      equal("what the controller receives", ids(await controller.pull()), [first]);
    },
  },
  {
    name: "bounded-context",
    proves: "Context travels with a message through the adapter, in both directions.",
    async run(world) {
      const { tools, worker, controller } = await world.stage();
      const context = [{ kind: "text", title: "Finding", text: "It is blue.", mediaType: "text/plain" }];
      await send(tools, { peer: controller.id, message: "See the context.", context });
      matches("what the controller receives", await controller.pull(), [{ context }]);
      await controller.tell({ to: worker.id, body: "See this one, too.", context });
      matches("what the worker receives", await checkInbox(tools), [{ context }]);
    },
  },
];
