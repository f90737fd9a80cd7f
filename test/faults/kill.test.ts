import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, it } from "vitest";
import { startDaemon } from "../../daemon/index.ts";
import { LIMITS, type OperationInput, type OperationName, type OperationResult } from "../../protocol/index.ts";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { checkFile, checkStored } from "../properties/invariants.ts";
import { TestClock } from "../support/clock.ts";
import { exchange, requestFor, resultOf } from "../support/http.ts";
import { type ChildOptions, DaemonProcess, killLeftovers } from "./daemon-process.ts";
import { Comeback, Ledger, pause } from "./load.ts";

const path = useTemporaryDirectory();
afterEach(killLeftovers);

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 8);
const SENDERS = 32;
const RECEIVERS = 4;
const WORKERS = 6;
const BATCH = 25;
const LEASE_MS = 86_400_000;

interface Client {
  readonly id: string;
  readonly token: string;
}

async function register(comeback: Comeback, scopeToken: string, prefix: string, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = `${prefix}-${index}`;
    const input = { id, displayName: id, leaseMs: LEASE_MS, notices: false };
    clients.push({ id, token: (await comeback.call("registerAgent", input, { token: scopeToken })).agentToken });
  }
  return clients;
}

/** Sends until told to stop; what it began it brings to an end. */
async function send(comeback: Comeback, ledger: Ledger, sender: Client, receivers: Client[], going: () => boolean) {
  for (let index = 0; going(); index += 1) {
    const what = `${sender.id}:${index}`;
    const to = (receivers[index % receivers.length] as Client).id;
    const input = { to, body: what, idempotencyKey: what };
    ledger.accept(what, (await comeback.call("sendMessage", input, { token: sender.token })).messageId);
  }
}

/** Takes messages out until told to stop and nothing is left. */
async function receive(comeback: Comeback, ledger: Ledger, receiver: Client, going: () => boolean) {
  const { token } = receiver;
  for (;;) {
    const more = going();
    const reservation = await comeback.call("reserveInbox", { limit: BATCH, waitMs: 100 }, { token });
    if (!reservation) {
      // A reservation whose answer was lost comes back when its time is over; the check at the end knows those.
      if (!more) return;
      continue;
    }
    let messages: { id: string; body: string }[];
    try {
      messages = await comeback.call("commitInbox", { reservationId: reservation.id }, { token });
    } catch (error) {
      ledger.problems.push(`A commit was refused: ${String(error)}`);
      continue;
    }
    for (const { id, body } of messages) ledger.deliver(id, body);
    // Now and then it forgets to, and must get them again.
    if (Math.random() < 0.1) continue;
    const messageIds = messages.map(({ id }) => id);
    await comeback.call("acknowledgeMessages", { messageIds }, { token });
    for (const id of messageIds) ledger.acknowledged.add(id);
  }
}

async function addTasks(comeback: Comeback, scopeToken: string, added: Set<string>, going: () => boolean) {
  for (let index = 0; going(); index += 1) {
    const key = `task-${index}`;
    const task = await comeback.call("addTask", { title: key }, { token: scopeToken, key });
    added.add(task.id);
    await pause(5);
  }
}

async function work(comeback: Comeback, ledger: Ledger, worker: Client, going: () => boolean) {
  const { token } = worker;
  for (let index = 0; ; index += 1) {
    const more = going();
    const task = await comeback.call("claimNextTask", { waitMs: 50 }, { token, key: `claim-${index}` });
    if (!task) {
      if (!more) return;
      continue;
    }
    await comeback.call("completeTask", { taskId: task.id }, { token, key: `done-${index}` });
    ledger.complete(task.id, worker.id);
  }
}

/** Reservations whose answer was lost with a daemon run out; then their messages come again. */
async function takeTheRest(directories: ChildOptions, ledger: Ledger, receivers: Client[]) {
  const clock = new TestClock(Date.now() + LIMITS.reservationMs);
  const daemon = await startDaemon({ ...directories, port: 0, env: {}, clock });
  const call = async <N extends OperationName>(name: N, input: OperationInput<N>, token: string) => {
    const answer = await exchange(daemon.address, requestFor(name, input as Record<string, unknown>), { token });
    return resultOf(name, answer) as OperationResult<N>;
  };
  try {
    for (const { token } of receivers) {
      for (;;) {
        const reservation = await call("reserveInbox", { limit: 100 }, token);
        if (!reservation) break;
        const messages = await call("commitInbox", { reservationId: reservation.id }, token);
        for (const { id, body } of messages) ledger.deliver(id, body);
        await call("acknowledgeMessages", { messageIds: messages.map(({ id }) => id) }, token);
        for (const { id } of messages) ledger.acknowledged.add(id);
      }
    }
  } finally {
    await daemon.stop();
  }
}

