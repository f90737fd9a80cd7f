import {
  IntercomError,
  LIMITS,
  type OutputHistory,
  type OutputReference,
  type OutputValue,
  type ParsedInput,
} from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller, PrincipalCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { fromJson, optional, toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import type { Replay } from "./idempotency.ts";
import { SELECT_STREAMS, type StreamRow } from "./output-streams.ts";

/** What is published to a stream, and how it is read. */

/**
 * The stream this caller means. A credential is good for its own stream only and tells nothing of others; members of the
 * scope learn whether a stream is there.
 */
async function streamFor(
  ctx: Context,
  caller: OwnerCaller | AgentCaller | PrincipalCaller,
  streamId: string,
): Promise<StreamRow> {
  const row = await ctx.tx.get<StreamRow>(`${SELECT_STREAMS} WHERE id = ? AND scope_no = ?`, streamId, caller.scope.no);
  if (caller.kind === "principal" && row?.no !== caller.resourceNo) {
    throw new IntercomError("UNAUTHENTICATED", "Invalid output credential", { reason: "unknown" });
  }
  if (!row) throw new IntercomError("NOT_FOUND", `Output stream ${streamId} does not exist`);
  return row;
}

async function producerOf(ctx: Context, caller: AgentCaller | PrincipalCaller, stream: StreamRow) {
  if (caller.kind === "principal") return { producerType: "principal", producerId: caller.principalId } as const;
  const granted = await ctx.tx.get(
    "SELECT 1 AS found FROM output_publishers WHERE stream_no = ? AND agent_no = ?",
    stream.no,
    caller.agentNo,
  );
  if (!granted) {
    throw new IntercomError("PERMISSION_DENIED", `${caller.agentId} is not a publisher of ${stream.id}`);
  }
  return { producerType: "agent", producerId: caller.agentId } as const;
}

export async function publishOutput(
  ctx: Context,
  caller: AgentCaller | PrincipalCaller,
  input: ParsedInput<"publishOutput">,
): Promise<OutputValue> {
  const stream = await streamFor(ctx, caller, input.streamId);
  const producer = await producerOf(ctx, caller, stream);
  const sequence = stream.sequence + 1;
  const floor = Math.max(stream.floor, sequence - stream.retentionLimit);
  await ctx.tx.run(
    "UPDATE output_streams SET sequence = ?, floor = ?, updated_at = ? WHERE no = ?",
    sequence,
    floor,
    ctx.now,
    stream.no,
  );
  await ctx.tx.run(
    `INSERT INTO output_values (stream_no, sequence, producer_type, producer_id, content_type, value, reference, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    stream.no,
    sequence,
    producer.producerType,
    producer.producerId,
    input.contentType,
    JSON.stringify(input.value),
    input.reference === undefined ? null : JSON.stringify(input.reference),
    ctx.now,
  );
  if (floor > stream.floor) {
    await ctx.tx.run("DELETE FROM output_values WHERE stream_no = ? AND sequence <= ?", stream.no, floor);
  }
  await recordEvent(ctx, caller.scope.no, "output.published", stream.id, {
    sequence,
    ...producer,
    contentType: input.contentType,
  });
  ctx.wakes.add(channels.output(stream.id));
  return {
    streamId: stream.id,
    sequence,
    ...producer,
    contentType: input.contentType,
    value: input.value,
    ...optional("reference", input.reference),
    createdAt: toInstant(ctx.now),
  };
}

/** Content is kept by the stream alone: it is pruned and removed with it, while keys are remembered for a month. */
export const publishReplay: Replay<OutputValue> = {
  remember: ({ value: _value, reference: _reference, ...rest }) => rest,
  restore: (remembered, input) => {
    const { value, reference } = input as ParsedInput<"publishOutput">;
    return { ...(remembered as Omit<OutputValue, "value">), value, ...optional("reference", reference) };
  },
};

interface ValueRow {
  readonly sequence: number;
  readonly producerType: OutputValue["producerType"];
  readonly producerId: string;
  readonly contentType: OutputValue["contentType"];
  readonly value: string;
  readonly reference: string | null;
  readonly createdAt: number;
}

const SELECT_VALUES = `SELECT sequence, producer_type AS producerType, producer_id AS producerId,
  content_type AS contentType, value, reference, created_at AS createdAt FROM output_values`;

function toValue(stream: StreamRow, row: ValueRow): OutputValue {
  return {
    streamId: stream.id,
    sequence: row.sequence,
    producerType: row.producerType,
    producerId: row.producerId,
    contentType: row.contentType,
    value: fromJson<unknown>(row.value),
    ...optional("reference", row.reference === null ? null : fromJson<OutputReference>(row.reference)),
    createdAt: toInstant(row.createdAt),
  };
}

export async function latestOutput(
  ctx: Context,
  caller: OwnerCaller | PrincipalCaller,
  input: ParsedInput<"latestOutput">,
): Promise<OutputValue | null> {
  const stream = await streamFor(ctx, caller, input.streamId);
  const row = await ctx.tx.get<ValueRow>(
    `${SELECT_VALUES} WHERE stream_no = ? AND sequence = ?`,
    stream.no,
    stream.sequence,
  );
  return row ? toValue(stream, row) : null;
}

/** Characters of values after which a page is full: readers from outside must not make the daemon carry 25 MiB at once. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;
const CHUNK = 25;

async function valuesAfter(ctx: Context, stream: StreamRow, after: number, limit: number): Promise<ValueRow[]> {
  const rows: ValueRow[] = [];
  for (let room = PAGE_CHARACTERS; rows.length < limit; ) {
    const wanted = Math.min(CHUNK, limit - rows.length);
    const chunk = await ctx.tx.all<ValueRow>(
      `${SELECT_VALUES} WHERE stream_no = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
      stream.no,
      rows.at(-1)?.sequence ?? after,
      wanted,
    );
    for (const row of chunk) {
      room -= row.value.length;
      if (room < 0) return rows;
      rows.push(row);
    }
    if (chunk.length < wanted) break;
  }
  return rows;
}

export async function listOutputValues(
  ctx: Context,
  caller: OwnerCaller | PrincipalCaller,
  input: ParsedInput<"listOutputValues">,
): Promise<OutputHistory> {
  const stream = await streamFor(ctx, caller, input.streamId);
  const after = input.after ?? 0;
  if (after > stream.sequence) {
    throw new IntercomError("INVALID_ARGUMENT", `after: expected at most the current sequence ${stream.sequence}`);
  }
  const base = { streamId: stream.id, currentSequence: stream.sequence, minimumCursor: stream.floor };
  if (after < stream.floor) return { ...base, values: [], nextSequence: stream.sequence, resyncRequired: true };
  const rows = await valuesAfter(ctx, stream, after, input.limit || LIMITS.outputPageDefault);
  const values = rows.map((row) => toValue(stream, row));
  return { ...base, values, nextSequence: values.at(-1)?.sequence ?? after, resyncRequired: false };
}
