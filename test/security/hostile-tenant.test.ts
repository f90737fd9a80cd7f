import { beforeAll, describe, expect, test } from "vitest";
import { type OperationName, operationOf } from "../../protocol/index.ts";
import type { AgentActor } from "../support/actors.ts";
import { credentialsFor, makeWorld, prepare, secretOf, type World } from "../support/fixtures.ts";
import type { Answer, CallOptions } from "../support/http.ts";
import { useDaemon } from "../support/use-daemon.ts";
import { comparable } from "./tenant/answers.ts";
import {
  COMPANIONS,
  callable,
  existing,
  type IdField,
  idFields,
  neverExisted,
  withValueAt,
} from "./tenant/id-fields.ts";
import { idsOf, rowsOf } from "./tenant/snapshot.ts";
import { watchStatements } from "./tenant/statements.ts";

/**
 * Somebody who has every credential of one scope and knows every id of another: nothing of the other can be read, changed
 * or found out, not even that an id exists. Generated from the operation table.
 */

const recorded = watchStatements();
const intercom = useDaemon();
let mine: World;
let theirs: World;

/** Every scope the intruder has had: a new one for each group, since in some it takes the names of others' things. */
const had: World[] = [];

async function intrude(): Promise<void> {
  mine = await makeWorld(intercom());
  had.push(mine);
}

beforeAll(async () => {
  theirs = await makeWorld(intercom());
  // There is something of every kind to be found.
  for (const name of targets) await prepare(theirs, name);
});

/** Ends the daemon, or never ends: nothing of one scope. */
const NOT_CALLED = new Set<OperationName>(["shutdown", "watchAllEvents"]);
const targets = callable.filter((name) => operationOf(name).authority !== "none" && !NOT_CALLED.has(name));
const references = targets
  .filter((name) => operationOf(name).authority !== "admin")
  .flatMap((name) => idFields(name).map((field) => ({ name, field, path: field.path })));

const WHO = [
  "right",
  "scope",
  "agent",
  "another agent",
  "reader of a stream",
  "publisher of a stream",
  "A2A client",
  "connector",
];

/** Everything the intruder can come with, and the credential the operation asks for. */
function credentials(name: OperationName, caller: AgentActor): [string, CallOptions][] {
  const { authority } = operationOf(name);
  const right =
    authority === "admin" ? [] : [["right", credentialsFor(mine, authority, caller)] as [string, CallOptions]];
  const all: [string, CallOptions][] = [
    ...right,
    ["scope", { token: mine.scope.token }],
    ["agent", { token: caller.token }],
    ["another agent", { token: mine.bob.token }],
    ["reader of a stream", { token: mine.outside.reader }],
    ["publisher of a stream", { token: mine.outside.publisher }],
    ["A2A client", { token: mine.outside.a2aClient }],
    ["connector", { token: mine.connector }],
  ];
  // The right one is among the others, too.
  return all.filter(([, { token }], index) => all.findIndex(([, other]) => other.token === token) === index);
}

function comesAs(name: OperationName, who: string): boolean {
  return credentials(name, mine.alice).some(([label]) => label === who);
}

/** An input of the intruder's that is right but for one field, and the credential to call with. */
async function attempt(name: OperationName, field: IdField, inList: "alone" | "with own", who: string) {
  const { input, caller } = await prepare(mine, name);
  const options = credentials(name, caller).find(([label]) => label === who)?.[1];
  const whole = { ...input, ...COMPANIONS[`${name}.${field.path}`]?.(mine) };
  const own = inList === "alone" ? [] : ((input[field.path] ?? []) as string[]);
  return options && { options, withId: (id: string) => withValueAt(whole, field.path, field.list ? [...own, id] : id) };
}

/** Calls with one id and then another, each time with a right input otherwise, and tells what was heard and done. */
async function both(
  name: OperationName,
  field: IdField,
  ids: readonly string[],
  inList: "alone" | "with own",
  who: string,
) {
  const heard: { answer: Answer; text: string; statements: string[] }[] = [];
  let ready = await attempt(name, field, inList, who);
  for (const id of ids) {
    if (!ready) return [];
    const { options, withId } = ready;
    const { value: answer, statements } = await recorded(() => intercom().send(name, withId(id), options));
    heard.push({ answer, text: comparable(answer, [id]), statements });
    // Who may not call has used up nothing of what was made ready.
    if (answer.status !== 401 && answer.status !== 403) ready = await attempt(name, field, inList, who);
  }
  return heard;
}

/** Traces of the other scope in a text, but for the id that was in the question. */
function traces(text: string, asked: readonly string[], known: ReadonlySet<string>): string[] {
  const found = [...known, secretOf(theirs)].filter((trace) => !asked.includes(trace) && text.includes(trace));
  // The id of an agent may be part of another id that was asked for.
  return found.filter((trace) => !asked.some((id) => id.includes(trace)));
}

test("the harness knows how to fill every field that takes an id", async () => {
  const unknown: string[] = [];
  for (const { name, field } of references)
    await existing(theirs, name, field).catch((error: Error) => unknown.push(error.message));
  expect(unknown).toEqual([]);
  expect(references.length).toBeGreaterThan(30);
});

