import type { ArchiveExtensionRecord, ArchiveRecord } from "../../protocol/index.ts";
import { type ArchivedScope, archivedPrincipalId, paged, type RecordSource } from "./archive-export-source.ts";
import type { Context } from "./context.ts";
import { isPrincipalParty } from "./conversations.ts";
import { fromJson, optional, optionalInstant, toInstant } from "./encoding.ts";
import { type MessageRow, partyId, partyKind, SELECT_MESSAGES } from "./message-rows.ts";

type StoredMessage = MessageRow & { readonly idempotencyKey: string | null };

const MESSAGES = `${SELECT_MESSAGES.replace("SELECT ", "SELECT m.idempotency_key AS idempotencyKey, ")} WHERE m.seq = ?`;

/** Messages in the order they were sent. */
async function* storedMessages(ctx: Context, scope: ArchivedScope): AsyncGenerator<StoredMessage> {
  for (const seq of await sequenceNumbers(ctx, scope))
    yield (await ctx.tx.get<StoredMessage>(MESSAGES, seq)) as StoredMessage;
}

/** All that is ever held of all messages at once. */
async function sequenceNumbers(ctx: Context, scope: ArchivedScope): Promise<Float64Array> {
  const conversations = await ctx.tx.all<{ no: number }>("SELECT no FROM conversations WHERE scope_no = ?", scope.no);
  const seqs: number[] = [];
  for (const { no } of conversations) {
    const query = "SELECT seq AS no FROM messages WHERE conversation_no = ? AND seq > ? ORDER BY seq LIMIT ?";
    for await (const row of paged<{ no: number }>(ctx, query, no)) seqs.push(row.no);
  }
  return Float64Array.from(seqs).sort();
}

function archivedParty(scope: ArchivedScope, no: number, storedId: string | null): string {
  const id = partyId(no, storedId);
  return isPrincipalParty(no) ? archivedPrincipalId(scope.id, id) : id;
}

function sharedFields(scope: ArchivedScope, row: StoredMessage) {
  return {
    id: row.id,
    from: archivedParty(scope, row.senderNo, row.senderId),
    to: archivedParty(scope, row.recipientNo, row.recipientId),
    mode: row.mode,
    body: row.body,
    context: fromJson<ArchiveRecord<"messages">["context"]>(row.context),
    ...optional("responseTo", row.responseTo),
    ...optional("idempotencyKey", row.idempotencyKey),
    createdAt: toInstant(row.createdAt),
    ...optionalInstant("deliveredAt", row.deliveredAt),
    ...optionalInstant("acknowledgedAt", row.acknowledgedAt),
    ...optionalInstant("repliedAt", row.repliedAt),
    ...optional("responseMessageId", row.responseMessageId),
  };
}

/** A reservation belongs to an execution, which an archive has none of. */
function settledState(row: StoredMessage): Exclude<StoredMessage["state"], "reserved"> {
  if (row.state !== "reserved") return row.state;
  return row.deliveredAt === null ? "queued" : "delivered";
}

function isPlainParty(no: number): boolean {
  const kind = partyKind(no);
  return kind === "agent" || kind === "a2aPrincipal";
}

export async function* messages(ctx: Context, scope: ArchivedScope): RecordSource<ArchiveRecord<"messages">> {
  for await (const row of storedMessages(ctx, scope)) {
    // The format knows neither the human nor the daemon as a party.
    if (!isPlainParty(row.senderNo) || !isPlainParty(row.recipientNo)) continue;
    const state = settledState(row);
    const setAside = state === "dead_lettered";
    yield {
      ...sharedFields(scope, row),
      fromKind: partyKind(row.senderNo) as "agent",
      toKind: partyKind(row.recipientNo) as "agent",
      // Nor messages that were set aside: they are as good as expired.
      state: setAside ? "expired" : state,
      ...optionalInstant("expiresAt", setAside ? (row.expiresAt ?? row.deadLetteredAt) : row.expiresAt),
    };
  }
}

export async function* extendedMessages(
  ctx: Context,
  scope: ArchivedScope,
): RecordSource<ArchiveExtensionRecord<"messages">> {
  for await (const row of storedMessages(ctx, scope)) {
    const plain = isPlainParty(row.senderNo) && isPlainParty(row.recipientNo);
    const usual = row.deliveryCount === (row.deliveredAt === null ? 0 : 1);
    if (plain && usual && row.state !== "dead_lettered" && row.about === null) continue;
    yield {
      ...sharedFields(scope, row),
      fromKind: partyKind(row.senderNo),
      toKind: partyKind(row.recipientNo),
      state: settledState(row),
      ...optionalInstant("expiresAt", row.expiresAt),
      ...optional("about", row.about === null ? null : fromJson<{ kind: "task"; id: string }>(row.about)),
      deliveryCount: row.deliveryCount,
      ...optionalInstant("deadLetteredAt", row.deadLetteredAt),
      ...optional("deadLetterReason", row.deadLetterReason),
    };
  }
}
