import type { RetentionCounts } from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import {
  A2A_TASK_ENDED,
  a2aUnit,
  ESCALATION_ENDED,
  LINK_REQUEST_ENDED,
  MESSAGE_ENDED,
  TASK_ENDED,
} from "./retention-rules.ts";

/** What of a scope may go. Reads everything there is, so it belongs in the background; changes nothing. */

/** Kinds of rows a plan names by number. An answer goes with its request, the messages of an A2A task with the task. */
export type PlannedKind = "messages" | "tasks" | "escalations" | "a2aTasks" | "linkRequests";

export interface RetentionPlan {
  readonly rows: Readonly<Record<PlannedKind, readonly number[]>>;
  readonly counts: RetentionCounts;
  /** Events after `eventsFrom` up to this revision go. */
  readonly eventFloor: number;
  readonly eventsFrom: number;
}

/** Counts to add to. */
export function noRetentionCounts(): { -readonly [K in keyof RetentionCounts]: RetentionCounts[K] } {
  return {
    messages: 0,
    tasks: 0,
    taskProgress: 0,
    escalations: 0,
    events: 0,
    a2aTasks: 0,
    a2aMessages: 0,
    linkRequests: 0,
  };
}

/** Chunk of a plan on its way: so many numbers of one kind. */
export interface PlannedRows {
  readonly kind: PlannedKind;
  readonly numbers: readonly number[];
}

const CHUNK = 20_000;

export interface RetentionQuery {
  readonly scopeNo: number;
  /** What was finished before this instant goes, ms since the epoch. */
  readonly before: number;
}

export async function* planRetention(
  ctx: Context,
  query: RetentionQuery,
): AsyncGenerator<PlannedRows, Omit<RetentionPlan, "rows">> {
  const { scopeNo, before } = query;
  const counts = noRetentionCounts();
  for await (const { numbers, messages } of endedMessages(ctx, query)) {
    counts.messages += messages;
    yield { kind: "messages", numbers };
  }
  const units = await endedA2aTasks(ctx, query);
  counts.a2aTasks = units.numbers.length;
  counts.a2aMessages = units.correlations;
  counts.messages += units.messages;
  yield* inChunks("a2aTasks", units.numbers);
  const tasks = await removableTasks(ctx, query);
  counts.tasks = tasks.numbers.length;
  counts.taskProgress = tasks.progress;
  yield* inChunks("tasks", tasks.numbers);
  const escalations = await numbersOf(ctx, ENDED_ESCALATIONS, query);
  counts.escalations = escalations.length;
  yield* inChunks("escalations", escalations);
  const linkRequests = await numbersOf(ctx, ENDED_LINK_REQUESTS, query);
  counts.linkRequests = linkRequests.length;
  yield* inChunks("linkRequests", linkRequests);
  const events = await planEvents(ctx, scopeNo, before);
  counts.events = events.count;
  return { counts, eventFloor: events.floor, eventsFrom: events.from };
}

function* inChunks(kind: PlannedKind, numbers: readonly number[]): Generator<PlannedRows> {
  for (let at = 0; at < numbers.length; at += CHUNK) yield { kind, numbers: numbers.slice(at, at + CHUNK) };
}

const ENDED_ESCALATIONS = `SELECT no FROM escalations WHERE scope_no = ? AND ${ESCALATION_ENDED} AND no > ? ORDER BY no LIMIT ?`;
const ENDED_LINK_REQUESTS = `SELECT seq AS no FROM link_requests WHERE scope_no = ? AND ${LINK_REQUEST_ENDED} AND seq > ?
  ORDER BY seq LIMIT ?`;

async function numbersOf(ctx: Context, query: string, { scopeNo, before }: RetentionQuery): Promise<number[]> {
  const numbers: number[] = [];
  for (;;) {
    const rows = await ctx.tx.all<{ no: number }>(query, scopeNo, before, numbers.at(-1) ?? -1, CHUNK);
    for (const { no } of rows) numbers.push(no);
    if (rows.length < CHUNK) return numbers;
  }
}

/**
 * Finished messages in the order of their conversations: notes; requests that never reached anybody; and requests with
 * their answers. Those of A2A clients are part of their tasks.
 */
async function* endedMessages(ctx: Context, { scopeNo, before }: RetentionQuery) {
  const conversations = await ctx.tx.all<{ no: number }>(
    "SELECT no FROM conversations WHERE scope_no = ? AND left_no >= -1 ORDER BY no",
    scopeNo,
  );
  let numbers: number[] = [];
  let messages = 0;
  for (const { no } of conversations) {
    for (let after = 0; ; ) {
      const rows = await ctx.tx.all<{ seq: number; answerSeq: number | null; ended: number }>(
        `SELECT m.seq, a.seq AS answerSeq, ${MESSAGE_ENDED} AS ended
           FROM messages m LEFT JOIN messages a ON a.id = m.response_message_id
          WHERE m.conversation_no = ? AND m.seq > ? ORDER BY m.seq LIMIT ?`,
        before,
        before,
        no,
        after,
        CHUNK,
      );
      for (const row of rows) {
        if (row.ended !== 1) continue;
        numbers.push(row.seq);
        messages += row.answerSeq === null ? 1 : 2;
      }
      if (numbers.length >= CHUNK) {
        yield { numbers, messages };
        [numbers, messages] = [[], 0];
      }
      if (rows.length < CHUNK) break;
      after = (rows.at(-1) as { seq: number }).seq;
    }
  }
  yield { numbers, messages };
}

