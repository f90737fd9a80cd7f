import {
  ARCHIVE_VERSION,
  type ArchiveExtensionList,
  type ArchiveExtensionRecord,
  type ArchiveList,
  type ArchiveRecord,
  IntercomError,
  type LinkPolicy,
} from "../../protocol/index.ts";
import { importA2a } from "./archive-import-a2a.ts";
import { importAgents, importLinkRequests, importLinks } from "./archive-import-agents.ts";
import { importEscalations } from "./archive-import-escalations.ts";
import { importMessages } from "./archive-import-messages.ts";
import { importOutputs } from "./archive-import-outputs.ts";
import { importTasks } from "./archive-import-tasks.ts";
import type { Context } from "./context.ts";
import { tokenHash } from "./encoding.ts";
import { recordEvent } from "./events.ts";

export type ArchiveKind = ArchiveList | ArchiveExtensionList;
export type PlainRecord<K> = K extends ArchiveList ? ArchiveRecord<K> : never;
export type ExtendedRecord<K> = K extends ArchiveExtensionList ? ArchiveExtensionRecord<K> : never;

export interface StagedRecord<K extends ArchiveKind> {
  readonly record: PlainRecord<K> | ExtendedRecord<K>;
  /** The record, where it comes from the extensions. */
  readonly extended: ExtendedRecord<K> | undefined;
  /** Place in the list it comes from. */
  readonly position: number;
}

/** An archive whose records have each been checked on their own, and can be read again and again. */
export interface ArchiveSource {
  readonly scope: { readonly id: string; readonly createdAt: string };
  readonly linkPolicy: LinkPolicy | undefined;
  /** Tells this archive from any other. */
  readonly digest: string;
  /** Records of a kind in the order of the archive, extended ones in place of those they replace or where they belong in time. */
  records<K extends ArchiveKind>(kind: K): Iterable<StagedRecord<K>>;
}

export interface ImportOutcome {
  readonly scopeId: string;
  readonly scopeToken?: string;
  readonly imported: boolean;
}

/** What the parts of an import share. */
export interface Import {
  readonly ctx: Context;
  readonly source: ArchiveSource;
  readonly scopeNo: number;
  /** Numbers of the agents by their ids. */
  readonly agents: Map<string, number>;
  /** Party numbers of the former holders of credentials, by the names they have in the archive. */
  readonly principals: Map<string, number>;
  /** Messages that bring the human's answers, by the questions. */
  readonly answers: Map<string, string>;
}

/** Whether this archive, or another one of its scope, is there already. @throws {IntercomError} CONFLICT for another one */
export async function findImported(
  ctx: Context,
  source: Pick<ArchiveSource, "scope" | "digest">,
): Promise<ImportOutcome | undefined> {
  const existing = await ctx.tx.get<{ digest: string | null }>(
    "SELECT archive_digest AS digest FROM scopes WHERE id = ?",
    source.scope.id,
  );
  if (!existing) return undefined;
  if (existing.digest === source.digest) return { scopeId: source.scope.id, imported: false };
  throw new IntercomError("CONFLICT", `scope.id: the scope ${source.scope.id} exists already`);
}

/**
 * Makes a scope from an archive, as a whole or not at all: the caller rolls back when this throws.
 * @throws {IntercomError} INVALID_ARGUMENT when records do not fit together, CONFLICT when the scope or an id exists
 */
export async function importArchive(ctx: Context, source: ArchiveSource): Promise<ImportOutcome> {
  const earlier = await findImported(ctx, source);
  if (earlier) return earlier;
  const scopeToken = ctx.ids.token();
  const row = await ctx.tx.get<{ no: number }>(
    "INSERT INTO scopes (id, token_hash, link_policy, created_at, archive_digest) VALUES (?, ?, ?, ?, ?) RETURNING no",
    source.scope.id,
    tokenHash(scopeToken),
    source.linkPolicy ?? "explicit",
    Date.parse(source.scope.createdAt),
    source.digest,
  );
  const scopeNo = (row as { no: number }).no;
  const work: Import = { ctx, source, scopeNo, agents: new Map(), principals: new Map(), answers: new Map() };
  await importAgents(work);
  await importLinks(work);
  await importLinkRequests(work);
  await importMessages(work);
  await importTasks(work);
  await importEscalations(work);
  await importA2a(work);
  await importOutputs(work);
  await recordEvent(ctx, scopeNo, "scope.imported", source.digest, { archiveVersion: ARCHIVE_VERSION });
  return { scopeId: source.scope.id, scopeToken, imported: true };
}
