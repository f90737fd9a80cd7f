import { describe, expect, test } from "vitest";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

const add = async (actor: AgentActor | ScopeActor, title: string, ...dependencies: string[]) =>
  (await actor.call("addTask", { title, dependencies })).id;

const finish = async (agent: AgentActor, taskId: string) => {
  await agent.call("claimTask", { taskId });
  await agent.call("completeTask", { taskId });
};

test("a task waits for those it depends on, and is ready after the last", async () => {
  const scope = await intercom().scope();
  const [a, author] = [await scope.agent("a"), await scope.agent("author")];
  const [one, two] = [await add(author, "one"), await add(author, "two")];
  const taskId = await add(author, "both", one, two, one);
  expect(await a.call("getTask", { taskId })).toMatchObject({
    dependencies: [one, two],
    blockedBy: [one, two],
    ready: false,
  });
  expect(await a.refused("claimTask", { taskId })).toMatchObject({ code: "CONFLICT" });
  const first = await scope.eventsOf(() => finish(a, two));
  expect(first.slice(2)).toEqual([["task.dependency_completed", taskId, { dependency: two, ready: "false" }]]);
  expect(await a.call("getTask", { taskId })).toMatchObject({ blockedBy: [one], ready: false });
  expect(await author.pull()).toEqual([]);
  const second = await scope.eventsOf(() => finish(a, one));
  expect(second.slice(2, 3)).toEqual([["task.dependency_completed", taskId, { dependency: one, ready: "true" }]]);
  expect(await a.call("getTask", { taskId })).toMatchObject({ dependencies: [one, two], blockedBy: [], ready: true });
  expect(await author.pull()).toMatchObject([{ fromKind: "system", about: { kind: "task", id: taskId } }]);
  await finish(a, taskId);
});

test("what is done already does not block", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const one = await add(a, "one");
  await finish(a, one);
  expect(await a.call("addTask", { title: "t", dependencies: [one] })).toMatchObject({ ready: true, blockedBy: [] });
});

test("a task that depends on nothing there is not added", async () => {
  const scope = await intercom().scope();
  const one = await add(scope, "one");
  const events = await scope.eventsOf(async () => {
    const input = { title: "t", dependencies: [one, "task_unknown"] };
    expect(await scope.refused("addTask", input)).toMatchObject({ code: "NOT_FOUND" });
  });
  expect(events).toEqual([]);
  expect(await scope.call("listTasks", {})).toHaveLength(1);
});

describe("editing dependencies", () => {
  test("adds and removes, and says what changed", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const [one, two] = [await add(a, "one"), await add(a, "two")];
    const taskId = await add(a, "t", one);
    const events = await scope.eventsOf(async () => {
      const edited = await a.call("editTaskDependencies", { taskId, add: [two, two], remove: [one] });
      expect(edited).toMatchObject({ dependencies: [two], blockedBy: [two], ready: false });
      // Once more changes nothing.
      expect(await a.call("editTaskDependencies", { taskId, add: [two], remove: [one] })).toEqual(edited);
      expect(await a.call("editTaskDependencies", { taskId })).toEqual(edited);
      expect(await a.call("editTaskDependencies", { taskId, remove: [two] })).toMatchObject({ ready: true });
    });
    expect(events).toEqual([
      ["task.dependencies_changed", taskId, { added: "1", removed: "1", ready: "false" }],
      ["task.dependencies_changed", taskId, { added: "0", removed: "1", ready: "true" }],
    ]);
  });

  test("wakes whoever waits for work", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const one = await add(scope, "one");
    await a.call("claimTask", { taskId: one });
    const taskId = await add(scope, "t", one);
    const waiting = a.call("claimNextTask", { waitMs: 25_000 });
    await scope.call("editTaskDependencies", { taskId, remove: [one] });
    expect(await waiting).toMatchObject({ id: taskId });
  });

  test("refuses circles of every length, and changes nothing then", async () => {
    const scope = await intercom().scope();
    const first = await add(scope, "0");
    const chain = [first];
    for (let n = 1; n < 5; n += 1) chain.push(await add(scope, `${n}`, chain.at(-1) as string));
    const events = await scope.eventsOf(async () => {
      for (const dependency of chain.slice(1)) {
        const refusal = await scope.refused("editTaskDependencies", { taskId: first, add: [dependency] });
        expect(refusal).toMatchObject({ code: "CONFLICT", details: { dependency } });
      }
      const self = await scope.refused("editTaskDependencies", { taskId: first, add: [first] });
      expect(self).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/^add: /) });
      const unknown = await scope.refused("editTaskDependencies", { taskId: first, add: ["task_unknown"] });
      expect(unknown).toMatchObject({ code: "NOT_FOUND" });
    });
    expect(events).toEqual([]);
    expect(await scope.call("getTask", { taskId: first })).toMatchObject({ dependencies: [] });
    // Turning a pair around is no circle.
    const [second = ""] = chain.slice(1);
    await scope.call("editTaskDependencies", { taskId: second, remove: [first] });
    await scope.call("editTaskDependencies", { taskId: first, add: [second] });
  });

  test("a change that fails half way is undone", async () => {
    const scope = await intercom().scope();
    const [one, two] = [await add(scope, "one"), await add(scope, "two")];
    const taskId = await add(scope, "t", one);
    const dependant = await add(scope, "d", taskId);
    const input = { taskId, remove: [one], add: [two, dependant] };
    expect(await scope.refused("editTaskDependencies", input)).toMatchObject({ code: "CONFLICT" });
    expect(await scope.call("getTask", { taskId })).toMatchObject({ dependencies: [one] });
  });

  test("a claimed task is not made to wait", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const [one, done, taskId] = [await add(a, "one"), await add(a, "done"), await add(a, "t")];
    await finish(a, done);
    await a.call("claimTask", { taskId });
    expect(await a.refused("editTaskDependencies", { taskId, add: [one] })).toMatchObject({ code: "CONFLICT" });
    expect(await a.call("editTaskDependencies", { taskId, add: [done] })).toMatchObject({ dependencies: [done] });
  });
});

test("a cancelled dependency keeps a task blocked, and its author hears of it", async () => {
  const scope = await intercom().scope();
  const [author, other] = [await scope.agent("author"), await scope.agent("other")];
  const one = await add(other, "one");
  const taskId = await add(author, "t", one);
  const events = await scope.eventsOf(() => other.call("cancelTask", { taskId: one }));
  expect(events.map(([type]) => type)).toEqual(["task.cancelled", "task.dependency_cancelled", "message.accepted"]);
  expect(events[1]).toEqual(["task.dependency_cancelled", taskId, { dependency: one }]);
  expect(await author.call("getTask", { taskId })).toMatchObject({ blockedBy: [one], ready: false });
  expect(await author.pull()).toMatchObject([{ about: { kind: "task", id: taskId } }]);
  await author.call("editTaskDependencies", { taskId, remove: [one] });
  expect(await author.call("claimNextTask", {})).toMatchObject({ id: taskId });
});

test("nobody is told of what it did itself", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const [one, two] = [await add(a, "one"), await add(a, "two")];
  await add(a, "t", one);
  await add(a, "u", two);
  await finish(a, one);
  await a.call("cancelTask", { taskId: two });
  expect(await a.pull()).toEqual([]);
});
