import { z } from "zod";
import {
  IDENTIFIER_PATTERN,
  IntercomError,
  isIntercomError,
  type Message,
  type OperationInput,
  operations,
} from "../../../../protocol/index.ts";
import { describeFields } from "../../operation-tool.ts";
import { CONTENT_ROOM, fitting, jsonLength, pieceOf } from "../../result-room.ts";
import type { ToolContext } from "../../tool.ts";
import { forgivingTool, NEXT } from "../shared/forgiving-tool.ts";
import { headOf, type MessageView, messageView, viewMessage, wholeText } from "../shared/message-view.ts";
import { isHuman, peerMeant } from "../shared/names.ts";
import { withCursor } from "../shared/pages.ts";

const search = operations.listMyMessages.input.shape;
const { displayName } = operations.registerAgent.input.shape;

const PAGE = 20;
/** Room for one message among others. */
const ENTRY_ROOM = 2_000;

export const readMessages = forgivingTool({
  name: "read_messages",
  title: "Read messages again",
  description:
    "Read messages you sent or received, without changing anything. With messageId: one whole message, in parts when it is " +
    "long (call again with nextOffset). Otherwise newest first: all of yours, those with one agent (with), or those that " +
    "contain a text, whatever its case. Use it to recall what was agreed; new messages come from check_inbox.",
  readOnly: true,
  input: z.strictObject({
    messageId: search.peer.meta({ id: undefined, description: "Id of one message to read whole." }),
    offset: z
      .int({ error: "expected a whole number from 0" })
      .min(0, { error: "expected a whole number from 0" })
      .optional()
      .meta({ description: "With messageId: character to begin at, as nextOffset said." }),
    with: displayName.optional().meta({ description: 'Only messages with this agent (id or name), or with "human".' }),
    ...describeFields(search, { text: "Only messages that contain this text." }),
    cursor: search.before.meta({ description: "nextCursor of the page before." }),
  }),
  output: z.object({
    messages: z.array(messageView).optional(),
    nextCursor: z.string().optional(),
    message: messageView.optional(),
    contextJson: z
      .string()
      .optional()
      .meta({ description: "The part of the message's context, as JSON text, that begins at offset." }),
    offset: z.int().optional(),
    nextOffset: z.int().optional(),
    totalCharacters: z.int().optional(),
    next: z.string().optional().meta({ description: NEXT }),
  }),
  next: {
    NOT_FOUND: "Call read_messages without messageId to see which messages there are, or list_agents for agents.",
  },
  async run(input, context) {
    const { messageId, offset = 0 } = input;
    if (messageId === undefined) return readConversation(input, context);
    return readWhole(await context.call("getMyMessage", { messageId }), offset);
  },
});

/** A message from a character on: its body first, then its context. */
function readWhole(message: Message, offset: number) {
  const { body } = message;
  const whole = wholeText(message);
  if (offset > whole.length) {
    throw new IntercomError("INVALID_ARGUMENT", `offset: the message has ${whole.length} characters`);
  }
  const totalCharacters = whole.length;
  if (offset === 0) {
    const view = viewMessage(message, CONTENT_ROOM);
    if (!view.truncated) return { message: view, totalCharacters };
  }
  const head: MessageView = { ...headOf(message), body: "" };
  const inBody = offset < body.length;
  const piece = pieceOf(inBody ? body : whole, offset, CONTENT_ROOM - jsonLength(head));
  const more = piece.end < totalCharacters;
  return {
    message: inBody ? { ...head, body: piece.text } : head,
    ...(inBody ? {} : { contextJson: piece.text }),
    offset: piece.start,
    ...(more ? { nextOffset: piece.end } : {}),
    totalCharacters,
    ...(more ? { next: "There is more: call read_messages with this messageId and nextOffset as offset." } : {}),
  };
}

interface Wanted {
  readonly with?: string | undefined;
  readonly text?: string | undefined;
  readonly cursor?: string | undefined;
}

async function readConversation({ with: other, text, cursor }: Wanted, { call }: ToolContext) {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    throw new IntercomError("INVALID_ARGUMENT", "cursor: expected nextCursor of an earlier page");
  }
  const whose = await conversationWith(other, call);
  const query = {
    ...whose,
    ...(text === undefined ? {} : { text }),
    ...(cursor === undefined ? {} : { before: cursor }),
  };
  for (let limit = PAGE; ; ) {
    const { messages, nextCursor } = await call("listMyMessages", { ...query, limit });
    const views = messages.map((message) => viewMessage(message, ENTRY_ROOM));
    const count = fitting(views).length;
    if (count < views.length) {
      limit = count;
      continue;
    }
    const more =
      nextCursor === undefined ? {} : { next: "There is more: call read_messages again with nextCursor as cursor." };
    return { messages: views, ...withCursor(nextCursor), ...more };
  }
}

async function conversationWith(
  other: string | undefined,
  call: ToolContext["call"],
): Promise<Pick<OperationInput<"listMyMessages">, "peer" | "peerKind">> {
  if (other === undefined) return {};
  if (isHuman(other)) return { peerKind: "human" };
  const peers = await call("listPeers", {});
  try {
    return { peer: peerMeant(peers, other, "with") };
  } catch (error) {
    // Nobody to message any more, but perhaps somebody there was a conversation with.
    if (isIntercomError(error, "NOT_FOUND") && IDENTIFIER_PATTERN.test(other)) return { peer: other };
    throw error;
  }
}
