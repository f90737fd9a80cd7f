import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { EVENT_TYPES, type Event, operationOf } from "../../../protocol/index.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import { TestDaemon as Daemon } from "../../support/daemon.ts";
import { resultOf } from "../../support/http.ts";
import { a2aRows } from "./event-walk/a2a.ts";
import { drawnTransitions } from "./event-walk/diagrams.ts";
import { failingCalls } from "./event-walk/failing-calls.ts";
import { BreakableStores, FAULTS } from "./event-walk/faults.ts";
import { memberRows } from "./event-walk/members.ts";
import { messageRows } from "./event-walk/messages.ts";
import { outsideRows } from "./event-walk/outside.ts";
import { ANY_ID, type Row } from "./event-walk/rows.ts";
import { type Act, type AnyCall, type Expected, Stage } from "./event-walk/stage.ts";
import { taskRows } from "./event-walk/tasks.ts";

/**
 * Makes every transition of every state machine and compares what was recorded. A transition and its events are one: a
 * call that fails, or a store that breaks, leaves neither.
 */

const ROWS: readonly Row[] = [...memberRows, ...messageRows, ...taskRows, ...outsideRows, ...a2aRows];

let intercom: TestDaemon;
let stores: BreakableStores;
/** Texts and secrets that must be in no event. */
const texts: string[] = [];
const walked: Event[] = [];

beforeAll(async () => {
  stores = new BreakableStores();
  intercom = await Daemon.start();
});
// What a row has left waiting falls due now, so that no other row sees it.
afterEach(() => intercom.advance(31_000));
afterAll(async () => {
  await intercom?.close();
  stores.restore();
});

const schemas = join(import.meta.dirname, "../../../protocol/generated/schemas");
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
ajv.addFormat("date-time", (value: string) => !Number.isNaN(Date.parse(value)));
ajv.addFormat("uri", (value: string) => URL.canParse(value));
ajv.addVocabulary(["x-maxBytes", "x-form"]);
for (const name of ["objects.json", "events.json"]) {
  ajv.addSchema(JSON.parse(readFileSync(join(schemas, name), "utf8")) as object, name);
}

/** Why an event is not what the schema of its type says; undefined when it is. */
function problemOf(event: Event): string | undefined {
  const validate = ajv.getSchema(`events.json#/$defs/${event.type}`);
  if (!validate) return `no schema of ${event.type}`;
  return validate(event) ? undefined : ajv.errorsText(validate.errors);
}

interface StoredEvent extends Event {
  readonly seq: number;
  readonly scopeNo: number;
}

/** Events after a sequence number, of all scopes, as they are stored. */
function eventsAfter(seq: number): StoredEvent[] {
  const rows = intercom.sql((db) =>
    db
      .prepare<[number], Record<string, unknown>>(
        `SELECT e.seq, e.scope_no AS scopeNo, e.id, COALESCE(s.id, e.subject_id) AS scopeId, e.type,
                e.subject_id AS subjectId, e.revision, e.attributes, e.created_at AS createdAt
           FROM events e LEFT JOIN scopes s ON s.no = e.scope_no WHERE e.seq > ? ORDER BY e.seq`,
      )
      .all(seq),
  );
  return rows.map((row) => ({
    ...(row as unknown as StoredEvent),
    attributes: JSON.parse(row.attributes as string) as Record<string, string>,
    createdAt: new Date(row.createdAt as number).toISOString(),
  }));
}

/** Where the history stands: the newest sequence number, and the newest revision of each scope. */
interface Position {
  readonly seq: number;
  readonly revisions: ReadonlyMap<number, number>;
}

function position(): Position {
  return intercom.sql((db) => {
    const seq = db.prepare<[], number>("SELECT COALESCE(MAX(seq), 0) FROM events").pluck().get() as number;
    const rows = db
      .prepare<[], { no: number; revision: number }>(
        `SELECT no, revision FROM scopes
         UNION ALL SELECT scope_no, MAX(revision) FROM events WHERE scope_no = 0 GROUP BY scope_no`,
      )
      .all();
    return { seq, revisions: new Map(rows.map(({ no, revision }) => [no, revision])) };
  });
}