function count(database: Database.Database, sql: string): number {
  return database.prepare<[], number>(sql).pluck().get() as number;
}

it(`keeps every promise through ${ROUNDS} kills under load`, { timeout: 60_000 + ROUNDS * 10_000 }, async () => {
  const directories = { dataDir: path("data"), runtimeDir: path("run") };
  const comeback = new Comeback();
  const ledger = new Ledger();
  const startTimes: number[] = [];
  const start = async () => {
    const startedAt = performance.now();
    const daemon = await DaemonProcess.start(directories);
    startTimes.push(performance.now() - startedAt);
    comeback.arrived(daemon);
    return daemon;
  };

  let daemon = await start();
  const { scopeToken } = await daemon.call(
    "createScope",
    { id: "s", linkPolicy: "open" },
    { token: daemon.adminToken },
  );
  const senders = await register(comeback, scopeToken, "sender", SENDERS);
  const receivers = await register(comeback, scopeToken, "receiver", RECEIVERS);
  const workers = await register(comeback, scopeToken, "worker", WORKERS);

  const added = new Set<string>();
  let sending = true;
  let receiving = true;
  const producing = [
    ...senders.map((sender) => send(comeback, ledger, sender, receivers, () => sending)),
    addTasks(comeback, scopeToken, added, () => sending),
  ];
  const consuming = [
    ...receivers.map((receiver) => receive(comeback, ledger, receiver, () => receiving)),
    ...workers.map((worker) => work(comeback, ledger, worker, () => receiving)),
  ];
  const everything = Promise.all([...producing, ...consuming]);
  // A failure is thrown where it is waited for, below.
  everything.catch(() => {});

  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.race([pause(50 + Math.random() * 850), everything]);
    comeback.gone();
    await daemon.kill();
    daemon = await start();
  }
  await pause(100);
  sending = false;
  await Promise.all(producing);
  receiving = false;
  await everything;
  expect(await daemon.terminate()).toBe(0);
  const outstanding = ledger.accepted.size - ledger.acknowledged.size;
  await takeTheRest(directories, ledger, receivers);

  const database = new Database(join(directories.dataDir, "intercom.db"));
  try {
    expect(ledger.problems).toEqual([]);
    checkFile(database);
    checkStored(database, 0);

    // Every accepted send is there, once, and nothing else is.
    const stored = database.prepare("SELECT idempotency_key AS what, id FROM messages ORDER BY seq").all() as {
      what: string;
      id: string;
    }[];
    expect(new Map(stored.map(({ what, id }) => [what, id]))).toEqual(ledger.accepted);
    expect(stored.length).toBe(ledger.accepted.size);
    expect(stored.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).toSorted());

    // Every one of them was delivered, and what somebody was told is acknowledged stayed so.
    expect(ledger.deliveries.size).toBe(ledger.accepted.size);
    expect(count(database, "SELECT COUNT(*) FROM messages WHERE state <> 'acknowledged'")).toBe(0);
    expect(ledger.acknowledged.size).toBe(ledger.accepted.size);
    // However many reservations lost their answers to kills of the last half minute: they all came back above.

    // Every task was added, claimed and completed once.
    expect(database.prepare<[], string>("SELECT id FROM tasks ORDER BY id").pluck().all()).toEqual([...added].sort());
    expect([...ledger.completed.keys()].sort()).toEqual([...added].sort());
    for (const type of ["task.created", "task.claimed", "task.completed"]) {
      expect(count(database, `SELECT COUNT(*) FROM events WHERE type = '${type}'`), type).toBe(added.size);
      expect(count(database, `SELECT COUNT(DISTINCT subject_id) FROM events WHERE type = '${type}'`), type).toBe(
        added.size,
      );
    }

    const revisions = "SELECT COUNT(*) = MAX(revision) AND MIN(revision) = 1 FROM events WHERE scope_no = 1";
    expect(count(database, revisions)).toBe(1);
    const slowest = Math.max(...startTimes).toFixed(0);
    const median = startTimes.toSorted((a, b) => a - b)[Math.floor(startTimes.length / 2)]?.toFixed(0);
    console.log(
      `kill -9: ${ROUNDS} kills, ${ledger.accepted.size} sends accepted, ${ledger.deliveries.size} delivered, ` +
        `${ledger.redelivered} redeliveries, ${ledger.acknowledged.size} acknowledged (${outstanding} of them after the last start), ${added.size} tasks done, ` +
        `${comeback.interrupted} calls cut off, start ${median} ms (slowest ${slowest}), ` +
        `${count(database, "SELECT COUNT(*) FROM events")} events; lost 0, doubled 0`,
    );
  } finally {
    database.close();
    rmSync(directories.dataDir, { recursive: true, force: true });
  }
});
