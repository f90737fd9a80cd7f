import type { ArchiveRecord } from "../../protocol/index.ts";
import {
  type ArchivedScope,
  archivedPrincipalId,
  type Dated,
  dated,
  paged,
  type RecordSource,
} from "./archive-export-source.ts";
import type { Context } from "./context.ts";
import { fromJson, optional, toInstant } from "./encoding.ts";

export const publications = dated<ArchiveRecord<"agentCardPublications">>(
  `SELECT p.no, p.id, a.id AS agentId, p.created_at AS createdAt, p.updated_at AS updatedAt
     FROM a2a_publications p JOIN agents a ON a.no = p.agent_no WHERE p.scope_no = ? AND p.no > ? ORDER BY p.no LIMIT ?`,
);

export const a2aTasks = dated<ArchiveRecord<"a2aTasks">>(
  `SELECT t.no, t.id, t.context_id AS contextId, r.id AS principalId, p.id AS publicationId, a.id AS targetAgentId,
          t.state, t.created_at AS createdAt, t.updated_at AS updatedAt
     FROM a2a_tasks t JOIN principals r ON r.no = t.principal_no JOIN a2a_publications p ON p.no = t.publication_no
          JOIN agents a ON a.no = t.agent_no
    WHERE t.scope_no = ? AND t.no > ? ORDER BY t.no LIMIT ?`,
  (row, scope) => ({ ...row, principalId: archivedPrincipalId(scope.id, row.principalId) }),
);

type A2aMessage = ArchiveRecord<"a2aMessages">;
export const a2aMessages = dated<A2aMessage>(
  `SELECT m.no, r.id AS principalId, m.client_message_id AS clientMessageId, t.id AS taskId,
          m.message_id AS busRequestMessageId, m.response_message_id AS busResponseMessageId, m.created_at AS createdAt,
          m.updated_at AS updatedAt
     FROM a2a_tasks t JOIN a2a_messages m ON m.task_no = t.no JOIN principals r ON r.no = m.principal_no
    WHERE t.scope_no = ? AND m.no > ? ORDER BY m.no LIMIT ?`,
  ({ busResponseMessageId, ...row }, scope) => ({
    ...row,
    principalId: archivedPrincipalId(scope.id, row.principalId),
    ...optional("busResponseMessageId", busResponseMessageId),
  }),
);

type Stream = ArchiveRecord<"outputStreams">;
export async function* outputStreams(ctx: Context, scope: ArchivedScope): RecordSource<Stream> {
  const query = `SELECT no, id, name, retention_limit AS retentionLimit, sequence AS currentSequence, floor AS minimumCursor,
    created_at AS createdAt, updated_at AS updatedAt FROM output_streams WHERE scope_no = ? AND no > ? ORDER BY no LIMIT ?`;
  type Row = Dated & Omit<Stream, "createdAt" | "updatedAt" | "publisherAgentIds">;
  for await (const { no, createdAt, updatedAt, ...rest } of paged<Row>(ctx, query, scope.no)) {
    const publishers = await ctx.tx.all<{ id: string }>(
      "SELECT a.id FROM output_publishers p JOIN agents a ON a.no = p.agent_no WHERE p.stream_no = ? ORDER BY a.id",
      no,
    );
    const publisherAgentIds = publishers.map(({ id }) => id);
    yield { ...rest, publisherAgentIds, createdAt: toInstant(createdAt), updatedAt: toInstant(updatedAt) };
  }
}

type Value = ArchiveRecord<"outputValues">;
export async function* outputValues(ctx: Context, scope: ArchivedScope): RecordSource<Value> {
  const query = `SELECT v.no, s.id AS streamId, v.sequence, v.producer_type AS producerType, v.producer_id AS producerId,
    v.content_type AS contentType, v.value, v.reference, v.created_at AS createdAt
    FROM output_streams s JOIN output_values v ON v.stream_no = s.no WHERE s.scope_no = ? AND v.no > ? ORDER BY v.no LIMIT ?`;
  type Row = Omit<Value, "value" | "reference" | "createdAt"> & {
    readonly no: number;
    readonly value: string;
    readonly reference: string | null;
    readonly createdAt: number;
  };
  for await (const { no: _, value, reference, createdAt, ...rest } of paged<Row>(ctx, query, scope.no)) {
    yield {
      ...rest,
      value: fromJson<unknown>(value),
      ...optional("reference", reference === null ? null : fromJson<Value["reference"]>(reference)),
      createdAt: toInstant(createdAt),
    };
  }
}
