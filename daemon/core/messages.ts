import { HUMAN_PARTY, IntercomError, type ParsedInput, type Receipt } from "../../protocol/index.ts";
import { a2aMessageAnswered } from "./a2a-tasks.ts";
import type { AgentCaller, OwnerCaller, Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { ensureConversation, HUMAN_NO, isPrincipalParty } from "./conversations.ts";
import { toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { messageHash } from "./message-hash.ts";
import { insertMessage } from "./message-insert.ts";
import { ACTIVE, type MessageHead, partyId, SELECT_HEADS, UNANSWERED } from "./message-rows.ts";
import { receiptOf } from "./receipts.ts";
import { findRecipient, type Recipient, recipientOfAgent, recipientOfResponse, toPresence } from "./recipients.ts";

interface Party {
  readonly no: number;
  readonly id: string;
}

type Outgoing = ParsedInput<"sendMessage">;

export async function sendMessage(ctx: Context, caller: AgentCaller, input: Outgoing): Promise<Receipt> {
  const sender = { no: caller.agentNo, id: caller.agentId };
  const { unlessUnanswered = false, ...outgoing } = input;
  return send(ctx, caller.scope, sender, outgoing, async () => {
    const recipient = await recipientOfAgent(ctx, caller, input);
    if (unlessUnanswered && input.mode === "request") await refuseWhileUnanswered(ctx, sender, recipient);
    return recipient;
  });
}

/** @throws {IntercomError} CONFLICT while the recipient owes the sender an answer, or has a request still to take */
async function refuseWhileUnanswered(ctx: Context, sender: Party, recipient: Recipient): Promise<void> {
  const open = await ctx.tx.get<{ id: string }>(
    `SELECT id FROM messages WHERE recipient_no = ? AND sender_no = ? AND mode = 'request' AND replied_at IS NULL
        AND ${ACTIVE} AND state IN ('queued', 'reserved')
      UNION ALL SELECT id FROM messages WHERE recipient_no = ? AND sender_no = ? AND ${UNANSWERED} LIMIT 1`,
    recipient.no,
    sender.no,
    recipient.no,
    sender.no,
  );
  if (!open) return;
  throw new IntercomError("CONFLICT", `${recipient.id} has not answered an earlier request yet`, {
    reason: "unanswered",
    messageId: open.id,
  });
}

/** The human who owns the scope needs no link: the scope is theirs. */
export async function sendHumanMessage(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"sendHumanMessage">,
): Promise<Receipt> {
  const sender = { no: HUMAN_NO, id: HUMAN_PARTY };
  return send(ctx, caller.scope, sender, input, async () => {
    const agent = await findRecipient(ctx, caller.scope, HUMAN_NO, input.to);
    if (!agent) throw new IntercomError("NOT_FOUND", `Agent ${input.to} does not exist`);
    return agent;
  });
}

/**
 * The one way a message comes into being. The order of the checks is part of the protocol: a repeated call gets its
 * first answer even if it would be refused today.
 */
async function send(
  ctx: Context,
  scope: Scope,
  sender: Party,
  input: Outgoing,
  chooseRecipient: () => Promise<Recipient>,
): Promise<Receipt> {
  const mode = input.mode ?? "notify";
  const key = input.idempotencyKey;
  const requestHash = key === undefined ? undefined : messageHash({ ...input, mode });
  if (key !== undefined) {
    const earlier = await ctx.tx.get<{ id: string; requestHash: string }>(
      `SELECT id, request_hash AS requestHash FROM messages WHERE scope_no = ? AND sender_no = ? AND idempotency_key = ?`,
      scope.no,
      sender.no,
      key,
    );
    if (earlier) {
      if (earlier.requestHash === requestHash) return receiptOf(ctx, earlier.id);
      throw new IntercomError("CONFLICT", "idempotencyKey: was used for another message", { messageId: earlier.id });
    }
  }
  const request = await requestAnswered(ctx, scope, sender, input, mode);
  const recipient = request ? await recipientOfResponse(ctx, scope, sender.no, request) : await chooseRecipient();
  const conversationNo =
    recipient.conversationNo ?? (await ensureConversation(ctx, scope.no, sender.no, recipient.no)).no;
  const id = await insertMessage(ctx, {
    scopeNo: scope.no,
    conversationNo,
    sender,
    recipient,
    mode,
    body: input.body,
    context: input.context,
    responseTo: input.responseTo,
    expiresAt: input.expiresInMs ? ctx.now + input.expiresInMs : undefined,
    idempotencyKey: key,
    requestHash,
  });
  if (request) {
    await ctx.tx.run(
      "UPDATE messages SET replied_at = ?, response_message_id = ? WHERE seq = ?",
      ctx.now,
      id,
      request.seq,
    );
    await recordEvent(ctx, scope.no, "message.replied", request.id, {
      responseMessageId: id,
      from: sender.id,
      to: recipient.id,
    });
    if (isPrincipalParty(request.senderNo)) await a2aMessageAnswered(ctx, scope.no, request.id, id);
  }
  if (recipient.presence === undefined) return receiptOf(ctx, id);
  return {
    messageId: id,
    state: "queued",
    acceptedAt: toInstant(ctx.now),
    recipient: toPresence(recipient.presence, ctx.now),
  };
}

interface AnsweredRequest {
  readonly seq: number;
  readonly id: string;
  readonly senderNo: number;
  readonly from: string;
}

/** The request a response answers. A request takes one answer, from the one it was delivered to. */
async function requestAnswered(
  ctx: Context,
  scope: Scope,
  sender: Party,
  input: Outgoing,
  mode: string,
): Promise<AnsweredRequest | undefined> {
  if (mode !== "response") {
    if (input.responseTo === undefined) return undefined;
    throw new IntercomError("INVALID_ARGUMENT", "responseTo: goes with mode response only");
  }
  if (input.responseTo === undefined) {
    throw new IntercomError("INVALID_ARGUMENT", "responseTo: is required when mode is response");
  }
  const request = await ctx.tx.get<MessageHead>(
    `${SELECT_HEADS}
      WHERE m.id = ? AND m.scope_no = ? AND m.recipient_no = ? AND m.mode = 'request'`,
    input.responseTo,
    scope.no,
    sender.no,
  );
  const from = request && partyId(request.senderNo, request.senderId);
  if (!request || from !== input.to) {
    throw new IntercomError("NOT_FOUND", `There is no request ${input.responseTo} from ${input.to} to ${sender.id}`);
  }
  if (request.repliedAt !== null) throw new IntercomError("CONFLICT", "The request has been answered already");
  if (request.deliveredAt === null) {
    throw new IntercomError(
      "CONFLICT",
      request.state === "expired"
        ? "The request expired before it was delivered"
        : "The request has not been delivered yet",
    );
  }
  return { seq: request.seq, id: request.id, senderNo: request.senderNo, from };
}
