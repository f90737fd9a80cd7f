import {
  ACTOR_ATTRIBUTE,
  type Event,
  type EventPage,
  type EventType,
  IntercomError,
  LIMITS,
  type ParsedInput,
} from "../../protocol/index.ts";
import type { OwnerCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { fromJson, toInstant } from "./encoding.ts";

type AttributeValue = string | number | boolean | null | undefined;

/**
 * Records what just happened, in the same transaction as the change. Attributes never hold content or credentials.
 * Revisions count up by one per scope, which the update of the scope's row guarantees on every store.
 */
export async function recordEvent(
  ctx: Context,
  scopeNo: number,
  type: EventType,
  subjectId: string,
  attributes: Readonly<Record<string, AttributeValue>>,
): Promise<void> {
  const scope = await ctx.tx.get<{ revision: number }>(
    "UPDATE scopes SET revision = revision + 1 WHERE no = ? RETURNING revision",
    scopeNo,
  );
  if (!scope) throw new Error(`no scope ${scopeNo} for event ${type}`);
  await insertEvent(ctx, scopeNo, scope.revision, type, subjectId, attributes);
}

/** Like {@link recordEvent}, for a caller that has counted the scope's revision up in an update of its own. */
export async function insertEvent(
  ctx: Context,
  scopeNo: number,
  revision: number,
  type: EventType,
  subjectId: string,
  attributes: Readonly<Record<string, AttributeValue>>,
): Promise<void> {
  await ctx.tx.run(
    "INSERT INTO events (scope_no, revision, id, type, subject_id, attributes, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    scopeNo,
    revision,
    ctx.ids.next("event"),
    type,
    subjectId,
    encodeAttributes(attributes, ctx.actor),
    ctx.now,
  );
  ctx.wakes.add(channels.scopeEvents(scopeNo)).add(channels.allEvents);
}

/** Scope number of events that outlive the scope they tell of. */
const DAEMON_SCOPE_NO = 0;

/** Tells followers of all scopes that one is gone. The subject is the scope. */
export async function recordScopeDeletion(ctx: Context, scopeId: string): Promise<void> {
  const last = await ctx.tx.get<{ revision: number | null }>(
    "SELECT MAX(revision) AS revision FROM events WHERE scope_no = ?",
    DAEMON_SCOPE_NO,
  );
  await insertEvent(ctx, DAEMON_SCOPE_NO, (last?.revision ?? 0) + 1, "scope.deleted", scopeId, {});
}

function encodeAttributes(attributes: Readonly<Record<string, AttributeValue>>, actor: Context["actor"]): string {
  const encoded: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== "") encoded[name] = String(value);
  }
  if (actor !== undefined) encoded[ACTOR_ATTRIBUTE] = actor;
  return JSON.stringify(encoded);
}

export interface EventRow {
  readonly seq: number;
  readonly id: string;
  readonly scopeId: string;
  readonly type: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly attributes: string;
  readonly createdAt: number;
}

export function toEvent(row: EventRow): Event {
  return {
    id: row.id,
    scopeId: row.scopeId,
    type: row.type,
    subjectId: row.subjectId,
    revision: row.revision,
    attributes: fromJson(row.attributes),
    createdAt: toInstant(row.createdAt),
  };
}

/** Columns of an {@link EventRow} but for `scopeId`; the event is `e`. */
export const EVENT_COLUMNS = `e.seq, e.id, e.type, e.subject_id AS subjectId, e.revision, e.attributes, e.created_at AS createdAt`;

export async function listEvents(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listEvents">,
): Promise<EventPage> {
  const after = input.after ?? 0;
  const scope = await ctx.tx.get<{ revision: number; floor: number }>(
    "SELECT revision, event_floor AS floor FROM scopes WHERE no = ?",
    caller.scope.no,
  );
  const { revision, floor } = scope as { revision: number; floor: number };
  if (after > revision) {
    throw new IntercomError("INVALID_ARGUMENT", `after: expected at most the current revision ${revision}`);
  }
  const base = { scopeId: caller.scope.id, currentRevision: revision, minimumCursor: floor };
  if (after < floor) return { ...base, events: [], nextRevision: revision, resyncRequired: true };
  const rows = await ctx.tx.all<EventRow>(
    `SELECT ${EVENT_COLUMNS}, ? AS scopeId FROM events e WHERE e.scope_no = ? AND e.revision > ? ORDER BY e.revision LIMIT ?`,
    caller.scope.id,
    caller.scope.no,
    after,
    input.limit ?? LIMITS.eventBatchDefault,
  );
  return { ...base, events: rows.map(toEvent), nextRevision: rows.at(-1)?.revision ?? after, resyncRequired: false };
}

/** An event with its place among the events of all scopes. */
export interface SequencedEvent {
  readonly sequence: number;
  readonly event: Event;
}

/** Sequence numbers from which on every event is there, and of the newest one; 0 when there are no events. */
export async function eventSequenceBounds(ctx: Context): Promise<{ oldest: number; newest: number }> {
  const row = await ctx.tx.get<{ oldest: number | null; newest: number | null; pruned: number | null }>(
    `SELECT (SELECT MIN(seq) FROM events) AS oldest, (SELECT MAX(seq) FROM events) AS newest,
            (SELECT MAX(pruned_seq) FROM scopes) AS pruned`,
  );
  return { oldest: Math.max(row?.oldest ?? 0, (row?.pruned ?? -1) + 1), newest: row?.newest ?? 0 };
}

/** Events of every scope after a sequence number, oldest first. */
export async function eventsOfAllScopes(ctx: Context, after: number, limit: number): Promise<SequencedEvent[]> {
  const rows = await ctx.tx.all<EventRow>(
    `SELECT ${EVENT_COLUMNS}, COALESCE(s.id, e.subject_id) AS scopeId
       FROM events e LEFT JOIN scopes s ON s.no = e.scope_no WHERE e.seq > ? ORDER BY e.seq LIMIT ?`,
    after,
    limit,
  );
  return rows.map((row) => ({ sequence: row.seq, event: toEvent(row) }));
}
