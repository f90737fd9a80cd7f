import { z } from "zod";
import { contextItem, type Message, messageMode, messageSubject, partyKind } from "../../../../protocol/index.ts";
import { jsonLength, pieceOf } from "../../result-room.ts";

/** A message as a model gets it: what it must know, within a given room. */
export const messageView = z.object({
  id: z.string(),
  from: z.string(),
  fromKind: partyKind.meta({
    description: "agent, human, system (the intercom itself) or a2aPrincipal (from outside).",
  }),
  to: z.string(),
  mode: messageMode.meta({
    description: "request: the sender waits for your reply. response: the reply to a request.",
  }),
  responseTo: z.string().optional(),
  about: messageSubject.optional(),
  createdAt: z.string(),
  deliveryCount: z.int().optional().meta({ description: "Above 1: you were given this message before." }),
  repliedAt: z.string().optional(),
  body: z.string(),
  context: z.array(contextItem).optional(),
  truncated: z
    .object({ shownCharacters: z.int(), totalCharacters: z.int() })
    .optional()
    .meta({ description: "There is more: read_messages with this id, and shownCharacters as offset." }),
});
export type MessageView = z.input<typeof messageView>;

/** Everything a message says, as one text: its body, then its context as JSON. Offsets count in it. */
export function wholeText({ body, context }: Message): string {
  return context.length === 0 ? body : body + JSON.stringify(context);
}

/** Everything about a message but what it says. */
export function headOf(message: Message): Omit<MessageView, "body"> {
  const { id, from, fromKind, to, mode, responseTo, about, createdAt, deliveryCount, repliedAt } = message;
  return {
    id,
    from,
    fromKind,
    to,
    mode,
    ...(responseTo === undefined ? {} : { responseTo }),
    ...(about === undefined ? {} : { about }),
    createdAt,
    ...(deliveryCount > 1 ? { deliveryCount } : {}),
    ...(repliedAt === undefined ? {} : { repliedAt }),
  };
}

/** For the mark that something is missing. */
const MARK_ROOM = 100;

/** The message with as much of what it says as takes at most `room` characters of JSON, and a mark where that is not all. */
export function viewMessage(message: Message, room: number): MessageView {
  const { body, context } = message;
  const view = { ...headOf(message), body: "" };
  const whole = { ...view, body, ...(context.length === 0 ? {} : { context }) };
  if (jsonLength(whole) <= room) return whole;
  const piece = pieceOf(body, 0, room - jsonLength(view) - MARK_ROOM);
  const truncated = { shownCharacters: piece.end, totalCharacters: wholeText(message).length };
  return { ...view, body: piece.text, truncated };
}
