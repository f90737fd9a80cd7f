import {
  ARCHIVE_EXTENSION_LISTS,
  ARCHIVE_FORMAT,
  ARCHIVE_LISTS,
  ARCHIVE_VERSION,
  IntercomError,
} from "../../protocol/index.ts";
import { archiveExtensions, archiveLists } from "./archive-export-lists.ts";
import type { ArchivedScope, RecordSource } from "./archive-export-source.ts";
import type { Context } from "./context.ts";
import { toInstant } from "./encoding.ts";

export interface ExportRequest {
  readonly scopeId: string;
  /** Adds what the format itself cannot express. */
  readonly extensions: boolean;
  /** Exports although agents are running. */
  readonly whileRunning: boolean;
}

/** Text is handed on in pieces of about this many characters. */
const PIECE = 64 * 1024;

/**
 * The archive of a scope as JSON text, record by record.
 * @throws {IntercomError} NOT_FOUND; CONFLICT while an agent is running
 */
export async function* exportArchive(ctx: Context, request: ExportRequest): AsyncGenerator<string, void> {
  const scope = await ctx.tx.get<ArchivedScope>(
    "SELECT no, id, link_policy AS linkPolicy, created_at AS createdAt FROM scopes WHERE id = ?",
    request.scopeId,
  );
  if (!scope) throw new IntercomError("NOT_FOUND", `Scope ${request.scopeId} does not exist`);
  if (!request.whileRunning) await requireAllStopped(ctx, scope);
  const head = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    exportedAt: toInstant(ctx.now),
    scope: { id: scope.id, createdAt: toInstant(scope.createdAt) },
  };
  yield JSON.stringify(head).slice(0, -1);
  for (const list of ARCHIVE_LISTS) yield* listText(`,"${list}":`, archiveLists[list](ctx, scope));
  if (request.extensions) {
    yield `,"extensions":{"linkPolicy":"${scope.linkPolicy}"`;
    for (const list of ARCHIVE_EXTENSION_LISTS) yield* listText(`,"${list}":`, archiveExtensions[list](ctx, scope));
    yield "}";
  }
  yield "}";
}

async function requireAllStopped(ctx: Context, scope: ArchivedScope): Promise<void> {
  const running = await ctx.tx.get<{ id: string }>(
    `SELECT a.id FROM agents a JOIN executions e ON e.no = a.execution_no
      WHERE a.scope_no = ? AND e.ended_at IS NULL AND e.lease_expires_at > ? AND a.lifecycle <> 'offline' LIMIT 1`,
    scope.no,
    ctx.now,
  );
  if (running) {
    throw new IntercomError("CONFLICT", `Agent ${running.id} is running; stop the agents or ask with whileRunning`, {
      reason: "running",
      agentId: running.id,
    });
  }
}

async function* listText(label: string, records: RecordSource): AsyncGenerator<string> {
  let piece = `${label}[`;
  let separator = "";
  for await (const record of records) {
    piece += separator + JSON.stringify(record);
    separator = ",";
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]`;
}