/** A task of an A2A client goes with all its messages, once every one of them may go. */
async function endedA2aTasks(ctx: Context, { scopeNo, before }: RetentionQuery) {
  const numbers: number[] = [];
  const totals = { correlations: 0, messages: 0 };
  for (let after = 0; ; ) {
    const tasks = await ctx.tx.all<{ no: number }>(
      `SELECT no FROM a2a_tasks WHERE scope_no = ? AND ${A2A_TASK_ENDED} AND no > ? ORDER BY no LIMIT ?`,
      scopeNo,
      before,
      after,
      CHUNK,
    );
    for (const { no } of tasks) {
      const unit = await a2aUnit(ctx, no, before);
      if (!unit.ended) continue;
      numbers.push(no);
      totals.correlations += unit.correlations;
      totals.messages += unit.seqs.length;
    }
    if (tasks.length < CHUNK) return { numbers, ...totals };
    after = (tasks.at(-1) as { no: number }).no;
  }
}

interface TaskGraph {
  /** Tasks by number, in order, with the number of progress entries. */
  readonly progress: Map<number, number>;
  readonly unfinished: number[];
  readonly dependencies: Map<number, number[]>;
}

async function readTasks(ctx: Context, { scopeNo, before }: RetentionQuery): Promise<TaskGraph> {
  const graph: TaskGraph = { progress: new Map(), unfinished: [], dependencies: new Map() };
  for (let after = 0; ; ) {
    const tasks = await ctx.tx.all<{ no: number; ended: number; progress: number }>(
      `SELECT no, ${TASK_ENDED} AS ended, progress_count AS progress FROM tasks WHERE scope_no = ? AND no > ?
        ORDER BY no LIMIT ?`,
      before,
      scopeNo,
      after,
      CHUNK,
    );
    for (const { no, ended, progress } of tasks) {
      graph.progress.set(no, progress);
      if (ended !== 1) graph.unfinished.push(no);
    }
    const last = tasks.at(-1)?.no ?? after;
    const edges = await ctx.tx.all<{ taskNo: number; dependencyNo: number }>(
      `SELECT d.task_no AS taskNo, d.dependency_no AS dependencyNo FROM tasks t JOIN task_dependencies d ON d.task_no = t.no
        WHERE t.scope_no = ? AND t.no > ? AND t.no <= ?`,
      scopeNo,
      after,
      last,
    );
    for (const { taskNo, dependencyNo } of edges) {
      const list = graph.dependencies.get(taskNo);
      if (list) list.push(dependencyNo);
      else graph.dependencies.set(taskNo, [dependencyNo]);
    }
    if (tasks.length < CHUNK) return graph;
    after = last;
  }
}

/** Finished tasks that no task which stays depends on, however indirectly; each after those that depend on it. */
async function removableTasks(ctx: Context, query: RetentionQuery) {
  const { progress, unfinished, dependencies } = await readTasks(ctx, query);
  const stays = new Set<number>();
  for (let no = unfinished.pop(); no !== undefined; no = unfinished.pop()) {
    if (stays.has(no)) continue;
    stays.add(no);
    for (const dependency of dependencies.get(no) ?? []) unfinished.push(dependency);
  }
  const going = [...progress.keys()].filter((no) => !stays.has(no));
  const dependants = new Map<number, number>();
  for (const no of going) {
    for (const dependency of dependencies.get(no) ?? []) {
      dependants.set(dependency, (dependants.get(dependency) ?? 0) + 1);
    }
  }
  const numbers = going.filter((no) => !dependants.has(no));
  // Grows while it is walked: a task comes once the last that depends on it has come.
  for (const no of numbers) {
    for (const dependency of dependencies.get(no) ?? []) {
      const left = (dependants.get(dependency) ?? 0) - 1;
      dependants.set(dependency, left);
      if (left === 0 && !stays.has(dependency)) numbers.push(dependency);
    }
  }
  return { numbers, progress: numbers.reduce((sum, no) => sum + (progress.get(no) ?? 0), 0) };
}

/**
 * Events go from the oldest on, so that one number says which are left. Those that an earlier removal was to take, and did
 * not come to, are taken too.
 */
async function planEvents(ctx: Context, scopeNo: number, before: number) {
  const scope = await ctx.tx.get<{ revision: number; floor: number }>(
    "SELECT revision, event_floor AS floor FROM scopes WHERE no = ?",
    scopeNo,
  );
  const oldFloor = scope?.floor ?? 0;
  const first = await ctx.tx.get<{ revision: number | null }>(
    "SELECT MIN(revision) AS revision FROM events WHERE scope_no = ? AND revision > ? AND created_at >= ?",
    scopeNo,
    oldFloor,
    before,
  );
  const floor = Math.max(oldFloor, first?.revision == null ? (scope?.revision ?? 0) : first.revision - 1);
  const going = await ctx.tx.get<{ count: number; first: number | null }>(
    `SELECT COUNT(*) AS count, MIN(revision) AS first FROM events
      WHERE scope_no = ? AND revision <= ? AND type <> 'scope.imported'`,
    scopeNo,
    floor,
  );
  return { floor, from: (going?.first ?? floor + 1) - 1, count: going?.count ?? 0 };
}
