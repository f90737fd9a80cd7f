import { beforeAll, describe, expect, test } from "vitest";
import { type OperationName, operationNames, operationOf } from "../../../protocol/index.ts";
import { credentialsFor, makeWorld, prepare, secretOf, type World } from "../../support/fixtures.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
let mine: World;
let theirs: World;

beforeAll(async () => {
  mine = await makeWorld(intercom());
  theirs = await makeWorld(intercom());
});

/** What a caller hears of things that are not in its scope, where that is not NOT_FOUND. */
const ANSWERS: Partial<Record<OperationName, unknown>> = {
  removeAgent: { removed: false },
  revokeConnector: { revoked: false },
  acknowledgeMessages: { acknowledged: 0 },
  acknowledgeHumanMessages: { acknowledged: 0 },
  deferMessages: { deferred: 0 },
  releaseInbox: { released: true },
  listEventsPage: { events: [] },
  sendMessage: "PERMISSION_DENIED",
};

/** A2A refuses in its own words, which tests of its own look at. */
const ofOneScope = operationNames.filter((name) => {
  const { authority, framing } = operationOf(name);
  return !["none", "admin"].includes(authority) && framing !== "a2a";
});

const REFERENCES =
  /^(to|left|right|agent|(agent|task|message|reservation|escalation|linkRequest|stream|publication|principal|connector)Ids?)$/;

/** Operations whose input names something that is already there. */
const naming = ofOneScope.filter((name) => Object.keys(operationOf(name).input.shape).some((f) => REFERENCES.test(f)));
const listing = ofOneScope.filter((name) => operationOf(name).method === "GET" && !naming.includes(name));

describe("naming things of another scope", () => {
  test.each(naming)("%s", async (name) => {
    const { input } = await prepare(theirs, name);
    const revision = await theirs.scope.revision();
    const answer = await intercom().send(name, input, credentialsFor(mine, operationOf(name).authority));
    expect(JSON.stringify(answer.body)).not.toContain(secretOf(theirs));
    const body = answer.body as { result?: unknown; error?: { code: string } };
    expect(body.result ?? body.error?.code).toEqual(ANSWERS[name] ?? "NOT_FOUND");
    expect(await theirs.scope.revision()).toBe(revision);
  });
});

describe("lists show nothing of another scope", () => {
  beforeAll(async () => {
    for (const name of [...naming, ...listing]) await prepare(theirs, name);
  });

  test.each(listing)("%s", async (name) => {
    const ask = async (world: World) =>
      JSON.stringify((await intercom().send(name, {}, credentialsFor(world, operationOf(name).authority))).body);
    for (const trace of [secretOf(theirs), theirs.scope.id, theirs.alice.id]) {
      expect(await ask(mine)).not.toContain(trace);
    }
    const own = await ask(theirs);
    const { scope, alice, outside } = theirs;
    expect([scope.id, alice.id, outside.publicationId].some((id) => own.includes(id))).toBe(true);
  });
});

test("an id two scopes use stands for two agents", async () => {
  const [left, right] = [await mine.scope.agent("twin"), await theirs.scope.agent("twin")];
  await theirs.scope.call("sendHumanMessage", { to: "twin", body: secretOf(theirs) });
  expect(await left.pull()).toEqual([]);
  expect((await right.pull()).map((message) => message.body)).toEqual([secretOf(theirs)]);
});

test("agents of two scopes cannot be linked", async () => {
  expect(await mine.scope.refused("linkAgents", { left: mine.alice.id, right: theirs.alice.id })).toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await mine.scope.refused("registerAgent", { displayName: "x", connectTo: [theirs.alice.id] })).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a task cannot wait for a task of another scope", async () => {
  const { id } = await theirs.alice.call("addTask", { title: "theirs" });
  expect(await mine.alice.refused("addTask", { title: "mine", dependencies: [id] })).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a reservation belongs to the execution that made it", async () => {
  await mine.bob.tell(mine.alice);
  const reservation = await mine.alice.call("reserveInbox", {});
  const reservationId = reservation?.id ?? "";
  expect(await mine.bob.refused("commitInbox", { reservationId })).toMatchObject({ code: "NOT_FOUND" });
  expect(await mine.bob.call("releaseInbox", { reservationId })).toEqual({ released: true });
  expect(await mine.alice.call("commitInbox", { reservationId })).toHaveLength(1);
});

test("a third agent of the same scope sees neither messages nor questions of others", async () => {
  const eve = await mine.scope.agent("eve");
  const messageId = await mine.alice.tell(mine.bob);
  const { id: escalationId } = await mine.alice.call("askHuman", { question: "may I?" });
  for (const [name, input] of [
    ["getReceipt", { messageId }],
    ["deadLetterMessage", { messageId, reason: "mine now" }],
    ["getEscalation", { escalationId }],
    ["cancelEscalation", { escalationId }],
  ] as const) {
    expect(await eve.refused(name, input), name).toMatchObject({ code: "NOT_FOUND" });
  }
  expect((await eve.call("listMyMessages", {})).messages).toEqual([]);
});
