import { SqliteStore } from "../../daemon/store/index.ts";
import { bodyOf } from "./subject.ts";

const CHUNK = 20_000;
const SERIES = "WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)";

/**
 * Puts acknowledged messages, each with one event, between the two agents of a scope into the file of a stopped daemon.
 * They are from the past, oldest first, and end a day before `now`.
 */
export async function fillMessages(
  file: string,
  scopeId: string,
  messages: number,
  bodyBytes: number,
  now = Date.now(),
): Promise<void> {
  const store = SqliteStore.open(file);
  const scope = await store.read((tx) =>
    tx.get<{ no: number; revision: number }>("SELECT no, revision FROM scopes WHERE id = ?", scopeId),
  );
  const { no: scopeNo, revision } = scope as { no: number; revision: number };
  const [sender, receiver] = await store.read((tx) =>
    tx.all<{ no: number }>("SELECT no FROM agents WHERE scope_no = ? ORDER BY id DESC", scopeNo),
  );
  const conversation = await store.read((tx) =>
    tx.get<{ no: number }>("SELECT no FROM conversations WHERE scope_no = ?", scopeNo),
  );
  const begin = now - 86_400_000 - messages;
  for (let from = 0; from < messages; from += CHUNK) {
    const to = Math.min(messages, from + CHUNK);
    await store.write(async (tx) => {
      await tx.run(
        `${SERIES} INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, delivery_count,
           created_at, delivered_at, acknowledged_at, idempotency_key, request_hash, body, context)
         SELECT printf('msg_%032x', i), ?, ?, ?, ?, 'notify', 'acknowledged', 1, ? + i, ? + i, ? + i, printf('old-%d', i), 'x',
           ?, '[]' FROM n`,
        from,
        to,
        scopeNo,
        conversation?.no as number,
        sender?.no as number,
        receiver?.no as number,
        begin,
        begin,
        begin,
        bodyOf(bodyBytes),
      );
      await tx.run(
        `${SERIES} INSERT INTO events (scope_no, revision, id, type, subject_id, attributes, created_at)
         SELECT ?, ? + i, printf('evt_%032x', i), 'message.accepted', printf('msg_%032x', i), '{}', ? + i FROM n`,
        from,
        to,
        scopeNo,
        revision + 1,
        begin,
      );
    });
  }
  await store.write((tx) => tx.run("UPDATE scopes SET revision = ? WHERE no = ?", revision + messages, scopeNo));
  await store.close();
}
