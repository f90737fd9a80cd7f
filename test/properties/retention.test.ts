import fc from "fast-check";
import { it } from "vitest";
import { Bench } from "./bench.ts";
import { same } from "./commands.ts";
import { checkFile, checkStored, Invariants } from "./invariants.ts";
import { History, type Incident } from "./retention-history.ts";
import { forecast } from "./retention-model.ts";

const RUNS = Number(process.env.PROPERTY_RUNS ?? 25);
const incident: fc.Arbitrary<Incident> = fc.tuple(fc.nat(9999), fc.nat(9999), fc.nat(9999));
const incidents = fc.array(incident, { minLength: 40, maxLength: 160 });
/** Instants of a cut, as parts of the time that has passed; some of them lie ahead. */
const cuts = fc.array(
  // Not `fc.double`: nearly all doubles between 0 and 1 are nearly 0.
  fc.integer({ min: 0, max: 1_100 }).map((part) => part / 1_000),
  { minLength: 1, maxLength: 3 },
);

const options = {
  numRuns: RUNS,
  interruptAfterTimeLimit: 60_000,
  ...(process.env.PROPERTY_SEED ? { seed: Number(process.env.PROPERTY_SEED) } : {}),
};

async function withHistory(work: (history: History, began: number) => Promise<void>): Promise<void> {
  const bench = new Bench();
  try {
    const began = bench.clock.now();
    const history = await History.begin(bench);
    await work(history, began);
    checkFile(bench.database);
  } finally {
    await bench.close();
  }
}

const left = (rows: readonly { readonly no: number }[]) => rows.map(({ no }) => no);

/** Removes what was over at `before`, and compares with what the rules say. */
async function pruneAndCompare(history: History, before: string, check = () => {}): Promise<number> {
  const expected = forecast(history.stored(), Date.parse(before));
  same("the dry run", (await history.prune(before, false)).records, expected.counts);
  const revision = history.stored().revision;
  const result = await history.prune(before, true);
  same("what was removed", result.records, expected.counts);
  same("whether it was", [result.dryRun, result.before], [false, before]);
  const after = history.stored();
  same(
    "the messages that stay",
    after.messages.map(({ seq }) => seq),
    expected.messages,
  );
  same("the tasks that stay", left(after.tasks), expected.tasks);
  same("the questions that stay", left(after.escalations), expected.escalations);
  same(
    "the link requests that stay",
    after.linkRequests.map(({ seq }) => seq),
    expected.linkRequests,
  );
  same("the A2A tasks that stay", left(after.a2aTasks), expected.a2aTasks);
  const removed = Object.values(expected.counts).reduce((sum, count) => sum + count, 0);
  same("the floor of events", after.floor, removed === 0 ? history.stored().floor : expected.floor);
  same("the events of it", after.revision - revision, removed === 0 ? 0 : 1);
  same("events below the floor", after.events.filter((event) => event.revision <= after.floor).length, 0);
  check();
  // Once more finds nothing but, when the cut lies ahead, the event of the first time.
  const again = (await history.prune(before, true)).records;
  same(
    "what a second time finds",
    { ...again, events: Math.min(again.events, 1) - again.events },
    {
      messages: 0,
      tasks: 0,
      taskProgress: 0,
      escalations: 0,
      events: 0,
      a2aTasks: 0,
      a2aMessages: 0,
      linkRequests: 0,
    },
  );
  return removed;
}

async function checkEvents(history: History): Promise<void> {
  const { floor } = history.stored();
  const first = await history.bench.call("listEvents", history.scopeToken, { after: 0 });
  same("whether a reader from the start has missed something", first.resyncRequired, floor > 0);
  same("the oldest cursor", first.minimumCursor, floor);
  const next = await history.bench.call("listEvents", history.scopeToken, { after: first.nextRevision });
  same("whether it may go on", next.resyncRequired, false);
  const all = await history.bench.call("listEvents", history.scopeToken, { after: floor, limit: 1 });
  if (all.currentRevision > floor) same("the first event that is left", all.events[0]?.revision, floor + 1);
}

it("removes what the rules say, counts it before and after, and leaves what is left sound", async () => {
  let removed = 0;
  await fc.assert(
    fc.asyncProperty(incidents, cuts, incidents, async (first, at, then) => {
      await withHistory(async (history, began) => {
        const { bench } = history;
        const invariants = new Invariants(bench);
        for (const next of first) await history.happen(next);
        for (const part of at) {
          invariants.check();
          const before = new Date(began + Math.floor((bench.clock.now() - began) * part)).toISOString();
          removed += await pruneAndCompare(history, before, () => invariants.check());
          invariants.check();
          await checkEvents(history);
          for (const next of then.slice(0, 40)) await history.happen(next);
        }
        invariants.check();
      });
    }),
    options,
  );
  if (removed < RUNS) throw new Error(`Only ${removed} rows were removed in all: that proves nothing`);
}, 120_000);

it("stays sound when things happen between plan and removal, and a second removal finds the rest", async () => {
  await fc.assert(
    fc.asyncProperty(incidents, incidents, async (first, meanwhile) => {
      await withHistory(async (history) => {
        const { bench } = history;
        for (const next of first) await history.happen(next);
        const before = new Date(bench.clock.now() + 1).toISOString();
        let done = false;
        const pruning = history.prune(before, true).finally(() => {
          done = true;
        });
        for (const next of meanwhile) {
          if (done) break;
          await history.happen(next);
          checkStored(bench.database, 0);
        }
        await pruning;
        checkStored(bench.database, 0);
        await pruneAndCompare(history, new Date(bench.clock.now() + 1).toISOString());
        checkStored(bench.database, bench.clock.now());
      });
    }),
    options,
  );
}, 120_000);