describe("an id of another scope is like one that never existed:", () => {
  beforeAll(intrude);

  test.each(references)("$name, $path", async ({ name, field }) => {
    const id = await existing(theirs, name, field);
    const known = idsOf(intercom(), theirs.scope.id);
    const ghost = neverExisted(id, known);
    const before = rowsOf(intercom(), theirs.scope.id);
    const cases = field.list ? (["alone", "with own"] as const) : (["alone"] as const);
    for (const who of WHO) {
      for (const each of cases) {
        if (!comesAs(name, who)) continue;
        // The first call may bring about what later ones find; the other two have the same to do.
        const [, ghostly, foreign] = await both(name, field, [neverExisted(ghost, known), ghost, id], each, who);
        if (!ghostly || !foreign) continue;
        expect(foreign.text, `${who}, ${each}`).toBe(ghostly.text);
        expect(foreign.statements, `${who}, ${each}: the same work`).toEqual(ghostly.statements);
        expect(foreign.answer.status).toBeLessThan(500);
        // Otherwise the id was not even looked at.
        if (who === "right") expect(foreign.answer.status).not.toBe(400);
        expect(traces(JSON.stringify(foreign.answer.body) ?? "", [id], known)).toEqual([]);
      }
    }
    expect(rowsOf(intercom(), theirs.scope.id)).toEqual(before);
  });
});

describe("the header that names a scope is worth nothing without the admin credential:", () => {
  beforeAll(intrude);

  test.each(targets)("%s", async (name) => {
    const known = idsOf(intercom(), theirs.scope.id);
    const before = rowsOf(intercom(), theirs.scope.id);
    const ghost = neverExisted(theirs.scope.id, known);
    for (const who of ["right", "scope", "agent"]) {
      if (!comesAs(name, who)) continue;
      const answers: { text: string; statements: string[] }[] = [];
      // The first one may change the caller; the other two have the same to do.
      for (const scopeId of [ghost, ghost, theirs.scope.id]) {
        const { input, caller } = await prepare(mine, name);
        const options = credentials(name, caller).find(([label]) => label === who)?.[1];
        if (!options) continue;
        const { value, statements } = await recorded(() => intercom().send(name, input, { ...options, scopeId }));
        expect(traces(JSON.stringify(value.body) ?? "", [], known)).toEqual([]);
        answers.push({ text: comparable(value, [scopeId]), statements });
      }
      expect(answers[2], who).toEqual(answers[1]);
    }
    expect(rowsOf(intercom(), theirs.scope.id)).toEqual(before);
  });
});

describe("whatever the intruder calls with everything of its own shows and changes nothing of others:", () => {
  beforeAll(intrude);

  test.each(targets)("%s", async (name) => {
    const known = idsOf(intercom(), theirs.scope.id);
    const before = rowsOf(intercom(), theirs.scope.id);
    const { input, caller } = await prepare(mine, name);
    // From the first page and from wherever the other scope's ids would stand among the intruder's.
    const places: Record<string, unknown>[] = [{}];
    for (const cursor of ["after", "before"]) {
      if (!(cursor in operationOf(name).input.shape)) continue;
      places.push(...["0", "1", ...[...known].slice(0, 20)].map((value) => ({ [cursor]: value })));
    }
    // Bob is still needed: what he calls with an input of his own may be to retire.
    for (const [who, options] of credentials(name, caller).filter(([label]) => label !== "another agent")) {
      for (const place of places) {
        const answer = await intercom().send(name, { ...input, ...place }, options);
        expect(answer.status).toBeLessThan(500);
        const asked = Object.values(place) as string[];
        expect(traces(JSON.stringify(answer.body) ?? "", asked, known), `${who} ${JSON.stringify(place)}`).toEqual([]);
        if (operationOf(name).method !== "GET") break;
      }
    }
    expect(rowsOf(intercom(), theirs.scope.id)).toEqual(before);
  });
});

describe("what only the admin may do, no credential of a scope does:", () => {
  beforeAll(intrude);

  const ofAdmin = callable.filter((name) => operationOf(name).authority === "admin");

  test.each(ofAdmin)("%s", async (name) => {
    const { input } = await prepare(mine, name);
    const scopes = await intercom().admin.call("listScopes", {});
    for (const [who, options] of credentials(name, mine.alice)) {
      for (const scopeId of [undefined, mine.scope.id, theirs.scope.id]) {
        const refusal = await intercom().refused(name, input, { ...options, scopeId });
        expect(refusal, who).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "unknown" } });
      }
    }
    expect(await intercom().admin.call("listScopes", {})).toEqual(scopes);
  });
});

test("after all of this the intruder's own history tells nothing of the other scope", async () => {
  const known = idsOf(intercom(), theirs.scope.id);
  expect(had).toHaveLength(4);
  for (const world of had) {
    const history = JSON.stringify(await world.scope.events());
    // Names the intruder has given to things of its own are its own.
    expect(traces(history, [...idsOf(intercom(), world.scope.id)], known)).toEqual([]);
  }
});

test("the other scope is as it was: its owner and agents go on", async () => {
  expect(await theirs.scope.call("getScope", {})).toMatchObject({ scopeId: theirs.scope.id });
  expect((await theirs.alice.ready()).ready).toBe(true);
  expect((await theirs.bob.ready()).ready).toBe(true);
});