/** Everything stored, as one text. */
function everything(): string {
  return intercom.sql((db) => {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck();
    return JSON.stringify(tables.all().map((table) => [table, db.prepare(`SELECT * FROM "${table}"`).all()]));
  });
}

/** Does what an act says; gives the status of the answer. */
async function perform(act: Act, key?: string): Promise<{ status: number; answer?: unknown }> {
  if ("passesMs" in act) {
    const { status, body } = await intercom.send("overview", {}, { token: intercom.adminToken });
    return { status, answer: body };
  }
  const answer = await intercom.send(act.name, act.input, { ...act.credentials, key });
  // The same archive again is answered with another success than the first time.
  const again = act.name === "importScope" && answer.status === 200;
  return { status: answer.status, answer: answer.status < 300 && !again ? resultOf(act.name, answer) : answer.body };
}

async function changesNothing(work: () => Promise<void>): Promise<void> {
  const before = everything();
  await work();
  expect(everything() === before, "what is stored has changed").toBe(true);
}

function expectRecorded({ seq, revisions }: Position, expected: readonly Expected[]): void {
  const events = eventsAfter(seq);
  const short = events.map(({ type, subjectId, attributes }) => [type, subjectId, attributes]);
  expect(short).toEqual(expected.map(([type, id, more]) => [type, id === ANY_ID ? expect.any(String) : id, more]));
  const reached = new Map(revisions);
  for (const event of events) {
    expect(problemOf(event), JSON.stringify(event)).toBeUndefined();
    const next = (reached.get(event.scopeNo) ?? 0) + 1;
    expect(event.revision, `revision of ${event.type}`).toBe(next);
    reached.set(event.scopeNo, next);
  }
  walked.push(...events);
}

/** Whether doing it again must change nothing: by its key, or by its nature. */
function repeatable(act: Act): act is AnyCall {
  return !("passesMs" in act) && operationOf(act.name).idempotency !== "none";
}

describe.each(ROWS.map((row) => ({ name: [row.transitions.join("; "), row.what].filter(Boolean).join(", "), row })))(
  "$name",
  ({ row }) => {
    test("is recorded exactly, and only when it happens", async () => {
      const stage = await Stage.set(intercom, texts);
      const act = await row.prepare(stage);
      const calls = "passesMs" in act ? [] : failingCalls(act);
      await changesNothing(async () => {
        for (const call of calls) {
          const { status, body } = await intercom.send(call.name, call.input, call.credentials);
          if (!call.mayBeAbsent) expect(status, `${call.why}: ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(400);
          expect(status, `${call.why}: ${JSON.stringify(body)}`).toBeLessThan(500);
        }
      });
      if ("passesMs" in act) intercom.clock.advance(act.passesMs);
      for (const fault of row.faults ?? FAULTS) {
        await changesNothing(() =>
          stores.during(intercom, fault, async () => expect((await perform(act)).status, fault).toBe(500)),
        );
      }

      const before = position();
      const key =
        repeatable(act) && operationOf(act.name).idempotency === "key" ? `key of ${stage.scope.id}` : undefined;
      const { status, answer } = await perform(act, key);
      expect(status, JSON.stringify(answer)).toBeLessThan(300);
      expectRecorded(before, act.expected(answer));
      if (!repeatable(act)) return;
      const after = position();
      const again = await perform(act, key);
      expect(again.status, JSON.stringify(again.answer)).toBeLessThan(300);
      expectRecorded(after, []);
    }, 120_000);
  },
);

describe("the walk", () => {
  test("goes over every transition that is drawn, and no other", () => {
    const made = new Set(ROWS.flatMap(({ transitions }) => transitions));
    expect([...made].toSorted()).toEqual(drawnTransitions().toSorted());
  });

  test("meets every type of event", () => {
    const types = new Set(walked.map(({ type }) => type));
    expect(EVENT_TYPES.filter((type) => !types.has(type))).toEqual([]);
  });

  test("finds no content and no secret in any event", () => {
    const all = JSON.stringify([...walked, ...eventsAfter(0)]);
    expect(texts.length).toBeGreaterThan(ROWS.length * 5);
    expect(texts.filter((text) => all.includes(text))).toEqual([]);
  });
});
