import { expect, it } from "vitest";
import { RECORD_TYPES, type RecordType, type StorageSummary } from "../../../protocol/index.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { exportOf } from "../archives/archive-calls.ts";
import { makeEverything } from "../archives/everything.ts";
import { pictureOf } from "../archives/picture.ts";

const daemon = useDaemon();

const bytes = (...texts: (string | undefined)[]) => Buffer.byteLength(texts.map((text) => text ?? "").join(""));

/** Counts records that were read through the API. */
class Tally {
  readonly #groups = new Map<string, { count: number; bytes: number; oldest: string | undefined }>();

  add(type: RecordType, state: string, size: number, at: string | undefined): void {
    const key = `${RECORD_TYPES.indexOf(type)} ${type} ${state}`;
    const { count, bytes: sum, oldest } = this.#groups.get(key) ?? { count: 0, bytes: 0, oldest: undefined };
    const earlier = oldest === undefined || (at !== undefined && at < oldest) ? at : oldest;
    this.#groups.set(key, { count: count + 1, bytes: sum + size, oldest: earlier });
  }

  get records(): StorageSummary["records"] {
    return [...this.#groups].map(([key, { count, bytes: estimatedBytes, oldest }]) => {
      const [, recordType, state] = key.split(" ") as [string, RecordType, string];
      return { recordType, state, count, estimatedBytes, ...(oldest === undefined ? {} : { oldestAt: oldest }) };
    });
  }
}

it("counts what is there, by kind and state, as somebody would who reads all of it", async () => {
  const { scope } = await makeEverything(daemon());
  const picture = await pictureOf(scope);
  const events = await scope.events();
  const archive = await exportOf(daemon(), scope.id, { extensions: true });
  const tally = new Tally();
  for (const message of picture.messages) {
    const { createdAt, deliveredAt, acknowledgedAt, expiresAt, deadLetteredAt } = message;
    const at = {
      delivered: deliveredAt,
      acknowledged: acknowledgedAt,
      expired: expiresAt,
      dead_lettered: deadLetteredAt,
    };
    const since = message.state in at ? at[message.state as keyof typeof at] : createdAt;
    tally.add("message", message.state, bytes(message.body, JSON.stringify(message.context)), since);
  }
  for (const task of picture.tasks) {
    const size = bytes(task.title, task.description, task.note, ...task.dependencies);
    tally.add("task", task.status, size, task.status === "open" ? task.createdAt : task.updatedAt);
  }
  for (const { kind, text, createdAt } of picture.progress.flat()) {
    tally.add("taskProgress", kind, bytes(text), createdAt);
  }
  for (const asked of picture.escalations) {
    const { question, options, context, answer, createdAt, resolvedAt, cancelledAt, expiredAt } = asked;
    const size = bytes(question, JSON.stringify(options), JSON.stringify(context), answer);
    tally.add("escalation", asked.status, size, resolvedAt ?? cancelledAt ?? expiredAt ?? createdAt);
  }
  for (const { type, subjectId, attributes, createdAt } of events) {
    tally.add("event", type, bytes(type, subjectId, JSON.stringify(attributes)), createdAt);
  }
  for (const { enabled, createdAt } of picture.publications) {
    tally.add("a2aPublication", enabled ? "enabled" : "disabled", 0, createdAt);
  }
  for (const { state, updatedAt } of archive.a2aTasks) tally.add("a2aTask", state, 0, updatedAt);
  for (const { clientMessageId, createdAt } of archive.a2aMessages) {
    tally.add("a2aMessage", "correlated", bytes(clientMessageId), createdAt);
  }
  for (const list of ["listA2aPrincipals", "listOutputPrincipals"] as const) {
    for (const { enabled, label, createdAt } of await scope.call(list, {})) {
      tally.add("credential", enabled ? "enabled" : "disabled", bytes(label), createdAt);
    }
  }
  for (const { stream, values } of picture.outputs) {
    tally.add("outputStream", "active", bytes(stream.name), stream.createdAt);
    for (const { value, reference, contentType, createdAt } of values) {
      const size = bytes(JSON.stringify(value), reference && JSON.stringify(reference));
      tally.add("outputValue", contentType, size, createdAt);
    }
  }
  const summary = await scope.call("storageSummary", {});
  const key = ({ recordType, state }: { recordType: RecordType; state: string }) =>
    `${String(RECORD_TYPES.indexOf(recordType)).padStart(2, "0")} ${state}`;
  const inOrder = tally.records.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  const enabledFirst = (records: StorageSummary["records"]) => records.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  expect(enabledFirst(summary.records)).toEqual(inOrder);
  // In the order of the protocol.
  const order = summary.records.map(({ recordType }) => RECORD_TYPES.indexOf(recordType));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(summary).toMatchObject({ scopeId: scope.id, generatedAt: daemon().clock.instant() });
  expect(summary.totalEstimatedBytes).toBe(summary.records.reduce((sum, record) => sum + record.estimatedBytes, 0));
});

it("says that there are no streams, and nothing else, of a scope in which nothing has happened", async () => {
  const scope = await daemon().scope();
  const { records } = await scope.call("storageSummary", {});
  expect(records).toEqual([
    expect.objectContaining({ recordType: "event", state: "scope.created", count: 1 }),
    { recordType: "outputStream", state: "active", count: 0, estimatedBytes: 0 },
  ]);
});

it("makes true first what time has decided", async () => {
  const scope = await daemon().scope({ linkPolicy: "open" });
  const [ada, bob] = [await scope.agent("ada", { leaseMs: 30_000 }), await scope.agent("bob", { leaseMs: 30_000 })];
  await ada.tell(bob, { expiresInMs: 20_000 });
  await ada.tell(bob);
  await bob.call("reserveInbox", { limit: 1 });
  const { id: taskId } = await scope.call("addTask", { title: "t" });
  await bob.call("claimTask", { taskId });
  const states = async () =>
    (await scope.call("storageSummary", {})).records
      .filter(({ recordType }) => recordType === "message" || recordType === "task")
      .map(({ recordType, state }) => `${recordType} ${state}`);
  expect(await states()).toEqual(["message queued", "message reserved", "task claimed"]);
  daemon().clock.advance(30_001);
  expect(await states()).toEqual(["message expired", "message queued", "task open"]);
});
