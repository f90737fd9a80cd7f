import fc from "fast-check";
import { it } from "vitest";
import { TASK_PRIORITIES } from "../../protocol/index.ts";
import type { Bench } from "./bench.ts";
import { pick, runSteps, same, step, verdict } from "./commands.ts";
import { content } from "./invariants.ts";
import { LEASE_MS, type ModelTask, type ModelWorker, TaskModel } from "./task-model.ts";

const index = fc.nat(9999);
const priority = fc.constantFrom(...TASK_PRIORITIES);
const requires = fc.subarray(["rust", "docs"], { maxLength: 2 });
const WORKERS = { ada: ["rust", "docs"], bob: ["rust"], cy: [] } as const;

type Model = TaskModel;

function someone(model: Model, at: number): ModelWorker {
  return pick(model.workers, at) as ModelWorker;
}

/** Mostly one of the newest, so that graphs get deep; at times any. */
function some(model: Model, at: number): ModelTask | undefined {
  return at % 3 === 0 ? pick(model.tasks, at) : pick(model.tasks.slice(-12), at);
}

function distinct(model: Model, at: readonly number[]): ModelTask[] {
  return [...new Set(at.map((entry) => some(model, entry)).filter((task) => task !== undefined))];
}

/** The owner, or a worker, by number. */
function actor(model: Model, at: number): { token: string; worker: ModelWorker | undefined } {
  const worker = at % 3 === 0 ? undefined : someone(model, at);
  return { token: worker?.token ?? model.scopeToken, worker };
}

function refusal(worker: ModelWorker | undefined): string | undefined {
  return worker && !worker.alive ? "UNAUTHENTICATED expired" : undefined;
}

const add = step<Model, [number, number[], (typeof TASK_PRIORITIES)[number], string[]]>(
  "add",
  [index, fc.array(index, { maxLength: 3 }), priority, requires],
  async (model, at, dependsOn, level, needs) => {
    const { token, worker } = actor(model, at);
    const dependencies = distinct(model, dependsOn);
    const outcome = await model.bench.try("addTask", token, {
      title: content("a title"),
      description: content("a description"),
      // Naming one twice is naming it once.
      dependencies: dependencies.flatMap(({ id }) => [id, id]),
      priority: level,
      requires: needs,
    });
    same("adding", verdict(outcome), refusal(worker) ?? "ok");
    if (!outcome.result) return;
    const { id } = outcome.result;
    model.tasks.push({
      id,
      createdBy: worker?.id,
      status: "open",
      priority: level,
      requires: needs,
      dependencies: new Set(dependencies),
      claim: undefined,
      claimedBy: undefined,
      progress: 0,
    });
    await model.compareResult(id);
  },
);

function take(task: ModelTask, worker: ModelWorker): void {
  Object.assign(task, { status: "claimed", claim: worker.token, claimedBy: worker.id });
}

const claim = step<Model, [number, number]>("claim", [index, index], async (model, at, taskAt) => {
  const worker = someone(model, at);
  const task = some(model, taskAt);
  if (!task) return;
  const outcome = await model.bench.try("claimTask", worker.token, { taskId: task.id });
  const expected = () => {
    if (refusal(worker)) return refusal(worker);
    if (!model.ready(task)) return "CONFLICT";
    return model.able(worker, task) ? "ok" : "PERMISSION_DENIED";
  };
  same("claiming", verdict(outcome), expected());
  if (outcome.result) take(task, worker);
  await model.compareResult(task.id);
});

const claimNext = step<Model, [number]>("claimNext", [index], async (model, at) => {
  const worker = someone(model, at);
  const outcome = await model.bench.try("claimNextTask", worker.token, {});
  same("claiming the next", verdict(outcome), refusal(worker) ?? "ok");
  if (outcome.error) return;
  const best = model.best(worker);
  same("which one", outcome.result?.id, best?.id);
  if (best) take(best, worker);
});

/** A task this worker is likely to hold. */
function held(model: Model, worker: ModelWorker, at: number): ModelTask | undefined {
  const mine = model.tasks.filter(({ claim: holder }) => holder === worker.token);
  return at % 4 === 0 ? some(model, at) : (pick(mine, at) ?? some(model, at));
}

function holding(worker: ModelWorker, task: ModelTask): string {
  return refusal(worker) ?? (task.status === "claimed" && task.claim === worker.token ? "ok" : "CONFLICT");
}

const release = step<Model, [number, number]>("release", [index, index], async (model, at, taskAt) => {
  const worker = someone(model, at);
  const task = held(model, worker, taskAt);
  if (!task) return;
  const outcome = await model.bench.try("releaseTask", worker.token, { taskId: task.id });
  same("giving back", verdict(outcome), holding(worker, task));
  if (outcome.result) model.open(task);
});

const complete = step<Model, [number, number]>("complete", [index, index], async (model, at, taskAt) => {
  const worker = someone(model, at);
  const task = held(model, worker, taskAt);
  if (!task) return;
  const outcome = await model.bench.try("completeTask", worker.token, { taskId: task.id, note: content("a note") });
  same("completing", verdict(outcome), holding(worker, task));
  if (outcome.result) task.status = "done";
  await model.compareResult(task.id);
});

const progress = step<Model, [number, number]>("progress", [index, index], async (model, at, taskAt) => {
  const worker = someone(model, at);
  const task = held(model, worker, taskAt);
  if (!task) return;
  const input = { taskId: task.id, kind: "note", text: content("how it goes") } as const;
  const outcome = await model.bench.try("addTaskProgress", worker.token, input);
  same("reporting", verdict(outcome), holding(worker, task));
  if (!outcome.result) return;
  task.progress += 1;
  same("the place of the report", outcome.result.sequence, task.progress);
});

