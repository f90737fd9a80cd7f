import { z } from "zod";
import { IDENTIFIER_PATTERN, operations } from "../../../protocol/index.ts";
import { describeFields, operationTool } from "../operation-tool.ts";
import { tool } from "../tool.ts";
import { resolvePeer } from "./peers.ts";

const outgoing = operations.sendMessage.input.shape;
const { displayName } = operations.registerAgent.input.shape;

export const listPeers = operationTool("listPeers", {
  name: "list_peers",
  title: "List peers",
  description: "Agents you may message, with their ids, display names, capabilities and whether they can be reached.",
  readOnly: true,
  fields: {},
  as: "peers",
});

export const messagePeer = tool({
  name: "message_peer",
  title: "Message a peer",
  description:
    "Send a message to another agent. It is stored until the peer takes it, also while the peer is offline. To answer a " +
    "request from your inbox, set mode to response, responseTo to the request's id, and peer to the agent id in its from field.",
  input: z
    .strictObject({
      peer: displayName.meta({ description: "Id of a peer, or its display name if no other peer has the same." }),
      message: outgoing.body.meta({ description: "The text to send." }),
      ...describeFields(outgoing, {
        mode: "notify (the default) expects no answer, request asks for one, response answers a request.",
        responseTo: "Id of the request this answers; only with mode response.",
        idempotencyKey:
          "Any text of your own. Repeat a call with the same key if its outcome is unclear: it sends only once.",
        expiresInMs: "Milliseconds after which an undelivered message is dropped; 0 or absent: never.",
        context: "Material that goes with the message.",
      }),
    })
    .refine((value) => value.mode !== "response" || IDENTIFIER_PATTERN.test(value.peer), {
      error: "with mode response expected the exact id in the request's from field",
      path: ["peer"],
    }),
  output: operations.sendMessage.result,
  next: {
    NOT_FOUND: "Call list_peers to see whom you can message.",
    PERMISSION_DENIED: "Call list_peers to see whom you can message.",
    CONFLICT: "Do not repeat the same call.",
  },
  async run({ peer, message, ...rest }, { call }) {
    // Whoever asked may be answered without being a peer, so there is no list to look the name up in.
    const to = rest.mode === "response" ? peer : resolvePeer(await call("listPeers", {}), peer);
    return call("sendMessage", { ...rest, to, body: message });
  },
});

export const messageReceipt = operationTool("getReceipt", {
  name: "message_receipt",
  title: "Look up a receipt",
  description: "How far a message you sent or received has come: queued, reserved, delivered, acknowledged, expired.",
  readOnly: true,
  fields: { messageId: "Id of the message, as message_peer returned it." },
});
