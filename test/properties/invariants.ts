import type Database from "better-sqlite3";
import type { Bench } from "./bench.ts";

/** Every text of a test carries this, so that one that turns up where it must not can be told. */
export const CONTENT_MARK = "§content§";

/** A text nobody may find in an event. */
export function content(about: string): string {
  return `${CONTENT_MARK} ${about}`;
}

/** Each query must find nothing. `?` is the present. */
const NEVER: Readonly<Record<string, string>> = {
  "a scope whose count of active messages is wrong": `
    SELECT s.id, s.active_messages, COUNT(m.seq) AS counted FROM scopes s
      LEFT JOIN messages m ON m.scope_no = s.no AND m.recipient_no <> 0 AND m.state IN ('queued', 'reserved', 'delivered')
     GROUP BY s.no HAVING s.active_messages <> counted`,
  "a scope whose count of unfinished tasks is wrong": `
    SELECT s.id, s.unfinished_tasks, COUNT(t.no) AS counted FROM scopes s
      LEFT JOIN tasks t ON t.scope_no = s.no AND t.status IN ('open', 'claimed')
     GROUP BY s.no HAVING s.unfinished_tasks <> counted`,
  "an unfinished task whose count of blockers is wrong": `
    SELECT t.id, t.status, t.blockers, COUNT(d.no) AS counted FROM tasks t
      LEFT JOIN task_dependencies e ON e.task_no = t.no LEFT JOIN tasks d ON d.no = e.dependency_no AND d.status <> 'done'
     WHERE t.status IN ('open', 'claimed') GROUP BY t.no HAVING t.blockers <> counted`,
  "a task whose count of dependencies is wrong": `
    SELECT t.id, t.dependency_count FROM tasks t
     WHERE t.dependency_count <> (SELECT COUNT(*) FROM task_dependencies d WHERE d.task_no = t.no)`,
  "a task that depends on itself": `
    WITH RECURSIVE reached(origin, no) AS (
      SELECT task_no, dependency_no FROM task_dependencies
      UNION SELECT r.origin, d.dependency_no FROM reached r JOIN task_dependencies d ON d.task_no = r.no)
    SELECT origin FROM reached WHERE origin = no`,
  "a claimed task that still waits for another": "SELECT id FROM tasks WHERE status = 'claimed' AND blockers > 0",
  "a claim of an execution that has ended, or of another agent's": `
    SELECT t.id FROM tasks t LEFT JOIN executions e ON e.no = t.claimed_execution_no
     WHERE t.status = 'claimed' AND (e.no IS NULL OR e.ended_at IS NOT NULL OR e.agent_no <> t.claimed_by_no)`,
  "a task that is claimed by somebody without being claimed": `
    SELECT id FROM tasks WHERE status IN ('open', 'cancelled') AND (claimed_by_no IS NOT NULL OR claimed_execution_no IS NOT NULL)`,
  "a task whose progress is not counted": `
    SELECT t.id FROM tasks t WHERE t.progress_count <> (SELECT COUNT(*) FROM task_progress p WHERE p.task_no = t.no)`,
  "a reserved message without the open reservation of its recipient": `
    SELECT m.id FROM messages m LEFT JOIN reservations r ON r.no = m.reservation_no
     WHERE m.state = 'reserved' AND (r.no IS NULL OR r.state <> 'open' OR r.agent_no <> m.recipient_no)`,
  "an open reservation of an execution that has ended": `
    SELECT r.id FROM reservations r JOIN executions e ON e.no = r.execution_no
     WHERE r.state = 'open' AND e.ended_at IS NOT NULL`,
  "a message that names somebody else's reservation": `
    SELECT m.id FROM messages m JOIN reservations r ON r.no = m.reservation_no
     WHERE r.agent_no <> m.recipient_no OR (m.state = 'delivered' AND r.state NOT IN ('committed'))`,
  "a message that is over and still held or put off": `
    SELECT id, state FROM messages
     WHERE state IN ('queued', 'acknowledged', 'expired', 'dead_lettered') AND (reservation_no IS NOT NULL OR retry_at IS NOT NULL)`,
  "a message with a state its instants deny": `
    SELECT id, state FROM messages WHERE (state IN ('delivered', 'acknowledged') AND delivered_at IS NULL)
        OR (state = 'queued' AND delivered_at IS NOT NULL) OR (state = 'acknowledged') <> (acknowledged_at IS NOT NULL)
        OR (state = 'dead_lettered') <> (dead_lettered_at IS NOT NULL)`,
  "a reply that does not point back": `
    SELECT m.id FROM messages m LEFT JOIN messages r ON r.id = m.response_message_id
     WHERE m.response_message_id IS NOT NULL AND (r.response_to IS NOT m.id OR m.replied_at IS NULL)`,
  "a request with two replies": `
    SELECT response_to FROM messages WHERE response_to IS NOT NULL GROUP BY response_to HAVING COUNT(*) > 1`,
  "an agent with more than one running execution": `
    SELECT agent_no FROM executions WHERE ended_at IS NULL GROUP BY agent_no HAVING COUNT(*) > 1`,
  "a running execution that is not its agent's newest": `
    SELECT e.id FROM executions e JOIN agents a ON a.no = e.agent_no
     WHERE e.ended_at IS NULL AND (a.execution_no <> e.no OR a.removed_at IS NOT NULL)`,
  "an escalation whose status its columns deny": `
    SELECT id, status FROM escalations
     WHERE (status = 'resolved') <> (answer IS NOT NULL AND resolved_at IS NOT NULL AND resolved_by IS NOT NULL)
        OR (status = 'cancelled') <> (cancelled_at IS NOT NULL) OR (status = 'expired' AND expired_at IS NULL)
        OR (status = 'pending' AND expired_at IS NOT NULL) OR (late = 1) <> (status = 'resolved' AND expired_at IS NOT NULL)`,
  "a message that should have expired":
    "SELECT id FROM messages WHERE expires_at <= ? AND state IN ('queued', 'reserved', 'delivered')",
  "a reservation that should have expired": "SELECT id FROM reservations WHERE expires_at <= ? AND state = 'open'",
  "a lease that should have ended": "SELECT id FROM executions WHERE lease_expires_at <= ? AND ended_at IS NULL",
  "a question that should have expired": "SELECT id FROM escalations WHERE expires_at <= ? AND status = 'pending'",
};

