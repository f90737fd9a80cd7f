import { z } from "zod";
import { HUMAN_PARTY, IntercomError, type OperationInput, operations } from "../../../../protocol/index.ts";
import { describeFields } from "../../operation-tool.ts";
import type { ToolContext } from "../../tool.ts";
import { forgivingTool, NEXT } from "../shared/forgiving-tool.ts";
import { isHuman, peerMeant } from "../shared/names.ts";

const outgoing = operations.sendMessage.input.shape;
const { displayName } = operations.registerAgent.input.shape;
const receipt = operations.sendMessage.result.shape;

const SENT = "Sent. No reply is expected; go on with your work.";
const ASKED = "The reply arrives in your inbox. Go on, or wait for it with check_inbox and waitMs.";
const AWAY = " The agent cannot be reached now: it gets the message when it is back.";

export const sendMessage = forgivingTool({
  name: "send_message",
  title: "Send a message",
  description:
    "Send text to another agent, or a note to the human. It is stored until it is taken, also while the agent is away. Set " +
    "expectsReply when you need an answer: it then comes to your inbox. To answer a request from your inbox, set replyTo to " +
    "its id and leave out to. Say what you need in one message; agents do not see your conversation. Questions to the human " +
    "go through ask_human instead.",
  alwaysLoad: true,
  input: z.strictObject({
    to: displayName
      .optional()
      .meta({ description: 'Id or name of an agent from list_agents, or "human". Not needed with replyTo.' }),
    text: outgoing.body.meta({ description: "What to say, at most 65536 bytes." }),
    expectsReply: z
      .boolean({ error: "expected true or false" })
      .optional()
      .meta({ description: "true: a reply is wanted." }),
    replyTo: outgoing.responseTo.meta({ id: undefined, description: "Id of the request this answers." }),
    ...describeFields(outgoing, {
      idempotencyKey:
        "Any text of your own. Repeat a call with the same key if its outcome is unclear: it sends only once.",
      context: "Files, links or texts that go with the message.",
    }),
  }),
  output: z.object({
    messageId: receipt.messageId,
    to: z.string(),
    mode: outgoing.mode.unwrap(),
    state: receipt.state,
    recipient: receipt.recipient,
    next: z.string().meta({ description: NEXT }),
  }),
  next: {
    NOT_FOUND: "Call list_agents to see whom you can message; replyTo takes the id of a request from check_inbox.",
    PERMISSION_DENIED:
      "You are not linked with this agent: call request_link, or list_agents for those you may message.",
    CONFLICT: "Do not repeat the same call.",
  },
  async run({ to, text, expectsReply = false, replyTo, ...rest }, { call }) {
    const target =
      replyTo === undefined ? await addressee(to, expectsReply, call) : await asker(to, replyTo, expectsReply, call);
    const sent = await call("sendMessage", { ...rest, ...target, body: text });
    const { messageId, state, recipient } = sent;
    const away = recipient && !recipient.reachable ? AWAY : "";
    return {
      messageId,
      to: target.to,
      mode: target.mode,
      state,
      ...(recipient ? { recipient } : {}),
      next: (target.mode === "request" ? ASKED : SENT) + away,
    };
  },
});

type Target = Pick<OperationInput<"sendMessage">, "to" | "toKind" | "responseTo"> & {
  readonly mode: "notify" | "request" | "response";
};

async function addressee(to: string | undefined, expectsReply: boolean, call: ToolContext["call"]): Promise<Target> {
  if (to === undefined) {
    throw new IntercomError("INVALID_ARGUMENT", "to: is required without replyTo; expected the id or name of an agent");
  }
  if (isHuman(to)) {
    if (expectsReply) {
      throw new IntercomError(
        "INVALID_ARGUMENT",
        "expectsReply: the human is asked with ask_human, not with a message",
      );
    }
    return { to: HUMAN_PARTY, toKind: "human", mode: "notify" };
  }
  return { to: peerMeant(await call("listPeers", {}), to, "to"), mode: expectsReply ? "request" : "notify" };
}

/** Whoever asked gets the answer, whether linked or not. */
async function asker(
  to: string | undefined,
  replyTo: string,
  expectsReply: boolean,
  call: ToolContext["call"],
): Promise<Target> {
  if (expectsReply) {
    throw new IntercomError(
      "INVALID_ARGUMENT",
      "expectsReply: a reply ends the exchange; to ask back, use to instead of replyTo",
    );
  }
  const request = await call("getMyMessage", { messageId: replyTo });
  if (to !== undefined && to !== request.from) {
    const meant = isHuman(to) ? HUMAN_PARTY : peerMeant(await call("listPeers", {}), to, "to");
    if (meant !== request.from) {
      throw new IntercomError(
        "INVALID_ARGUMENT",
        `to: the request came from ${request.from}; leave to out with replyTo`,
      );
    }
  }
  return { to: request.from, responseTo: replyTo, mode: "response" };
}
