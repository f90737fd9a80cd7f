import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

test("a task is added, claimed, reported on and finished, and every step shows in task and events", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const createdAt = intercom().clock.instant();
  let taskId = "";
  const events = await scope.eventsOf(async () => {
    const task = await a.call("addTask", { title: "Write ü", description: "all of it", priority: "high" });
    taskId = task.id;
    expect(task).toEqual({
      id: expect.stringMatching(/^task_[0-9a-f]{32}$/),
      scopeId: scope.id,
      title: "Write ü",
      description: "all of it",
      createdBy: "a",
      status: "open",
      priority: "high",
      requires: [],
      dependencies: [],
      blockedBy: [],
      ready: true,
      recentProgress: [],
      createdAt,
      updatedAt: createdAt,
    });
    await intercom().advance(1000);
    expect(await a.call("claimTask", { taskId })).toMatchObject({
      status: "claimed",
      claimedBy: "a",
      claimedExecutionId: a.executionId,
      ready: false,
      updatedAt: intercom().clock.instant(),
    });
    const progress = { taskId, kind: "blocker" as const, text: "need a key" };
    expect(await a.call("addTaskProgress", progress)).toEqual({
      ...progress,
      sequence: 1,
      agentId: "a",
      executionId: a.executionId,
      createdAt: intercom().clock.instant(),
    });
    expect(await a.call("addTaskProgress", { ...progress, kind: "note" })).toMatchObject({ sequence: 2 });
    expect(await a.call("completeTask", { taskId, note: "found one" })).toMatchObject({
      status: "done",
      claimedBy: "a",
      claimedExecutionId: a.executionId,
      note: "found one",
      recentProgress: [{ sequence: 1 }, { sequence: 2 }],
    });
  });
  const by = { executionId: a.executionId };
  expect(events).toEqual([
    ["task.created", taskId, { createdBy: "a", status: "open" }],
    ["task.claimed", taskId, { claimedBy: "a", ...by, status: "claimed" }],
    ["task.progress_added", taskId, { agentId: "a", ...by, kind: "blocker", sequence: "1" }],
    ["task.progress_added", taskId, { agentId: "a", ...by, kind: "note", sequence: "2" }],
    ["task.completed", taskId, { claimedBy: "a", ...by, status: "done" }],
  ]);
  expect(await scope.call("listTaskProgress", { taskId })).toMatchObject([{ kind: "blocker" }, { kind: "note" }]);
});

describe("the owner's tasks", () => {
  test("are nobody's, and the owner may change and cancel any", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const own = await scope.call("addTask", { title: "t" });
    expect(own.createdBy).toBeNull();
    const { id: taskId } = await a.call("addTask", { title: "theirs" });
    expect(await scope.call("updateTask", { taskId, title: "changed" })).toMatchObject({ title: "changed" });
    expect(await scope.call("cancelTask", { taskId })).toMatchObject({ status: "cancelled" });
    for (const name of ["updateTask", "editTaskDependencies", "cancelTask"] as const) {
      expect(await a.refused(name, { taskId: own.id })).toMatchObject({ code: "PERMISSION_DENIED" });
    }
  });
});

