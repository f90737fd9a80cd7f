import type { TestDaemon } from "./daemon.ts";

/** States that would take thousands of calls, written into the database beside the running daemon. */

function scopeNo(intercom: TestDaemon, scopeId: string): number {
  return intercom.sql((db) => (db.prepare("SELECT no FROM scopes WHERE id = ?").get(scopeId) as { no: number }).no);
}

function agentNo(intercom: TestDaemon, scopeId: string, agentId: string): number {
  const scope = scopeNo(intercom, scopeId);
  return intercom.sql(
    (db) =>
      (db.prepare("SELECT no FROM agents WHERE scope_no = ? AND id = ?").get(scope, agentId) as { no: number }).no,
  );
}

function hex(n: number): string {
  return n.toString(16).padStart(32, "0");
}

/** Puts `count` open tasks into a scope. */
export function fillTasks(intercom: TestDaemon, scopeId: string, count: number, status = "open"): void {
  const scope = scopeNo(intercom, scopeId);
  const now = intercom.clock.now();
  intercom.sql((db) => {
    const insert = db.prepare(
      `INSERT INTO tasks (id, scope_no, title, description, status, priority, requires, dependency_count, blockers, created_at,
                          updated_at) VALUES (?, ?, 'filled', '', ?, 1, '[]', 0, 0, ?, ?)`,
    );
    for (let n = 0; n < count; n += 1) insert.run(`task_${status}${hex(n)}`, scope, status, now, now);
    if (status !== "open") return;
    db.prepare("UPDATE scopes SET unfinished_tasks = unfinished_tasks + ? WHERE no = ?").run(count, scope);
  });
}

/** Copies a message of the scope `count` times, as if it had been sent that often. */
export function fillMessages(intercom: TestDaemon, scopeId: string, like: string, count: number): void {
  const scope = scopeNo(intercom, scopeId);
  intercom.sql((db) => {
    const insert = db.prepare(
      `INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, created_at, delivered_at, body, context)
       SELECT ?, scope_no, conversation_no, sender_no, recipient_no, mode, state, created_at, delivered_at, body, context
         FROM messages WHERE id = ?`,
    );
    for (let n = 0; n < count; n += 1) insert.run(`msg_${scopeId}_${n}`, like);
    db.prepare(
      `UPDATE scopes SET active_messages = active_messages +
          (SELECT CASE WHEN recipient_no = 0 THEN 0 ELSE ? END FROM messages WHERE id = ?) WHERE no = ?`,
    ).run(count, like, scope);
  });
}

/** Gives an agent `count` questions that nobody has answered. */
export function fillEscalations(intercom: TestDaemon, scopeId: string, agentId: string, count: number): void {
  const scope = scopeNo(intercom, scopeId);
  const agent = agentNo(intercom, scopeId, agentId);
  intercom.sql((db) => {
    const insert = db.prepare(
      `INSERT INTO escalations (id, scope_no, agent_no, kind, urgency, question, options, context, status, created_at)
       VALUES (?, ?, ?, 'input', 'normal', 'filled', '[]', '[]', 'pending', ?)`,
    );
    for (let n = 0; n < count; n += 1) insert.run(`ask_${agent}_${n}`, scope, agent, intercom.clock.now());
  });
}

/** Says how much progress a task has reported already. */
export function fillProgress(intercom: TestDaemon, taskId: string, entries: number, bytes: number): void {
  intercom.sql((db) =>
    db.prepare("UPDATE tasks SET progress_count = ?, progress_bytes = ? WHERE id = ?").run(entries, bytes, taskId),
  );
}

/** Forgets events up to a revision, as retention does. */
export function pruneEvents(intercom: TestDaemon, scopeId: string, upTo: number): void {
  const scope = scopeNo(intercom, scopeId);
  intercom.sql((db) => {
    db.prepare("DELETE FROM events WHERE scope_no = ? AND revision <= ?").run(scope, upTo);
    db.prepare("UPDATE scopes SET event_floor = ? WHERE no = ?").run(upTo, scope);
  });
}
