import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { migrations } from "./index.ts";

const oversight = migrations.findIndex((sql) => sql.includes("answer_read_at"));

test("answers from before count as read where the agent took them out of its inbox", () => {
  const database = new Database(":memory:");
  for (const sql of migrations.slice(0, oversight)) database.exec(sql);
  const about = (id: string) => `'{"kind":"escalation","id":"${id}"}'`;
  const question = (no: number, scope: number, status: string) =>
    `(${no}, 'ask_${no}', ${scope}, 1, 'input', 'normal', 'q', '[]', '[]', '${status}', 1)`;
  const message = (seq: number, scope: number, sender: number, deliveredAt: number | null, subject: string) =>
    `(${seq}, 'msg_${seq}', ${scope}, 1, ${sender}, 1, 'notify', 'delivered', 1, ${deliveredAt}, ${subject}, 'b', '[]')`;
  database.exec(`
    INSERT INTO scopes VALUES (1, 'one', 'a', 'open', 1, 7, 0, 1, 1, NULL, 0), (2, 'two', 'b', 'open', 1, 7, 0, 1, 1, NULL, 0);
    INSERT INTO agents (no, scope_no, id, display_name, capabilities, notices, lifecycle, ready, registered_at, updated_at, last_seen_at)
      VALUES (1, 1, 'ada', 'Ada', '[]', 1, 'idle', 0, 1, 1, 1);
    INSERT INTO conversations VALUES (1, 1, 0, 1, NULL);
    INSERT INTO escalations (no, id, scope_no, agent_no, kind, urgency, question, options, context, status, created_at) VALUES
      ${[question(1, 1, "resolved"), question(2, 1, "resolved"), question(3, 1, "resolved"), question(4, 1, "pending")]};
    INSERT INTO messages (seq, id, scope_no, conversation_no, sender_no, recipient_no, mode, state, created_at, delivered_at,
                          about, body, context) VALUES
      ${[message(1, 1, 0, 70, about("ask_1")), message(2, 1, 0, null, about("ask_2")), message(3, 1, -1, 80, about("ask_4"))]},
      ${message(4, 2, 0, 90, about("ask_3"))}, ${message(5, 1, 1, 95, "NULL")};`);
  database.exec(migrations[oversight] as string);
  const rows = database.prepare(
    "SELECT id, answer_message_id AS message, answer_read_at AS read FROM escalations ORDER BY no",
  );
  expect(rows.all()).toEqual([
    { id: "ask_1", message: "msg_1", read: 70 },
    { id: "ask_2", message: "msg_2", read: null },
    { id: "ask_3", message: null, read: null },
    { id: "ask_4", message: null, read: null },
  ]);
  database.close();
});
