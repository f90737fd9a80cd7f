import { expect, test } from "vitest";
import type { Task } from "../../../protocol/objects/task.ts";
import { fakeSource } from "../../testing/fake-source.ts";
import { taskOf } from "./task-examples.ts";
import { fieldsOf, namesOf, saveTask } from "./task-fields.ts";

function saving(task?: Task) {
  const answer = () => taskOf("t");
  const fake = fakeSource({ addTask: answer, updateTask: answer, editTaskDependencies: answer });
  const steps: Task[] = [];
  const save = (fields: Partial<ReturnType<typeof fieldsOf>>) =>
    saveTask(fake.source.host, "scope", task, { ...fieldsOf(task ?? taskOf("t")), ...fields }, (one) =>
      steps.push(one),
    );
  return { ...fake, save, steps };
}

test("names are separated by commas, and empty ones are none", () => {
  expect(namesOf(" build, ,review ")).toEqual(["build", "review"]);
  expect(namesOf("")).toEqual([]);
});

test("a new task is one call with everything", async () => {
  const { save, calls, steps } = saving();
  await save({ title: " Fix it ", requires: "build", dependencies: ["a"] });
  expect(calls).toMatchObject([
    { operation: "addTask", input: { title: "Fix it", requires: ["build"], dependencies: ["a"] }, scopeId: "scope" },
  ]);
  expect(steps).toHaveLength(1);
});

test("of a task that was there only what differs is sent", async () => {
  const { save, calls } = saving(taskOf("t", { dependencies: ["a", "b"], requires: ["build"] }));
  await save({ priority: "high", dependencies: ["b", "c"] });
  expect(calls.map(({ operation, input }) => [operation, input])).toEqual([
    ["updateTask", { taskId: "t", priority: "high" }],
    ["editTaskDependencies", { taskId: "t", add: ["c"], remove: ["a"] }],
  ]);
});

test("without a difference nothing is sent", async () => {
  const { save, calls } = saving(taskOf("t", { requires: ["build", "review"] }));
  await save({});
  expect(calls).toEqual([]);
});
