import { IntercomError, type Message, type ParsedInput } from "../../protocol/index.ts";
import type { AgentCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import {
  type MessageHead,
  type MessageRow,
  recordMessageEvent,
  SELECT_HEADS,
  SELECT_MESSAGES,
  toMessage,
} from "./message-rows.ts";

/**
 * The response to one request, without anything else leaving the inbox. One that a read has reserved leaves that
 * reservation: whoever asks for it by name has it, and the read must not bring it a second time.
 */
export async function takeResponse(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"takeResponse">,
): Promise<Message | null> {
  const request = await ctx.tx.get<MessageHead>(
    `${SELECT_HEADS} WHERE m.id = ? AND m.scope_no = ? AND m.sender_no = ? AND m.mode = 'request'`,
    input.messageId,
    caller.scope.no,
    caller.agentNo,
  );
  if (!request) {
    throw new IntercomError("NOT_FOUND", `There is no request ${input.messageId} of ${caller.agentId}`);
  }
  if (request.responseMessageId === null) return noResponse(request);
  const response = await messageById(ctx, request.responseMessageId);
  if (!response) throw new IntercomError("NOT_FOUND", `Message ${request.responseMessageId} does not exist any more`);
  if (response.state === "expired" && response.deliveredAt === null) {
    throw new IntercomError("CONFLICT", "The response expired before it was taken", { state: "expired" });
  }
  if (response.state !== "queued" && response.state !== "reserved") return toMessage(response);
  await ctx.tx.run(
    `UPDATE messages SET state = 'delivered', delivered_at = COALESCE(delivered_at, ?), delivery_count = delivery_count + 1,
            reservation_no = NULL WHERE seq = ?`,
    ctx.now,
    response.seq,
  );
  await recordMessageEvent(ctx, "message.delivered", response, "delivered");
  return toMessage((await messageById(ctx, response.id)) as MessageRow);
}

/** Nothing yet, unless nobody will ever answer. */
function noResponse(request: MessageHead): null {
  const lost = request.state === "dead_lettered" || (request.state === "expired" && request.deliveredAt === null);
  if (!lost) return null;
  throw new IntercomError("CONFLICT", `No response will come: the request is ${request.state}`, {
    state: request.state,
  });
}

async function messageById(ctx: Context, id: string): Promise<MessageRow | undefined> {
  return ctx.tx.get<MessageRow>(`${SELECT_MESSAGES} WHERE m.id = ?`, id);
}
