import { expect, test } from "vitest";
import { ERROR_CODES, type OperationName, operationNames, operationOf } from "../../../protocol/index.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { credentialsFor, makeWorld, prepare } from "../../support/fixtures.ts";
import { resultOf } from "../../support/http.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { ROUTES_0_1 } from "../conformance/routes-0.1.ts";
import { sendAsGuest } from "./guest.ts";
import { problemsOf, RESULTS } from "./shapes-0.1.ts";

const daemon = useDaemon({ octoberBusPort: 0 });

/** Operations whose answer is no JSON of 0.1's own: files, and shapes of A2A. */
const OTHERWISE = ["exportScope", "backup", "getAgentCard", "sendA2aMessage"] as const;

function routeOf(name: OperationName): string {
  const { method, path } = operationOf(name);
  return `${method} ${path}`.replace(/\{\w+\}/g, "{}");
}

const operations01 = operationNames.filter((name) => ROUTES_0_1.includes(routeOf(name)));

test("every operation of 0.1 has a shape", () => {
  expect(operations01.length).toBe(ROUTES_0_1.length);
  expect([...Object.keys(RESULTS), ...OTHERWISE].sort()).toEqual([...operations01].sort());
});

test.each(operations01.filter((name) => RESULTS[name] && name !== "shutdown"))("%s", async (name) => {
  const world = await makeWorld(daemon());
  const { input, caller } = await prepare(world, name);
  const { authority, status, framing } = operationOf(name);
  const answer = await sendAsGuest(daemon(), name, input, credentialsFor(world, authority, caller));
  expect(answer).toMatchObject({ status });
  const body = answer.body as Record<string, unknown>;
  if (framing !== "bare") expect(Object.keys(body).sort()).toEqual(["ok", "result"]);
  const result = framing === "bare" ? body : body.result;
  expect(problemsOf(RESULTS[name] as string, result)).toEqual([]);
  // A list that is empty proves nothing about what is in it.
  if (Array.isArray(result) && !["listTaskProgress", "listTasks", "listEscalations"].includes(name)) {
    expect(result.length).toBeGreaterThan(0);
  }
});

test("lists that the walk above left empty", async () => {
  const { scope, alice, outside } = await makeWorld(daemon());
  const { id: taskId } = await alice.call("addTask", { title: "Write", requires: ["writing"], priority: "high" });
  await alice.call("addTask", { title: "Read", dependencies: [taskId] });
  await alice.call("claimTask", { taskId: (await alice.call("addTask", { title: "Think" })).id });
  const { tasks } = await scope.call("listTasksPage", {});
  const claimed = tasks.find(({ status }) => status === "claimed")?.id as string;
  await alice.call("addTaskProgress", { taskId: claimed, kind: "note", text: "Thinking" });
  await alice.call("askHuman", { question: "Which?", options: ["this", "that"], urgency: "high", expiresInMs: 60_000 });
  await alice.call("publishOutput", {
    streamId: outside.streamId,
    contentType: "application/json",
    value: { done: true },
    reference: { uri: "https://example.com/", title: "More" },
  });
  const inputs: Partial<Record<OperationName, Record<string, unknown>>> = {
    listTasks: {},
    listTasksPage: { limit: 1 },
    listTaskProgress: { taskId: claimed },
    listEscalations: {},
    listOutputValues: { streamId: outside.streamId },
    latestOutput: { streamId: outside.streamId },
    storageSummary: {},
    listEvents: { limit: 100 },
  };
  for (const [key, input] of Object.entries(inputs)) {
    const name = key as OperationName;
    const answer = await sendAsGuest(daemon(), name, input, { token: scope.token });
    const { result } = answer.body as { result: unknown };
    expect([name, problemsOf(RESULTS[name] as string, result)]).toEqual([name, []]);
    const lists = [result, ...Object.values(result as object)].filter(Array.isArray) as unknown[][];
    expect([name, lists.some((list) => list.length === 0)]).toEqual([name, false]);
  }
});

test.each(["getAgentCard", "sendA2aMessage"] as const)("%s: the same as at the other listener", async (name) => {
  const world = await makeWorld(daemon());
  const { input, caller } = await prepare(world, name);
  const { authority } = operationOf(name);
  const answer = await sendAsGuest(daemon(), name, input, credentialsFor(world, authority, caller));
  expect(resultOf(name, answer)).toBeTypeOf("object");
});

test("an export is an archive without extensions, and a backup is a database", async () => {
  const world = await makeWorld(daemon());
  const admin = { token: daemon().adminToken };
  const { input } = await prepare(world, "exportScope");
  const archive = await sendAsGuest(daemon(), "exportScope", input, admin);
  expect(archive).toMatchObject({
    status: 200,
    body: { ok: true, result: { format: "october-bus.scope", version: 2 } },
  });
  expect((archive.body as { result: object }).result).not.toHaveProperty("extensions");
  const backup = await sendAsGuest(daemon(), "backup", {}, admin);
  expect(String(backup.body)).toMatch(/^SQLite format 3/);
});

test("a refusal has a code of 0.1 and its status", async () => {
  const { scope, alice } = await makeWorld(daemon());
  const answers = [
    await sendAsGuest(daemon(), "listAgents", {}, { token: alice.token }),
    await sendAsGuest(daemon(), "listAgents", {}, {}),
    await sendAsGuest(daemon(), "getReceipt", { messageId: "msg_none" }, { token: alice.token }),
    await sendAsGuest(daemon(), "addTask", { title: "" }, { token: scope.token }),
    await sendAsGuest(daemon(), "addTask", { title: "x", surprise: 1 }, { token: scope.token }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 401, 404, 400, 400]);
  for (const { body } of answers) {
    const { ok, error } = body as { ok: boolean; error: { code: string; message: string } };
    expect(ok).toBe(false);
    expect(ERROR_CODES).toContain(error.code);
    expect(error.message).not.toBe("");
  }
});

test("shutdown stops the whole daemon", async () => {
  const intercom = await TestDaemon.start({ octoberBusPort: 0 });
  const answer = await sendAsGuest(intercom, "shutdown", {}, { token: intercom.adminToken });
  expect(answer).toMatchObject({ status: 202, body: { ok: true, result: { stopping: true } } });
  await intercom.daemon.stopped;
  await intercom.close();
});
