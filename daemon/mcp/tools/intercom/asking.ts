import { z } from "zod";
import { HUMAN_PARTY, IntercomError, LIMITS, type Message, operations } from "../../../../protocol/index.ts";
import { CONTENT_ROOM } from "../../result-room.ts";
import { NEXT } from "../shared/forgiving-tool.ts";
import { isHuman, peerMeant } from "../shared/names.ts";
import { type IntercomContext, intercomTool } from "./intercom-tool.ts";
import { messagePart, noteShown, viewPart } from "./message-parts.ts";

const { displayName } = operations.registerAgent.input.shape;
const { body } = operations.sendMessage.input.shape;
const receipt = operations.sendMessage.result.shape;

const TIMEOUT_MS = 45_000;
const LONGEST_MS = 120_000;
const expected = `expected a whole number of milliseconds from 0 to ${LONGEST_MS}; for longer work use intercom_send`;

const message = body.meta({ description: "What to say, at most 65536 bytes." });
const NEXT_WHEN_UNKNOWN = {
  NOT_FOUND: "Call intercom_list to see whom you can message.",
  PERMISSION_DENIED: "Call intercom_list to see whom you can message.",
};

export const intercomSend = intercomTool({
  name: "intercom_send",
  title: "Send a message",
  description:
    "Send a message without waiting for a reply: assignments, results, progress. It is stored until it is taken, also while " +
    "the recipient is away. Put everything into it that the recipient needs.",
  alwaysLoad: true,
  input: z.strictObject({
    to: displayName.meta({ description: 'Id or name of an agent from intercom_list, or "human".' }),
    message,
  }),
  output: z.object({
    to: z.string(),
    state: receipt.state,
    recipient: receipt.recipient,
    next: z.string().meta({ description: NEXT }),
  }),
  next: NEXT_WHEN_UNKNOWN,
  async run({ to: wanted, message }, { call }) {
    const human = isHuman(wanted);
    const to = human ? HUMAN_PARTY : peerMeant(await call("listPeers", {}), wanted, "to");
    const { state, recipient } = await call("sendMessage", {
      to,
      body: message,
      ...(human ? { toKind: "human" } : {}),
    });
    const away = recipient && !recipient.reachable ? " The recipient is away and gets it when it is back." : "";
    return { to, state, ...(recipient ? { recipient } : {}), next: `Sent. Go on with your work.${away}` };
  },
});

export const intercomAsk = intercomTool({
  name: "intercom_ask",
  title: "Ask and wait",
  description:
    "Ask an agent for something you cannot go on without, and wait a little for its reply. Only one ask to the same agent can " +
    "be open at a time; use intercom_send for assignments, status and further remarks. When no reply comes in time the ask " +
    "stays open, and intercom_pending shows the reply when it is there.",
  alwaysLoad: true,
  input: z.strictObject({
    to: displayName.meta({ description: "Id or name of an agent from intercom_list." }),
    message,
    timeout_ms: z
      .int({ error: expected })
      .min(0, { error: expected })
      .max(LONGEST_MS, { error: expected })
      .optional()
      .meta({ description: `Milliseconds to wait for the reply; ${TIMEOUT_MS} if absent, at most ${LONGEST_MS}.` }),
  }),
  output: z.object({
    to: z.string(),
    replied: z.boolean(),
    reply: messagePart.optional(),
    next: z.string().meta({ description: NEXT }),
  }),
  next: {
    ...NEXT_WHEN_UNKNOWN,
    CONFLICT:
      "Use intercom_send for what cannot wait; intercom_pending shows the reply to your earlier ask when it is there.",
    waiters: "Call intercom_pending later, or ask again after another waiting call has returned.",
  },
  async run({ to: wanted, message, timeout_ms = TIMEOUT_MS }, context) {
    if (isHuman(wanted)) {
      throw new IntercomError(
        "INVALID_ARGUMENT",
        "to: the human cannot be asked this way; leave a note with intercom_send",
      );
    }
    const { call } = context;
    const to = peerMeant(await call("listPeers", {}), wanted, "to");
    const { messageId } = await call("sendMessage", { to, body: message, mode: "request", unlessUnanswered: true });
    const response = await waitForResponse(messageId, timeout_ms, context);
    if (!response) {
      const next = "No reply yet. Go on with other work; intercom_pending shows the reply when it is there.";
      return { to, replied: false, next };
    }
    const { view, end } = viewPart(response, CONTENT_ROOM, context);
    noteShown(response, end, context);
    const next = end === "all" ? "This is the reply." : "The reply is longer: call intercom_pending for the rest.";
    return { to, replied: true, reply: view, next };
  },
});

/** Waits piece by piece, since no call of the daemon stays open that long. */
async function waitForResponse(
  messageId: string,
  timeoutMs: number,
  context: IntercomContext,
): Promise<Message | null> {
  for (let left = timeoutMs; ; left -= LIMITS.waitMaxMs) {
    const waitMs = Math.min(left, LIMITS.waitMaxMs);
    const response = await context.call("takeResponse", { messageId, waitMs });
    if (response || left <= LIMITS.waitMaxMs || context.signal.aborted) return response;
  }
}