describe("claims", () => {
  test("belong to one execution", async () => {
    const scope = await intercom().scope();
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    const { id: taskId } = await a.call("addTask", { title: "t" });
    await a.call("claimTask", { taskId });
    for (const agent of [a, b]) {
      const taken = { code: "CONFLICT", details: { status: "claimed", claimedBy: "a" } };
      expect(await agent.refused("claimTask", { taskId })).toMatchObject(taken);
    }
    const inputs = {
      releaseTask: { taskId },
      completeTask: { taskId },
      addTaskProgress: { taskId, kind: "note", text: "x" },
    } as const;
    for (const [name, input] of Object.entries(inputs)) {
      expect(await b.refused(name as keyof typeof inputs, input)).toMatchObject({ code: "CONFLICT" });
    }
  });

  test("are given back, and then anybody may take the task", async () => {
    const scope = await intercom().scope();
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    const { id: taskId } = await a.call("addTask", { title: "t" });
    await a.call("claimTask", { taskId });
    const events = await scope.eventsOf(async () => {
      const task = await a.call("releaseTask", { taskId });
      expect(task).toMatchObject({ status: "open", ready: true });
      expect(task).not.toHaveProperty("claimedBy");
    });
    expect(events).toEqual([
      [
        "task.released",
        taskId,
        { previousClaimedBy: "a", executionId: a.executionId, reason: "released", status: "open" },
      ],
    ]);
    expect(await a.refused("releaseTask", { taskId })).toMatchObject({ code: "CONFLICT" });
    expect(await b.call("claimTask", { taskId })).toMatchObject({ claimedBy: "b" });
  });

  test("end with the lease, and both sides are told", async () => {
    const scope = await intercom().scope();
    const author = await scope.agent("author");
    const worker = await scope.agent("worker", { leaseMs: 30_000 });
    const { id: taskId } = await author.call("addTask", { title: "t" });
    await worker.call("claimTask", { taskId });
    await author.call("heartbeat", { lifecycle: "idle", ready: false, leaseMs: 60_000 });
    const events = await scope.eventsOf(() => intercom().advance(30_000));
    expect(events.map(([type]) => type)).toEqual([
      "task.released",
      "message.accepted",
      "message.accepted",
      "agent.lease_expired",
    ]);
    expect(events[0]?.[2]).toEqual({
      previousClaimedBy: "worker",
      executionId: worker.executionId,
      reason: "execution_expired",
      cause: "expired",
      status: "open",
    });
    const notice = { from: "intercom", fromKind: "system", mode: "notify", about: { kind: "task", id: taskId } };
    expect(await author.pull()).toMatchObject([{ ...notice, body: expect.stringContaining("worker") }]);
    const back = await scope.agent("worker");
    const [lost] = await back.pull();
    expect(lost).toMatchObject(notice);
    // Nobody needs to hear of it after a week.
    expect(lost?.expiresAt).toBe(new Date(Date.parse(lost?.createdAt ?? "") + LIMITS.noticeLifetimeMs).toISOString());
    await back.call("claimTask", { taskId });
  });

  test.each([
    ["retire", "retired"],
    ["rotate", "rotated"],
    ["remove", "removed"],
  ])("end when executions end by other means: %s", async (how, cause) => {
    const scope = await intercom().scope();
    const a = await scope.agent("a", { notices: false });
    const { id: taskId } = await a.call("addTask", { title: "t" });
    await a.call("claimTask", { taskId });
    const before = await scope.revision();
    let owner = scope;
    if (how === "retire") await a.call("retire", {});
    if (how === "remove") await scope.call("removeAgent", { agentId: "a" });
    if (how === "rotate") {
      await intercom().admin.call("rotateScopeToken", { scopeId: scope.id });
      owner = scope.viaAdmin;
    }
    const [released] = await owner.events(before);
    expect(released).toMatchObject({ type: "task.released", subjectId: taskId, attributes: { cause } });
    expect(await owner.call("getTask", { taskId })).toMatchObject({ status: "open" });
  });
});

describe("claiming whatever is next", () => {
  test("takes the most pressing first, then the oldest", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    for (const [title, priority] of [
      ["4", "low"],
      ["2", "normal"],
      ["1", "high"],
      ["3", "normal"],
      ["0", "urgent"],
    ] as const) {
      await scope.call("addTask", { title, priority });
    }
    const taken: (string | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) taken.push((await a.call("claimNextTask", {}))?.title);
    expect(taken).toEqual(["0", "1", "2", "3", "4", undefined]);
  });

  test("takes what the agent is able to do", async () => {
    const scope = await intercom().scope();
    const [a, b] = [
      await scope.agent("a"),
      await scope.agent("b", { capabilities: [{ name: "go" }, { name: "rust" }] }),
    ];
    const { id: taskId } = await scope.call("addTask", {
      title: "t",
      requires: ["go", "rust", "go"],
      priority: "urgent",
    });
    const simple = await scope.call("addTask", { title: "simple" });
    expect((await scope.call("getTask", { taskId })).requires).toEqual(["go", "rust"]);
    expect(await a.refused("claimTask", { taskId })).toMatchObject({
      code: "PERMISSION_DENIED",
      details: { missing: ["go", "rust"] },
    });
    expect(await a.call("claimNextTask", {})).toMatchObject({ id: simple.id });
    expect(await a.call("claimNextTask", {})).toBeNull();
    expect(await b.call("claimNextTask", {})).toMatchObject({ id: taskId });
  });

  test("waits until there is something", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const first = await scope.call("addTask", { title: "first" });
    await a.call("claimTask", { taskId: first.id });
    const then = await scope.call("addTask", { title: "then", dependencies: [first.id] });
    const b = await scope.agent("b");
    const waiting = b.call("claimNextTask", { waitMs: 25_000 });
    await a.call("completeTask", { taskId: first.id });
    expect(await waiting).toMatchObject({ id: then.id, claimedBy: "b" });
    const nothing = b.call("claimNextTask", { waitMs: 20 });
    expect(await nothing).toBeNull();
  });

  test("wakes when a task is added, released, or asks for less", async () => {
    const scope = await intercom().scope();
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    const { id: taskId } = await scope.call("addTask", { title: "t", requires: ["wings"] });
    let waiting = b.call("claimNextTask", { waitMs: 25_000 });
    await scope.call("updateTask", { taskId, requires: [] });
    expect(await waiting).toMatchObject({ id: taskId });
    waiting = a.call("claimNextTask", { waitMs: 25_000 });
    await b.call("releaseTask", { taskId });
    expect(await waiting).toMatchObject({ id: taskId });
    waiting = b.call("claimNextTask", { waitMs: 25_000 });
    const { id } = await scope.call("addTask", { title: "new" });
    expect(await waiting).toMatchObject({ id });
  });

  test("gives each task to one of many", async () => {
    const scope = await intercom().scope();
    const names = Array.from({ length: 8 }, (_, n) => `w${n}`);
    const workers = await Promise.all(names.map((name) => scope.agent(name)));
    for (let n = 0; n < 5; n += 1) await scope.call("addTask", { title: `t${n}` });
    const taken = await Promise.all(workers.map((worker) => worker.call("claimNextTask", {})));
    const ids = taken.flatMap((task) => (task ? [task.id] : []));
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
  });
});

