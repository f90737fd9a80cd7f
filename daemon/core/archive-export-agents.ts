import type { ArchiveExtensionRecord, ArchiveRecord } from "../../protocol/index.ts";
import { type ArchivedScope, paged, type RecordSource } from "./archive-export-source.ts";
import type { Context } from "./context.ts";
import { fromJson, optional, optionalInstant, toInstant } from "./encoding.ts";

interface AgentRow {
  readonly no: number;
  readonly id: string;
  readonly displayName: string;
  readonly capabilities: string;
  readonly summary: string | null;
  readonly metadata: string | null;
  readonly notices: number;
  readonly registeredAt: number;
  readonly updatedAt: number;
  readonly removedAt: number | null;
}

const AGENTS = `SELECT no, id, display_name AS displayName, capabilities, summary, metadata, notices,
  registered_at AS registeredAt, updated_at AS updatedAt, removed_at AS removedAt
  FROM agents WHERE scope_no = ? AND no > ? ORDER BY no LIMIT ?`;

function toAgent(row: AgentRow): ArchiveRecord<"agents"> {
  return {
    id: row.id,
    displayName: row.displayName,
    capabilities: fromJson(row.capabilities),
    registeredAt: toInstant(row.registeredAt),
    updatedAt: toInstant(row.updatedAt),
  };
}

export async function* agents(ctx: Context, scope: ArchivedScope): RecordSource<ArchiveRecord<"agents">> {
  for await (const row of paged<AgentRow>(ctx, AGENTS, scope.no)) yield toAgent(row);
}

export async function* extendedAgents(
  ctx: Context,
  scope: ArchivedScope,
): RecordSource<ArchiveExtensionRecord<"agents">> {
  for await (const row of paged<AgentRow>(ctx, AGENTS, scope.no)) {
    if (row.summary === null && row.metadata === null && row.notices === 1 && row.removedAt === null) continue;
    yield {
      ...toAgent(row),
      ...optional("summary", row.summary),
      ...optional("metadata", row.metadata === null ? null : fromJson<Record<string, never>>(row.metadata)),
      notices: row.notices === 1,
      ...optionalInstant("removedAt", row.removedAt),
    };
  }
}

export async function* links(ctx: Context, scope: ArchivedScope): RecordSource<ArchiveRecord<"links">> {
  const query = `SELECT c.no, l.id AS "left", r.id AS "right", c.linked_at AS linkedAt
    FROM conversations c JOIN agents l ON l.no = c.left_no JOIN agents r ON r.no = c.right_no
   WHERE c.scope_no = ? AND c.linked_at IS NOT NULL AND c.no > ? ORDER BY c.no LIMIT ?`;
  for await (const row of paged<{ no: number; left: string; right: string; linkedAt: number }>(ctx, query, scope.no)) {
    const [left, right] = row.left < row.right ? [row.left, row.right] : [row.right, row.left];
    yield { left, right, createdAt: toInstant(row.linkedAt) };
  }
}

export async function* linkRequests(
  ctx: Context,
  scope: ArchivedScope,
): RecordSource<ArchiveExtensionRecord<"linkRequests">> {
  const query = `SELECT l.seq AS no, l.id, f.id AS "from", t.id AS "to", l.reason, l.status, l.created_at AS createdAt,
    l.resolved_at AS resolvedAt FROM link_requests l JOIN agents f ON f.no = l.from_no JOIN agents t ON t.no = l.to_no
   WHERE l.scope_no = ? AND l.seq > ? ORDER BY l.seq LIMIT ?`;
  type Row = {
    readonly no: number;
    readonly id: string;
    readonly from: string;
    readonly to: string;
    readonly reason: string | null;
    readonly status: "pending" | "accepted" | "declined";
    readonly createdAt: number;
    readonly resolvedAt: number | null;
  };
  for await (const { no: _, reason, createdAt, resolvedAt, ...rest } of paged<Row>(ctx, query, scope.no)) {
    yield {
      ...rest,
      ...optional("reason", reason),
      createdAt: toInstant(createdAt),
      ...optionalInstant("resolvedAt", resolvedAt),
    };
  }
}
