import { HUMAN_PARTY, IntercomError, type ParsedInput, type Receipt } from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller, Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { ensureConversation, HUMAN_NO } from "./conversations.ts";
import { contentHash, toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { insertMessage } from "./message-insert.ts";
import { receiptOf } from "./receipts.ts";
import { findRecipient, type Recipient, recipientOfAgent, toPresence } from "./recipients.ts";

interface Party {
  readonly no: number;
  readonly id: string;
}

type Outgoing = ParsedInput<"sendMessage">;

export async function sendMessage(ctx: Context, caller: AgentCaller, input: Outgoing): Promise<Receipt> {
  const sender = { no: caller.agentNo, id: caller.agentId };
  return send(ctx, caller.scope, sender, input, () => recipientOfAgent(ctx, caller, input));
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
  const requestHash = key === undefined ? undefined : hashOf(input, mode);
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
  const recipient = await chooseRecipient();
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
  }
  if (recipient.presence === undefined) return receiptOf(ctx, id);
  return {
    messageId: id,
    state: "queued",
    acceptedAt: toInstant(ctx.now),
    recipient: toPresence(recipient.presence, ctx.now),
  };
}

function hashOf(input: Outgoing, mode: string): string {
  return contentHash([
    input.to,
    input.toKind ?? "agent",
    input.body,
    mode,
    input.responseTo ?? null,
    input.expiresInMs ?? 0,
    input.context ?? [],
  ]);
}

interface AnsweredRequest {
  readonly seq: number;
  readonly id: string;
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
  const request = await ctx.tx.get<
    AnsweredRequest & {
      state: string;
      deliveredAt: number | null;
      repliedAt: number | null;
      from: string | null;
      senderNo: number;
    }
  >(
    `SELECT m.seq, m.id, m.state, m.delivered_at AS deliveredAt, m.replied_at AS repliedAt, a.id AS "from",
            m.sender_no AS senderNo
       FROM messages m LEFT JOIN agents a ON a.no = m.sender_no
      WHERE m.id = ? AND m.scope_no = ? AND m.recipient_no = ? AND m.mode = 'request'`,
    input.responseTo,
    scope.no,
    sender.no,
  );
  const from = request?.senderNo === HUMAN_NO ? HUMAN_PARTY : request?.from;
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
  return request;
}
