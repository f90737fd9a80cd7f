import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SqliteStore } from "../daemon/store/index.ts";
import type { HttpConnection } from "./lib/http-connection.ts";
import type { Row } from "./lib/report.ts";
import { median, timeEach } from "./lib/statistics.ts";
import {
  bodyOf,
  freshDirectory,
  makePair,
  openConnections,
  type Pair,
  type Subject,
  startSubject,
} from "./lib/subject.ts";

const SAMPLES = 1500;
const ROUNDS = 3;
const CHUNK = 20_000;

interface Reservation {
  readonly id: string;
  readonly messages: readonly { readonly id: string }[];
}

/** Puts acknowledged messages, their events, and finished tasks into the file of a stopped daemon. */
async function fill(file: string, scopeId: string, messages: number, tasks: number): Promise<void> {
  const store = SqliteStore.open(file);
  const scope = await store.read((tx) => tx.get<{ no: number }>("SELECT no FROM scopes WHERE id = ?", scopeId));
  const scopeNo = scope?.no as number;
  const parties = await store.read((tx) =>
    tx.all<{ no: number; id: string }>("SELECT no, id FROM agents WHERE scope_no = ? ORDER BY id DESC", scopeNo),
  );
  const [sender, receiver] = parties.map((party) => party.no) as [number, number];
  const conversation = await store.read((tx) =>
    tx.get<{ no: number }>("SELECT no FROM conversations WHERE scope_no = ?", scopeNo),
  );
  const conversationNo = conversation?.no as number;
  const series = "WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)";
  for (let from = 0; from < messages; from += CHUNK) {
    const to = Math.min(messages, from + CHUNK);
    await store.write(async (tx) => {
      await tx.run(
        `${series} INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, delivery_count,
           created_at, delivered_at, acknowledged_at, idempotency_key, request_hash, body, context)
         SELECT printf('msg_%032x', i), ?, ?, ?, ?, 'notify', 'acknowledged', 1, i, i, i, printf('old-%d', i), 'x', ?, '[]' FROM n`,
        from,
        to,
        scopeNo,
        conversationNo,
        sender,
        receiver,
        bodyOf(512),
      );
      await tx.run(
        `${series} INSERT INTO events (scope_no, revision, id, type, subject_id, attributes, created_at)
         SELECT ?, 1000000 + i, 'evt', 'message.accepted', 'old', '{}', i FROM n`,
        from,
        to,
        scopeNo,
      );
    });
  }
  for (let from = 0; from < tasks; from += CHUNK) {
    const to = Math.min(tasks, from + CHUNK);
    await store.write((tx) =>
      tx.run(
        `${series} INSERT INTO tasks (id, scope_no, title, description, status, priority, requires, claimed_by_no,
           dependency_count, blockers, created_at, updated_at)
         SELECT printf('task_%032x', i), ?, 'old', '', 'done', 1, '[]', ?, 0, 0, i, i FROM n`,
        from,
        to,
        scopeNo,
        receiver,
      ),
    );
  }
  await store.write((tx) => tx.run("UPDATE scopes SET revision = 2000000 + ? WHERE no = ?", messages, scopeNo));
  await store.close();
}

interface Timed {
  send: number;
  reserve: number;
  list: number;
}

async function measure(connection: HttpConnection, pair: Pair, label: string): Promise<Timed> {
  const { sender, receiver, scopeToken } = pair;
  const body = bodyOf(1024);
  const reserveTimes: number[] = [];
  const sendTimes = await timeEach(SAMPLES, (index) =>
    connection.call("POST", "/v1/messages", sender.token, {
      to: receiver.id,
      body,
      idempotencyKey: `${label}-${index}`,
    }),
  );
  for (;;) {
    const begin = performance.now();
    const reservation = await connection.call<Reservation | null>("POST", "/v1/inbox/reserve", receiver.token, {
      limit: 1,
    });
    if (reservation === null) break;
    reserveTimes.push(performance.now() - begin);
    await connection.call("POST", `/v1/inbox/${reservation.id}/commit`, receiver.token, {});
    await connection.call("POST", "/v1/messages/ack", receiver.token, {
      messageIds: reservation.messages.map(({ id }) => id),
    });
  }
  const listTimes = await timeEach(SAMPLES / 5, () => connection.call("GET", "/v1/tasks/page?limit=100", scopeToken));
  return { send: median(sendTimes), reserve: median(reserveTimes), list: median(listTimes) };
}

interface Side {
  readonly subject: Subject;
  readonly connection: HttpConnection;
  readonly pair: Pair;
}

async function prepare(directory: string, messages: number, tasks: number): Promise<Side> {
  mkdirSync(directory, { recursive: true });
  let subject = await startSubject(directory);
  const [setup] = (await openConnections(subject.address, 1)) as [HttpConnection];
  const pair = await makePair(setup, subject.adminToken);
  // Both sides list a full page of tasks: what differs is the history behind it.
  for (let index = 0; index < 100; index += 1) {
    await setup.call("POST", "/v1/tasks", pair.scopeToken, { title: `task ${index}` });
  }
  setup.close();
  await subject.stop();
  if (messages > 0) await fill(join(directory, "data", "intercom.db"), pair.scopeId, messages, tasks);
  subject = await startSubject(directory);
  const [connection] = (await openConnections(subject.address, 1)) as [HttpConnection];
  return { subject, connection, pair };
}

/** What a long history costs: the same calls on an empty and on a full database, in turns. */
export async function history(messages: number, tasks: number): Promise<Row[]> {
  const directory = freshDirectory();
  const empty = await prepare(join(directory.path, "empty"), 0, 0);
  const full = await prepare(join(directory.path, "full"), messages, tasks);
  await measure(empty.connection, empty.pair, "warm");
  await measure(full.connection, full.pair, "warm");
  const rounds: { empty: Timed; full: Timed }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      empty: await measure(empty.connection, empty.pair, `round-${round}`),
      full: await measure(full.connection, full.pair, `round-${round}`),
    });
  }
  for (const { subject, connection } of [empty, full]) {
    connection.close();
    await subject.stop();
  }
  directory.remove();
  const note = `${messages} messages, ${tasks} tasks retained`;
  return (["send", "reserve", "list"] as const).map((what) => ({
    what: `${what === "list" ? "list tasks" : what} p50, full / empty`,
    value: median(rounds.map((round) => round.full[what] / round.empty[what])),
    unit: "",
    target: { atMost: 1.3 },
    note,
  }));
}
