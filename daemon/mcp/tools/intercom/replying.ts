import { z } from "zod";
import { IntercomError, LIMITS, type Message, operations } from "../../../../protocol/index.ts";
import type { ToolContext } from "../../tool.ts";
import { NEXT } from "../shared/forgiving-tool.ts";
import { intercomTool } from "./intercom-tool.ts";

const { displayName } = operations.registerAgent.input.shape;
const { body } = operations.sendMessage.input.shape;

type Which = "oldest" | "latest";

export const intercomReply = intercomTool({
  name: "intercom_reply",
  title: "Reply to an ask",
  description:
    "Reply to an ask that intercom_pending showed. With one open ask only the message is needed; with asks from several " +
    "senders say to whom; with several asks from one sender say which of them.",
  input: z.strictObject({
    message: body.meta({ description: "Your reply, at most 65536 bytes." }),
    to: displayName.optional().meta({ description: "Who asked: id or name. Needed when several have." }),
    which: z
      .enum(["oldest", "latest"], { error: "expected one of oldest, latest" })
      .optional()
      .meta({ description: "Which ask of that sender: oldest or latest. Needed when there are several." }),
  }),
  output: z.object({
    to: z.string(),
    askedAt: z.string(),
    remaining: z.int().meta({ description: "Asks that still want a reply." }),
    next: z.string().meta({ description: NEXT }),
  }),
  next: {
    NOT_FOUND: "Call intercom_pending to see which asks are open. For anything but a reply use intercom_send.",
    CONFLICT: "Call again with to, and which where it is needed; intercom_pending shows what is open.",
  },
  async run({ message, to, which }, { call }) {
    const { messages } = await call("listMyRequests", { limit: LIMITS.pageMax });
    const request = choose(to === undefined ? messages : await fromSender(messages, to, call), to, which);
    await call("sendMessage", { to: request.from, mode: "response", responseTo: request.id, body: message });
    const remaining = messages.length - 1;
    const next = remaining > 0 ? "More asks are open: intercom_pending shows them." : "No other ask is open. Go on.";
    return { to: request.from, askedAt: request.createdAt, remaining, next };
  },
});

/** Those of the sender a model means: by id, else by its name as other agents have it. */
async function fromSender(requests: readonly Message[], to: string, call: ToolContext["call"]): Promise<Message[]> {
  const wanted = to.trim();
  const byId = requests.filter(({ from }) => from === wanted);
  if (byId.length > 0) return byId;
  const name = wanted.toLowerCase();
  const named = (await call("listPeers", {})).filter(({ displayName }) => displayName.trim().toLowerCase() === name);
  const ids = new Set(named.map(({ id }) => id));
  return requests.filter(({ from }) => ids.has(from) || from.toLowerCase() === name);
}

function choose(requests: readonly Message[], to: string | undefined, which: Which | undefined): Message {
  const [oldest] = requests;
  const latest = requests.at(-1);
  if (!oldest || !latest) {
    const whose = to === undefined ? "" : ` from ${JSON.stringify(to)}`;
    throw new IntercomError("NOT_FOUND", `There is no open ask${whose}`);
  }
  const senders = [...new Set(requests.map(({ from }) => from))];
  if (senders.length > 1) {
    throw new IntercomError("CONFLICT", `to: several have asked: ${senders.join(", ")}`, { senders });
  }
  if (requests.length > 1 && which === undefined) {
    const count = requests.length;
    throw new IntercomError("CONFLICT", `which: ${oldest.from} has asked ${count} times; expected oldest or latest`, {
      count,
    });
  }
  return which === "latest" ? latest : oldest;
}