describe("changing a task", () => {
  test("changes what is named, while it is unfinished", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const { id: taskId } = await a.call("addTask", { title: "t", description: "d" });
    const events = await scope.eventsOf(async () => {
      const changed = { title: "T", priority: "low" as const, requires: ["x"] };
      expect(await a.call("updateTask", { taskId, ...changed })).toMatchObject({ ...changed, description: "d" });
      expect(await a.call("updateTask", { taskId, description: "" })).toMatchObject({ ...changed, description: "" });
    });
    expect(events).toEqual([
      ["task.updated", taskId, { status: "open" }],
      ["task.updated", taskId, { status: "open" }],
    ]);
    await a.call("cancelTask", { taskId });
    expect(await a.refused("updateTask", { taskId, title: "late" })).toMatchObject({
      code: "CONFLICT",
      details: { status: "cancelled" },
    });
  });
});

describe("cancelling a task", () => {
  test("says why, and tells the one who works on it", async () => {
    const scope = await intercom().scope();
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    const { id: taskId } = await a.call("addTask", { title: "t" });
    await b.call("claimTask", { taskId });
    const events = await scope.eventsOf(async () => {
      const task = await a.call("cancelTask", { taskId, reason: "not needed" });
      expect(task).toMatchObject({ status: "cancelled", cancelReason: "not needed", ready: false });
      expect(task).not.toHaveProperty("claimedBy");
    });
    expect(events.map(([type]) => type)).toEqual(["task.cancelled", "message.accepted"]);
    expect(events[0]).toEqual(["task.cancelled", taskId, { previousClaimedBy: "b", status: "cancelled" }]);
    expect(await b.pull()).toMatchObject([{ fromKind: "system", about: { kind: "task", id: taskId } }]);
    expect(await b.refused("completeTask", { taskId })).toMatchObject({ code: "CONFLICT" });
    expect(await a.refused("cancelTask", { taskId })).toMatchObject({ code: "CONFLICT" });
    expect(await a.refused("claimTask", { taskId })).toMatchObject({ code: "CONFLICT" });
  });

  test("leaves a finished one as it is", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const { id: taskId } = await a.call("addTask", { title: "t" });
    await a.call("claimTask", { taskId });
    await a.call("completeTask", { taskId });
    for (const name of ["cancelTask", "claimTask", "completeTask", "releaseTask"] as const) {
      expect(await a.refused(name, { taskId }), name).toMatchObject({ code: "CONFLICT", details: { status: "done" } });
    }
  });
});

describe("lists", () => {
  test("show tasks by creation time, by readiness, by state and in pages", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const add = async (title: string, dependencies: string[] = []) =>
      (await a.call("addTask", { title, dependencies })).id;
    const done = await add("done");
    await a.call("claimTask", { taskId: done });
    await a.call("completeTask", { taskId: done });
    const open = await add("open");
    const blocked = await add("blocked", [open]);
    const claimed = await add("claimed");
    await a.call("claimTask", { taskId: claimed });
    const cancelled = await add("cancelled");
    await a.call("cancelTask", { taskId: cancelled });

    const all = [done, open, blocked, claimed, cancelled];
    const ids = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);
    expect(ids(await scope.call("listTasks", {}))).toEqual(all);
    expect(ids(await a.call("listTasks", { ready: true }))).toEqual([open]);
    expect(ids(await a.call("listTasks", { ready: false }))).toEqual([done, blocked, claimed, cancelled]);
    const page = async (input: object) => scope.call("listTasksPage", input);
    expect(ids((await page({ status: "claimed" })).tasks)).toEqual([claimed]);
    expect(ids((await page({ status: "open", ready: false })).tasks)).toEqual([blocked]);
    const first = await page({ limit: 2 });
    const second = await page({ limit: 2, after: first.nextCursor });
    const third = await page({ limit: 2, after: second.nextCursor });
    expect([first, second, third].map((each) => ids(each.tasks))).toEqual([
      [done, open],
      [blocked, claimed],
      [cancelled],
    ]);
    expect(third).not.toHaveProperty("nextCursor");
  });
});

test("what nobody has added cannot be found", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const taskId = "task_unknown";
  for (const name of ["getTask", "updateTask", "cancelTask", "claimTask", "releaseTask", "completeTask"] as const) {
    expect(await a.refused(name, { taskId }), name).toMatchObject({ code: "NOT_FOUND" });
  }
  expect(await a.refused("listTaskProgress", { taskId })).toMatchObject({ code: "NOT_FOUND" });
  expect(await a.refused("addTaskProgress", { taskId, kind: "note", text: "x" })).toMatchObject({ code: "NOT_FOUND" });
});