/** Whether somebody may change a task, before anything else is looked at. */
function changing(worker: ModelWorker | undefined, task: ModelTask): string | undefined {
  if (refusal(worker)) return refusal(worker);
  if (worker && task.createdBy !== worker.id) return "PERMISSION_DENIED";
  return task.status === "done" || task.status === "cancelled" ? "CONFLICT" : undefined;
}

const cancel = step<Model, [number, number]>("cancel", [index, index], async (model, at, taskAt) => {
  const { token, worker } = actor(model, at);
  const task = some(model, taskAt);
  if (!task) return;
  const outcome = await model.bench.try("cancelTask", token, { taskId: task.id, reason: content("a reason") });
  same("cancelling", verdict(outcome), changing(worker, task) ?? "ok");
  if (outcome.result) Object.assign(task, { status: "cancelled", claim: undefined, claimedBy: undefined });
});

const update = step<Model, [number, number, (typeof TASK_PRIORITIES)[number], string[]]>(
  "update",
  [index, index, priority, requires],
  async (model, at, taskAt, level, needs) => {
    const { token, worker } = actor(model, at);
    const task = some(model, taskAt);
    if (!task) return;
    const outcome = await model.bench.try("updateTask", token, { taskId: task.id, priority: level, requires: needs });
    same("changing", verdict(outcome), changing(worker, task) ?? "ok");
    if (outcome.result) Object.assign(task, { priority: level, requires: needs });
  },
);

const editDependencies = step<Model, [number, number, number[], number[]]>(
  "editDependencies",
  [index, index, fc.array(index, { maxLength: 3 }), fc.array(index, { maxLength: 3 })],
  async (model, at, taskAt, addAt, removeAt) => {
    const { token, worker } = actor(model, at);
    const task = some(model, taskAt);
    if (!task) return;
    const added = distinct(model, addAt);
    const removed = distinct(model, removeAt);
    const outcome = await model.bench.try("editTaskDependencies", token, {
      taskId: task.id,
      add: added.map(({ id }) => id),
      remove: removed.map(({ id }) => id),
    });
    const expected = () => {
      const refused = changing(worker, task);
      if (refused) return refused;
      if (added.includes(task)) return "INVALID_ARGUMENT";
      const before = task.dependencies;
      task.dependencies = new Set([...before].filter((entry) => !removed.includes(entry)));
      for (const dependency of added) {
        const circle = dependency === task || model.dependsOn(dependency, task);
        if (circle || (task.status === "claimed" && dependency.status !== "done")) {
          task.dependencies = before;
          return "CONFLICT";
        }
        task.dependencies.add(dependency);
      }
      return "ok";
    };
    same("editing dependencies", verdict(outcome), expected());
    await model.compareResult(task.id);
  },
);

const list = step<Model, [boolean | undefined]>(
  "list",
  [fc.option(fc.boolean(), { nil: undefined })],
  async (model, ready) => {
    const listed = await model.bench.call("listTasks", model.scopeToken, ready === undefined ? {} : { ready });
    const expected = model.tasks.filter((task) => ready === undefined || model.ready(task) === ready);
    same(
      "the list",
      listed.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
  },
);

const heartbeat = step<Model, [number]>("heartbeat", [index], async (model, at) => {
  const worker = someone(model, at);
  const input = { lifecycle: "working", ready: true, leaseMs: 60_000 } as const;
  const outcome = await model.bench.try("heartbeat", worker.token, input);
  same("a heartbeat", verdict(outcome), refusal(worker) ?? "ok");
  if (outcome.result) worker.leaseExpiresAt = model.now + 60_000;
});

const register = step<Model, [number]>("register", [index], async (model, at) => {
  const { id, capabilities } = someone(model, at);
  await model.register(id, capabilities);
});

const retire = step<Model, [number]>("retire", [index], async (model, at) => {
  const worker = someone(model, at);
  same("retiring", verdict(await model.bench.try("retire", worker.token, {})), "ok");
  if (worker.alive) model.end(worker);
  await model.register(worker.id, worker.capabilities);
});

const pass = step<Model, [number]>("pass", [fc.constantFrom(1, 10_000, 60_000, LEASE_MS)], async (model, ms) => {
  await model.bench.pass(ms);
  model.settle();
});

const jump = step<Model, [number]>("jump", [fc.constantFrom(-3_600_000, 3_600_000)], async (model, ms) => {
  await model.bench.jump(ms);
  for (const worker of model.workers) if (worker.alive) worker.leaseExpiresAt += ms;
  model.settle();
});

async function setUp(bench: Bench): Promise<Model> {
  const { scopeToken } = await bench.admin("createScope", { id: "s" });
  const model = new TaskModel(bench, scopeToken);
  for (const [name, capabilities] of Object.entries(WORKERS)) await model.register(name, capabilities);
  return model;
}

const kinds = [
  ...Array.from({ length: 4 }, () => [add, claimNext, complete, editDependencies]).flat(),
  ...Array.from({ length: 2 }, () => [claim, release, register]).flat(),
  ...[progress, cancel, update, list, heartbeat, retire, pass, jump],
];

it("tasks do what the model of them says, whatever happens in whatever order", async () => {
  await runSteps<Model>(kinds, { runs: 12, steps: 700 }, setUp);
}, 120_000);