const prepared = new WeakMap<Database.Database, [string, Database.Statement<number[]>, boolean][]>();

/** Checks what must be true of the stored rows whenever nothing is under way. @throws when something is not */
export function checkStored(database: Database.Database, now: number): void {
  let queries = prepared.get(database);
  if (!queries) {
    queries = Object.entries(NEVER).map(([what, sql]) => [what, database.prepare(sql), sql.includes("?")]);
    prepared.set(database, queries);
  }
  for (const [what, query, ofThePresent] of queries) {
    const found = ofThePresent ? query.all(now) : query.all();
    if (found.length > 0) throw new Error(`There is ${what}: ${JSON.stringify(found.slice(0, 3))}`);
  }
  const orphans = database.pragma("foreign_key_check") as unknown[];
  if (orphans.length > 0) throw new Error(`Rows without parents: ${JSON.stringify(orphans)}`);
}

/** @throws unless SQLite finds the file sound */
export function checkFile(database: Database.Database): void {
  const result = database.pragma("integrity_check", { simple: true });
  if (result !== "ok") throw new Error(`integrity_check: ${String(result)}`);
}

interface EventRow {
  readonly seq: number;
  readonly scopeNo: number;
  readonly revision: number;
  readonly id: string;
  readonly attributes: string;
}

/** Checks what must hold after every step. Remembers how far it has read the events. */
export class Invariants {
  readonly #bench: Bench;
  readonly #revisions = new Map<number, number>();
  #lastSeq = 0;
  #lastEventId = "";

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  /** @throws when one is broken */
  check(): void {
    checkStored(this.#bench.database, this.#bench.clock.now());
    this.#checkEvents();
  }

  /** The same, and that the file is sound. */
  checkAtEnd(): void {
    this.check();
    checkFile(this.#bench.database);
  }

  #checkEvents(): void {
    const events = this.#bench.rows<EventRow>(
      "SELECT seq, scope_no AS scopeNo, revision, id, attributes FROM events WHERE seq > ? ORDER BY seq",
      this.#lastSeq,
    );
    for (const event of events) {
      const before = this.#revisions.get(event.scopeNo) ?? 0;
      if (event.revision !== before + 1)
        throw new Error(`Event ${event.revision} of scope ${event.scopeNo} comes after ${before}`);
      if (event.id <= this.#lastEventId) throw new Error(`Event id ${event.id} sorts before ${this.#lastEventId}`);
      this.#revisions.set(event.scopeNo, event.revision);
      this.#lastEventId = event.id;
      this.#lastSeq = event.seq;
      const leak = event.attributes.includes(CONTENT_MARK)
        ? "content"
        : this.#bench.tokens.find((token) => event.attributes.includes(token)) && "a token";
      if (leak) throw new Error(`An event holds ${leak}: ${event.attributes}`);
    }
    for (const { no, revision } of this.#bench.rows<{ no: number; revision: number }>(
      "SELECT no, revision FROM scopes",
    )) {
      if ((this.#revisions.get(no) ?? 0) !== revision)
        throw new Error(`Scope ${no} is at revision ${revision}, its events are not`);
    }
  }
}
