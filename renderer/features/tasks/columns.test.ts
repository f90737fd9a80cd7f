import { describe, expect, test } from "vitest";
import { blockerOf, columnsOf } from "./columns.ts";
import { taskOf } from "./task-examples.ts";

const ids = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);

describe("columns", () => {
  test("open tasks are ready or blocked, the others go by their status", () => {
    const columns = columnsOf(
      [
        taskOf("ready"),
        taskOf("blocked", { ready: false }),
        taskOf("claimed", { status: "claimed", ready: false }),
        taskOf("done", { status: "done", ready: false }),
        taskOf("cancelled", { status: "cancelled", ready: false }),
      ],
      { text: "" },
    );
    for (const [name, tasks] of Object.entries(columns)) expect(ids(tasks)).toEqual([name]);
  });

  test("what is to do comes by priority, then by age", () => {
    const { ready } = columnsOf(
      [
        taskOf("late", { priority: "high", createdAt: "2026-02-02T00:00:00.000Z" }),
        taskOf("low", { priority: "low" }),
        taskOf("early", { priority: "high" }),
        taskOf("urgent", { priority: "urgent" }),
      ],
      { text: "" },
    );
    expect(ids(ready)).toEqual(["urgent", "early", "late", "low"]);
  });

  test("what is over comes with the latest first", () => {
    const { done } = columnsOf(
      [
        taskOf("before", { status: "done" }),
        taskOf("after", { status: "done", updatedAt: "2026-03-01T00:00:00.000Z" }),
      ],
      { text: "" },
    );
    expect(ids(done)).toEqual(["after", "before"]);
  });

  test("a text is looked for in title, description and id, whatever its case", () => {
    const tasks = [
      taskOf("one", { title: "Fix the PARSER" }),
      taskOf("two", { description: "parser" }),
      taskOf("three"),
    ];
    expect(ids(columnsOf(tasks, { text: " Parser " }).ready)).toEqual(["one", "two"]);
    expect(ids(columnsOf(tasks, { text: "three" }).ready)).toEqual(["three"]);
  });

  test("an agent's tasks are those it added and those it has claimed", () => {
    const tasks = [taskOf("added", { createdBy: "ada" }), taskOf("taken", { claimedBy: "ada" }), taskOf("other")];
    expect(ids(columnsOf(tasks, { text: "", agentId: "ada" }).ready)).toEqual(["added", "taken"]);
  });
});

test("only the last word of an agent is its blocker", () => {
  const said = (kind: "blocker" | "progress", sequence: number) => ({
    taskId: "a",
    sequence,
    agentId: "ada",
    executionId: "exec",
    kind,
    text: `${kind} ${sequence}`,
    createdAt: "2026-01-31T12:00:00.000Z",
  });
  const task = (recentProgress: ReturnType<typeof said>[], status: "claimed" | "done" = "claimed") =>
    taskOf("a", { status, recentProgress });
  expect(blockerOf(task([said("progress", 1), said("blocker", 2)]))).toBe("blocker 2");
  expect(blockerOf(task([said("blocker", 1), said("progress", 2)]))).toBeUndefined();
  expect(blockerOf(task([said("blocker", 1)], "done"))).toBeUndefined();
});
