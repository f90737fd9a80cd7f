import { HUMAN_PARTY, IntercomError, type PartyKind, SYSTEM_PARTY } from "../../protocol/index.ts";
import type { ExtendedRecord, Import } from "./archive-import.ts";
import { ActiveMessages, type ArchivedMessage, requirePossible } from "./archive-import-message-rules.ts";
import { each, ms, msOrNull, type RecordFault, textOrNull } from "./archive-import-parts.ts";
import { ensureConversation, HUMAN_NO, principalParty, SYSTEM_NO } from "./conversations.ts";
import { messageHash } from "./message-hash.ts";

type Extended = ExtendedRecord<"messages">;

export async function importMessages(work: Import): Promise<void> {
  const conversations = new Map<string, number>();
  const keys = new Set<string>();
  const active = new ActiveMessages();
  for (const { record, extended, fault } of each(work, "messages")) {
    requirePossible(record, fault);
    active.count(record, fault);
    const senderNo = await partyNo(work, record.from, record.fromKind, "from", fault);
    const recipientNo = await partyNo(work, record.to, record.toKind, "to", fault);
    if (textOrNull(record.idempotencyKey) !== null) {
      const key = `${senderNo} ${record.idempotencyKey}`;
      if (keys.has(key)) throw fault.error("idempotencyKey: the sender has used it already");
      keys.add(key);
    }
    await requireNew(work, record.id);
    const conversationNo = await conversationOf(work, conversations, senderNo, recipientNo);
    await insert(work, { record, extended, senderNo, recipientNo, conversationNo });
    const { about } = extended ?? {};
    if (about?.kind === "escalation" && record.fromKind === "human") work.answers.set(about.id, record.id);
  }
  await work.ctx.tx.run("UPDATE scopes SET active_messages = ? WHERE no = ?", active.total, work.scopeNo);
  await requireAnswersFit(work);
}

async function partyNo(work: Import, id: string, kind: PartyKind, field: string, fault: RecordFault): Promise<number> {
  switch (kind) {
    case "agent":
      return fault.agentNo(work, id, field);
    case "a2aPrincipal":
      return principalParty(await principalNo(work, id));
    case "human":
      if (id !== HUMAN_PARTY) throw fault.error(`${field}: expected ${HUMAN_PARTY}`);
      return HUMAN_NO;
    case "system":
      if (id !== SYSTEM_PARTY) throw fault.error(`${field}: expected ${SYSTEM_PARTY}`);
      return SYSTEM_NO;
  }
}

/** Holders of credentials come back as names without any access. */
export async function principalNo(work: Import, id: string): Promise<number> {
  const known = work.principals.get(id);
  if (known !== undefined) return known;
  const row = await work.ctx.tx.get<{ no: number }>(
    `INSERT INTO principals (id, scope_no, kind, resource_no, label, permissions, token_hash, enabled, created_at, updated_at)
     VALUES (?, ?, 'a2a', 0, '', '[]', NULL, 0, ?, ?) RETURNING no`,
    id,
    work.scopeNo,
    work.ctx.now,
    work.ctx.now,
  );
  const { no } = row as { no: number };
  work.principals.set(id, no);
  return no;
}

async function conversationOf(
  work: Import,
  known: Map<string, number>,
  senderNo: number,
  recipientNo: number,
): Promise<number> {
  const pair = `${Math.min(senderNo, recipientNo)} ${Math.max(senderNo, recipientNo)}`;
  let no = known.get(pair);
  if (no === undefined) {
    no = (await ensureConversation(work.ctx, work.scopeNo, senderNo, recipientNo)).no;
    known.set(pair, no);
  }
  return no;
}

async function requireNew(work: Import, id: string): Promise<void> {
  if (await work.ctx.tx.get("SELECT 1 AS found FROM messages WHERE id = ?", id)) {
    throw new IntercomError("CONFLICT", `messages: ${id} belongs to another scope of this daemon`);
  }
}

interface NewRow {
  readonly record: ArchivedMessage;
  readonly extended: Extended | undefined;
  readonly senderNo: number;
  readonly recipientNo: number;
  readonly conversationNo: number;
}

async function insert(
  work: Import,
  { record, extended, senderNo, recipientNo, conversationNo }: NewRow,
): Promise<void> {
  const { ctx } = work;
  const [createdAt, expiresAt] = [ms(record.createdAt), msOrNull(record.expiresAt)];
  const expiresInMs = expiresAt === null ? 0 : Math.max(0, expiresAt - createdAt);
  const key = textOrNull(record.idempotencyKey);
  const about = extended?.about === undefined ? null : JSON.stringify(extended.about);
  await ctx.tx.run(
    `INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, response_to, delivery_count,
                           created_at, expires_at, delivered_at, acknowledged_at, dead_lettered_at, dead_letter_reason,
                           replied_at, response_message_id, idempotency_key, request_hash, about, body, context)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    record.id,
    work.scopeNo,
    conversationNo,
    senderNo,
    recipientNo,
    record.mode,
    record.state,
    record.responseTo ?? null,
    extended?.deliveryCount ?? (record.deliveredAt === undefined ? 0 : 1),
    createdAt,
    expiresAt,
    msOrNull(record.deliveredAt),
    msOrNull(record.acknowledgedAt),
    msOrNull(extended?.deadLetteredAt),
    textOrNull(extended?.deadLetterReason),
    msOrNull(record.repliedAt),
    record.responseMessageId ?? null,
    key,
    key === null ? null : messageHash({ ...record, expiresInMs }),
    about,
    record.body,
    record.context.length === 0 ? "[]" : JSON.stringify(record.context),
  );
  if (expiresAt !== null) ctx.deadline(expiresAt);
}

/** Questions and answers must name each other, and be between the same two. */
async function requireAnswersFit(work: Import): Promise<void> {
  const stray = await work.ctx.tx.get<{ id: string }>(
    `SELECT m.id FROM conversations c JOIN messages m ON m.conversation_no = c.no LEFT JOIN messages q ON q.id = m.response_to
      WHERE c.scope_no = ? AND m.mode = 'response'
        AND (q.seq IS NULL OR q.scope_no <> m.scope_no OR q.mode <> 'request' OR q.sender_no <> m.recipient_no
             OR q.recipient_no <> m.sender_no OR COALESCE(q.response_message_id, '') <> m.id) LIMIT 1`,
    work.scopeNo,
  );
  if (stray) throw new IntercomError("INVALID_ARGUMENT", `messages: ${stray.id} answers no request of the archive`);
  const open = await work.ctx.tx.get<{ id: string }>(
    `SELECT m.id FROM conversations c JOIN messages m ON m.conversation_no = c.no
            LEFT JOIN messages r ON r.id = m.response_message_id
      WHERE c.scope_no = ? AND m.response_message_id IS NOT NULL
        AND (r.seq IS NULL OR r.scope_no <> m.scope_no OR COALESCE(r.response_to, '') <> m.id) LIMIT 1`,
    work.scopeNo,
  );
  if (open) throw new IntercomError("INVALID_ARGUMENT", `messages: the answer to ${open.id} is not in the archive`);
}
