import { describe, expect, it } from "vitest";
import { checkStored } from "../../properties/invariants.ts";
import { EventStream } from "../../support/sse.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const daemon = useDaemon();
const NOTHING = {
  messages: 0,
  tasks: 0,
  taskProgress: 0,
  escalations: 0,
  events: 0,
  a2aTasks: 0,
  a2aMessages: 0,
  linkRequests: 0,
};

/** A scope whose agent has dealt with some messages. */
async function busyScope(messages = 3) {
  const scope = await daemon().scope({ linkPolicy: "open" });
  const [ada, bob] = [await scope.agent("ada"), await scope.agent("bob")];
  for (let index = 0; index < messages; index += 1) await ada.tell(bob, { body: `message ${index}` });
  await bob.drain();
  return { scope, ada, bob };
}

describe("retention", () => {
  it("removes nothing unless it is told to", async () => {
    const { scope } = await busyScope();
    const before = daemon().clock.instant(1);
    const revision = await scope.revision();
    for (const input of [{ before }, { before, execute: false }]) {
      const counted = await scope.call("pruneScope", input);
      expect(counted).toMatchObject({ dryRun: true, before, records: { ...NOTHING, messages: 3, events: revision } });
    }
    expect(await scope.revision()).toBe(revision);
    expect((await scope.call("listMessages", {})).messages).toHaveLength(3);
  });

  it("reads the instant as any RFC 3339 one, and takes what lies strictly before it", async () => {
    const { scope } = await busyScope();
    const now = daemon().clock.now();
    const at = new Date(now).toISOString();
    const east = (ms: number, digits: string) =>
      `${new Date(ms + 7_200_000).toISOString().slice(0, 19)}${digits}+02:00`;
    const counted = async (before: string) => {
      const result = await scope.call("pruneScope", { before });
      return [result.records.messages, result.before];
    };
    expect(await counted(at)).toEqual([0, at]);
    expect(await counted(east(now, ".000"))).toEqual([0, at]);
    // Finer than a store keeps: nothing happens between two milliseconds.
    expect(await counted(east(now, ".000999"))).toEqual([0, at]);
    expect(await counted(new Date(now + 1).toISOString())).toEqual([3, new Date(now + 1).toISOString()]);
    expect((await counted("9999-12-31T23:59:59Z"))[0]).toBe(3);
    expect((await counted("0000-01-01T00:00:00Z"))[0]).toBe(0);
    for (const before of ["yesterday", "2026-01-01", "2026-01-01T00:00:00", "9999-12-31T23:59:59-01:00", 5, null]) {
      expect(await scope.refused("pruneScope", { before })).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });

  it("leaves an event that says what went, whose number nobody has had", async () => {
    const { scope } = await busyScope();
    await scope.call("addTask", { title: "stays" });
    const revision = await scope.revision();
    const before = daemon().clock.instant(1);
    const { records } = await scope.call("pruneScope", { before, execute: true });
    expect(records).toEqual({ ...NOTHING, messages: 3, events: revision });
    const missed = await scope.call("listEvents", { after: 0 });
    expect(missed).toMatchObject({ resyncRequired: true, events: [], minimumCursor: revision });
    const [event, ...more] = await scope.events(revision);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: "scope.pruned",
      revision: revision + 1,
      subjectId: scope.id,
      attributes: { before, messages: "3", tasks: "0", escalations: "0", events: String(revision), actor: "scope" },
    });
    await scope.call("addTask", { title: "next" });
    expect((await scope.events(missed.nextRevision)).map(({ type }) => type)).toEqual(["task.created"]);
    expect((await scope.call("listTasks", {})).map(({ title }) => title)).toEqual(["stays", "next"]);
  });

  it("keeps who follows all scopes going, also when everything is removed everywhere", async () => {
    const scopes = [(await busyScope()).scope, (await busyScope()).scope];
    const follow = (after?: string) =>
      EventStream.open(`${daemon().address}/v1/admin/events`, {
        Authorization: `Bearer ${daemon().adminToken}`,
        ...(after === undefined ? {} : { "Last-Event-ID": after }),
      });
    const stream = await follow();
    const before = daemon().clock.instant(1);
    for (const scope of scopes) await scope.call("pruneScope", { before, execute: true });
    for (const scope of scopes) await scope.call("addTask", { title: "after" });
    const items = await stream.take(4);
    expect(stream.events.map(({ type }) => type)).toEqual([
      "scope.pruned",
      "scope.pruned",
      "task.created",
      "task.created",
    ]);
    const ids = items.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(new Set(ids).size).toBe(4);
    stream.close();
    // Who was away for all of it learns that things are gone, and goes on with what comes then.
    for (const scope of scopes) await scope.call("pruneScope", { before: daemon().clock.instant(1), execute: true });
    const back = await follow(String(ids[0]));
    await back.take(1);
    await scopes[0]?.call("addTask", { title: "later" });
    const [resync, next] = await back.take(2);
    expect(resync).toMatchObject({ event: "resync" });
    expect(Number(resync?.id)).toBeGreaterThan(ids[3] as number);
    expect(next).toMatchObject({ id: String(Number(resync?.id) + 1), data: { type: "task.created" } });
    back.close();
  });

  it("tells who was away when events of one scope are gone and older ones of another are not", async () => {
    const [kept, pruned] = [(await busyScope()).scope, (await busyScope()).scope];
    const { eventSequence: away } = await daemon().admin.call("overview", {});
    await kept.call("addTask", { title: "kept" });
    await pruned.call("addTask", { title: "gone" });
    await pruned.call("pruneScope", { before: daemon().clock.instant(1), execute: true });
    const stream = await EventStream.open(`${daemon().address}/v1/admin/events?after=${away}`, {
      Authorization: `Bearer ${daemon().adminToken}`,
    });
    expect((await stream.take(1))[0]).toMatchObject({ event: "resync" });
    stream.close();
  });

  it("one at a time of a scope, while others may count and other scopes go on", async () => {
    const { scope } = await busyScope(100);
    const other = (await busyScope()).scope;
    const before = daemon().clock.instant(1);
    const calls = await Promise.allSettled([
      scope.call("pruneScope", { before, execute: true }),
      scope.call("pruneScope", { before, execute: true }),
      other.call("pruneScope", { before, execute: true }),
      scope.call("pruneScope", { before }),
    ]);
    const [first, second, elsewhere, counted] = calls;
    const done = [first, second].filter((call) => call?.status === "fulfilled");
    const refused = [first, second].filter((call) => call?.status === "rejected");
    expect(done).toHaveLength(1);
    expect(refused).toMatchObject([{ reason: { error: { code: "CONFLICT", details: { reason: "pruning" } } } }]);
    expect(elsewhere).toMatchObject({ status: "fulfilled", value: { records: { messages: 3 } } });
    expect(counted).toMatchObject({ status: "fulfilled" });
    // And it may be called again.
    await scope.call("pruneScope", { before, execute: true });
  });

  it("ends where the token it was asked for with is replaced, and somebody else can go on", async () => {
    const { scope } = await busyScope();
    const { scope: filled } = await busyScope();
    const messageId = (await filled.call("listMessages", {})).messages[0]?.id ?? "";
    daemon().sql((db) => {
      const copy = db.prepare(
        `INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, created_at, delivered_at,
           acknowledged_at, body, context)
         SELECT ?, scope_no, conversation_no, sender_no, recipient_no, mode, state, created_at, delivered_at,
           acknowledged_at, body, context FROM messages WHERE id = ?`,
      );
      for (let n = 0; n < 20_000; n += 1) copy.run(`copy-${n}`, messageId);
    });
    const before = daemon().clock.instant(1);
    const left = () =>
      daemon().sql(
        (db) =>
          db
            .prepare("SELECT COUNT(*) FROM messages m JOIN scopes s ON s.no = m.scope_no WHERE s.id = ?")
            .pluck()
            .get(filled.id) as number,
      );
    const pruning = filled.refused("pruneScope", { before, execute: true });
    // Once the first rows are gone, it is in the middle of it.
    const stream = await filled.call("listEvents", { after: await filled.revision(), waitMs: 10_000 });
    expect(stream.events.map(({ type }) => type)).toEqual(["scope.pruned"]);
    const { scopeToken } = await daemon().admin.call("rotateScopeToken", { scopeId: filled.id });
    expect(await pruning).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(left()).toBeGreaterThan(0);
    const { records } = await daemon().call("pruneScope", { before, execute: true }, { token: scopeToken });
    expect(records.messages).toBeGreaterThan(0);
    expect(left()).toBe(0);
    // Events that the first one was to take and did not come to are gone, too.
    const oldest = daemon().sql((db) =>
      db
        .prepare(
          "SELECT MIN(e.revision) > s.event_floor FROM events e JOIN scopes s ON s.no = e.scope_no WHERE s.id = ?",
        )
        .pluck()
        .get(filled.id),
    );
    expect(oldest).toBe(1);
    daemon().sql((db) => checkStored(db, 0));
    expect((await scope.call("listMessages", {})).messages).toHaveLength(3);
  });

  it("keeps where a scope came from", async () => {
    const { emptyArchive } = await import("../../support/fixtures.ts");
    const { importNew } = await import("../archives/archive-calls.ts");
    const scope = await importNew(daemon(), emptyArchive("came-from"));
    await scope.agent("ada");
    const { records } = await scope.call("pruneScope", { before: daemon().clock.instant(1), execute: true });
    expect(records).toEqual({ ...NOTHING, events: 1 });
    const types = daemon().sql((db) =>
      db
        .prepare("SELECT e.type FROM events e JOIN scopes s ON s.no = e.scope_no WHERE s.id = ? ORDER BY e.revision")
        .pluck()
        .all(scope.id),
    );
    expect(types).toEqual(["scope.imported", "scope.pruned"]);
  });

  it("is the owner's alone", async () => {
    const { scope, ada } = await busyScope();
    for (const name of ["pruneScope", "storageSummary"] as const) {
      const input = name === "pruneScope" ? { before: daemon().clock.instant(), execute: true } : {};
      expect(await ada.refused(name, input)).toMatchObject({ code: "PERMISSION_DENIED" });
      expect(await daemon().refused(name, input)).toMatchObject({ code: "UNAUTHENTICATED" });
      await scope.viaAdmin.call(name, input as never);
    }
  });
});
