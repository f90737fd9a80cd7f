import type { Transaction } from "../core/index.ts";

/** Something in the data that contradicts the rest of it. */
export interface Fault {
  /** Stable name. */
  readonly check: string;
  /** What was found, in a sentence. */
  readonly found: string;
  readonly meaning: string;
}

/** A row that is wrong. */
interface Wrong {
  readonly no: number;
  readonly name: string;
  /** Of a count: what it is and what it should be. */
  readonly stored?: number;
  readonly counted?: number;
}

interface Check {
  readonly check: string;
  readonly what: (count: number) => string;
  readonly meaning: string;
  /** Selects what is {@link Wrong}. */
  readonly find: string;
  /** Statements with their parameters. */
  readonly repair: (wrong: Wrong) => readonly (readonly [sql: string, ...parameters: number[]])[];
}

const ACTIVE = "state IN ('queued', 'reserved', 'delivered')";
const UNRESERVE =
  "UPDATE messages SET state = CASE WHEN delivered_at IS NULL THEN 'queued' ELSE 'delivered' END, reservation_no = NULL";

function counter(
  check: string,
  what: string,
  meaning: string,
  { table, column, name, where, counted }: Record<"table" | "column" | "name" | "where" | "counted", string>,
): Check {
  return {
    check,
    what: () => what,
    meaning,
    find: `
      SELECT t.no, t.${name} AS name, t.${column} AS stored, COALESCE(c.n, 0) AS counted
        FROM ${table} t LEFT JOIN (${counted}) c ON c.no = t.no
       WHERE ${where} AND t.${column} <> COALESCE(c.n, 0) ORDER BY t.no`,
    repair: ({ no, counted: right = 0 }) => [[`UPDATE ${table} SET ${column} = ? WHERE no = ?`, right, no]],
  };
}

const taskCounter = (check: string, column: string, what: string, meaning: string, counted: string, where = "TRUE") =>
  counter(check, what, meaning, { table: "tasks", column, name: "id", where, counted });

const scopeCounter = (check: string, column: string, what: string, meaning: string, counted: string) =>
  counter(check, what, meaning, { table: "scopes", column, name: "id", where: "TRUE", counted });

/** In this order: a repair may depend on those before it. */
const CHECKS: readonly Check[] = [
  {
    check: "orphaned-reservations",
    what: (n) => `${n === 1 ? "A reservation is" : `${n} reservations are`} held by a session that has ended`,
    meaning: "Its messages would wait until it runs out.",
    find: `
      SELECT r.no, r.id AS name FROM reservations r LEFT JOIN executions e ON e.no = r.execution_no
       WHERE r.state = 'open' AND (e.no IS NULL OR e.ended_at IS NOT NULL) ORDER BY r.no`,
    repair: ({ no }) => [
      [`${UNRESERVE} WHERE reservation_no = ? AND state = 'reserved'`, no],
      ["UPDATE reservations SET state = 'released' WHERE no = ?", no],
    ],
  },
  {
    check: "reserved-messages",
    what: (n) => `${n === 1 ? "A message is" : `${n} messages are`} reserved without a reservation`,
    meaning: "Nobody would ever get them.",
    find: `
      SELECT m.seq AS no, m.id AS name FROM messages m LEFT JOIN reservations r ON r.no = m.reservation_no
       WHERE m.state = 'reserved' AND m.${ACTIVE} AND (r.no IS NULL OR r.state <> 'open' OR r.agent_no <> m.recipient_no) ORDER BY m.seq`,
    repair: ({ no }) => [[`${UNRESERVE} WHERE seq = ?`, no]],
  },
  {
    check: "orphaned-claims",
    what: (n) => `${n === 1 ? "A task is" : `${n} tasks are`} claimed by a session that has ended`,
    meaning: "Nobody else could take them.",
    find: `
      SELECT t.no, t.id AS name FROM tasks t LEFT JOIN executions e ON e.no = t.claimed_execution_no
       WHERE t.status = 'claimed' AND (e.no IS NULL OR e.ended_at IS NOT NULL) ORDER BY t.no`,
    repair: ({ no }) => [
      ["UPDATE tasks SET status = 'open', claimed_by_no = NULL, claimed_execution_no = NULL WHERE no = ?", no],
    ],
  },
  scopeCounter(
    "active-messages",
    "active_messages",
    "Wrong count of messages that are under way",
    "The scope would take fewer messages than it has room for, or more.",
    `SELECT scope_no AS no, COUNT(*) AS n FROM messages WHERE recipient_no > 0 AND ${ACTIVE} GROUP BY scope_no`,
  ),
  scopeCounter(
    "unfinished-tasks",
    "unfinished_tasks",
    "Wrong count of unfinished tasks",
    "The scope would take fewer tasks than it has room for, or more.",
    "SELECT scope_no AS no, COUNT(*) AS n FROM tasks WHERE status IN ('open', 'claimed') GROUP BY scope_no",
  ),
  taskCounter(
    "task-blockers",
    "blockers",
    "Wrong count of what a task waits for",
    "The task would be ready too early, or never.",
    `SELECT d.task_no AS no, COUNT(*) AS n FROM task_dependencies d JOIN tasks b ON b.no = d.dependency_no
      WHERE b.status <> 'done' GROUP BY d.task_no`,
    "t.status IN ('open', 'claimed')",
  ),
  taskCounter(
    "task-dependencies",
    "dependency_count",
    "Wrong count of a task's dependencies",
    "The task would show fewer dependencies than it has, or more.",
    "SELECT task_no AS no, COUNT(*) AS n FROM task_dependencies GROUP BY task_no",
  ),
  taskCounter(
    "task-progress",
    "progress_count",
    "Wrong count of a task's progress entries",
    "Further progress could not be reported.",
    "SELECT task_no AS no, COUNT(*) AS n FROM task_progress GROUP BY task_no",
  ),
  taskCounter(
    "task-progress-size",
    "progress_bytes",
    "Wrong size of a task's progress",
    "Less progress could be reported than fits, or more.",
    "SELECT task_no AS no, SUM(LENGTH(CAST(text AS BLOB))) AS n FROM task_progress GROUP BY task_no",
  ),
];

/** Looks for every fault. */
export async function findFaults(tx: Transaction): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const check of CHECKS) {
    const wrong = await tx.all<Wrong>(check.find);
    if (wrong.length > 0) faults.push(faultOf(check, wrong));
  }
  return faults;
}

/** Repairs every fault there is. @returns what was found and is right now */
export async function repairFaults(tx: Transaction): Promise<Fault[]> {
  const repaired: Fault[] = [];
  for (const check of CHECKS) {
    const wrong = await tx.all<Wrong>(check.find);
    for (const statement of wrong.flatMap(check.repair)) await tx.run(...statement);
    if (wrong.length > 0) repaired.push(faultOf(check, wrong));
  }
  return repaired;
}

const SHOWN = 3;

function faultOf({ check, what, meaning }: Check, wrong: readonly Wrong[]): Fault {
  const shown = wrong
    .slice(0, SHOWN)
    .map(({ name, stored, counted }) => (stored === undefined ? name : `${name} (${stored} instead of ${counted})`));
  const more = wrong.length > SHOWN ? `, and ${wrong.length - SHOWN} more` : "";
  return { check, found: `${what(wrong.length)}: ${shown.join(", ")}${more}`, meaning };
}
