import { z } from "zod";
import { type Message, type messageMode, partyKind } from "../../../../protocol/index.ts";
import { jsonLength, pieceOf } from "../../result-room.ts";
import { wholeText } from "../shared/message-view.ts";
import type { IntercomContext } from "./intercom-tool.ts";

/** A message, or the next part of it, without its id. */
export const messagePart = z.object({
  from: z.string(),
  fromKind: partyKind,
  kind: z
    .enum(["message", "ask", "reply"])
    .meta({ description: "ask: wants intercom_reply. reply: answers an ask of yours." }),
  sentAt: z.string(),
  message: z.string().meta({ description: "What the sender wrote, then its context as JSON if there is any." }),
  continued: z.boolean().optional().meta({ description: "This goes on where the part shown before ended." }),
  truncated: z
    .object({ shownCharacters: z.int(), totalCharacters: z.int() })
    .optional()
    .meta({ description: "There is more: the next intercom_pending shows it." }),
});
export type MessagePart = z.output<typeof messagePart>;

const KINDS: Readonly<Record<z.output<typeof messageMode>, MessagePart["kind"]>> = {
  notify: "message",
  request: "ask",
  response: "reply",
};

/** For the marks that it is a part. */
const MARKS_ROOM = 120;

/** As much of a message as takes at most `room` characters of JSON, from where the part shown before ended. */
export function viewPart(message: Message, room: number, { me, shown }: IntercomContext) {
  const text = wholeText(message);
  const { from, fromKind, mode, createdAt } = message;
  const head = { from, fromKind, kind: KINDS[mode], sentAt: createdAt, message: "" };
  const begin = shown.shownTo(me.identity.executionId, message.id);
  const { text: part, start, end } = pieceOf(text, begin, room - jsonLength(head) - MARKS_ROOM);
  const view: MessagePart = {
    ...head,
    message: part,
    ...(start === 0 ? {} : { continued: true }),
    ...(end === text.length ? {} : { truncated: { shownCharacters: end, totalCharacters: text.length } }),
  };
  return { view, end: end === text.length ? ("all" as const) : end };
}

/** Notes that this part was shown, unless nobody is there any more to see it. */
export function noteShown({ id }: Message, end: number | "all", { me, shown, signal }: IntercomContext): void {
  if (!signal.aborted) shown.note(me.identity.executionId, id, end);
}
