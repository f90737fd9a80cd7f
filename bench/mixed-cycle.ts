import type { HttpConnection } from "./lib/http-connection.ts";
import type { Row } from "./lib/report.ts";
import { percentile } from "./lib/statistics.ts";
import {
  type Agent,
  bodyOf,
  freshDirectory,
  makePair,
  openConnections,
  type Pair,
  startSubject,
} from "./lib/subject.ts";

const PAIRS = 16;

interface Reservation {
  readonly id: string;
  readonly messages: readonly { readonly id: string; readonly body: string }[];
}

/** Counts of one run, to be compared with what the daemon says there is. */
interface Tally {
  sent: number;
  received: number;
  completed: number;
  heartbeats: number[];
}

async function cycle(connection: HttpConnection, from: Agent, to: Agent, index: number, tally: Tally): Promise<void> {
  const begin = performance.now();
  await connection.call("PATCH", "/v1/me/heartbeat", from.token, { lifecycle: "working", ready: true });
  tally.heartbeats.push(performance.now() - begin);
  const body = `${index}:${bodyOf(256)}`;
  const idempotencyKey = `cycle-${index}`;
  await connection.call("POST", "/v1/messages", from.token, { to: to.id, body, idempotencyKey });
  tally.sent += 1;
  const reservation = await connection.call<Reservation>("POST", "/v1/inbox/reserve", to.token, { limit: 10 });
  if (reservation.messages.length !== 1 || reservation.messages[0]?.body !== body)
    throw new Error("not the message sent");
  await connection.call("POST", `/v1/inbox/${reservation.id}/commit`, to.token, {});
  const messageIds = reservation.messages.map((message) => message.id);
  const { acknowledged } = await connection.call<{ acknowledged: number }>("POST", "/v1/messages/ack", to.token, {
    messageIds,
  });
  tally.received += acknowledged;
  const task = await connection.call<{ id: string }>("POST", "/v1/tasks", from.token, { title: `task ${index}` });
  await connection.call("POST", `/v1/tasks/${task.id}/claim`, to.token, {});
  await connection.call("POST", `/v1/tasks/${task.id}/complete`, to.token, { note: "done" });
  tally.completed += 1;
}

async function countDone(connection: HttpConnection, pairs: readonly Pair[]): Promise<number> {
  let done = 0;
  for (const { scopeToken } of pairs) {
    let after = "";
    do {
      const path = `/v1/tasks/page?status=done&limit=500&after=${after}`;
      const page = await connection.call<{ tasks: unknown[]; nextCursor?: string }>("GET", path, scopeToken);
      done += page.tasks.length;
      after = page.nextCursor ?? "";
    } while (after !== "");
  }
  return done;
}

/** 32 agents in 16 pairs, each going through a message and a task again and again; the counts must come out equal. */
export async function mixedCycle(cycles: number): Promise<Row[]> {
  const directory = freshDirectory();
  const subject = await startSubject(directory.path);
  const [setup] = (await openConnections(subject.address, 1)) as [HttpConnection];
  const pairs: Pair[] = [];
  for (let index = 0; index < PAIRS; index += 1) pairs.push(await makePair(setup, subject.adminToken));
  const connections = await openConnections(subject.address, PAIRS);
  const tally: Tally = { sent: 0, received: 0, completed: 0, heartbeats: [] };
  let next = 0;
  const begin = performance.now();
  await Promise.all(
    pairs.map(async ({ sender, receiver }, index) => {
      while (next < cycles) {
        next += 1;
        await cycle(connections[index] as HttpConnection, sender, receiver, next, tally);
      }
    }),
  );
  const seconds = (performance.now() - begin) / 1000;
  const overview = await setup.call<{
    totals: { undeliveredMessages: number; openTasks: number; claimedTasks: number };
  }>("GET", "/v1/admin/overview", subject.adminToken);
  const { undeliveredMessages, openTasks, claimedTasks } = overview.totals;
  const done = await countDone(setup, pairs);
  const lost =
    Math.abs(cycles - tally.received) + Math.abs(cycles - done) + undeliveredMessages + openTasks + claimedTasks;
  for (const connection of [...connections, setup]) connection.close();
  await subject.stop();
  directory.remove();
  const note = `${cycles} cycles, 32 agents in ${PAIRS} pairs`;
  return [
    { what: "mixed cycles", value: cycles / seconds, unit: "/s", note },
    { what: "heartbeat p95 in the mix", value: percentile(tally.heartbeats, 0.95), unit: "ms", note },
    { what: "lost or unequal in the mix", value: lost, unit: "", target: { atMost: 0 }, note },
  ];
}
