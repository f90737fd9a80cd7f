import { describe, expect, test } from "vitest";
import { closesCircle, neighbourhood, unfinished } from "./graph.ts";
import { BOX, drawingOf, neighbourAt, pathOf } from "./graph-layout.ts";
import { tasksOf } from "./task-examples.ts";

describe("neighbourhood", () => {
  const tasks = tasksOf({ a: [], b: ["a"], c: ["b"], d: ["b"], lonely: [] });

  test("holds what leads to a task and what comes of it, nearest first", () => {
    const { ids, edges, leftOut } = neighbourhood(tasks, "b");
    expect(ids).toEqual(["b", "a", "c", "d"]);
    expect(edges).toEqual([
      { from: "a", to: "b" },
      { from: "b", to: "c" },
      { from: "b", to: "d" },
    ]);
    expect(leftOut).toBe(0);
  });

  test("says how many did not fit, and draws no line to them", () => {
    const { ids, edges, leftOut } = neighbourhood(tasks, "a", 2);
    expect(ids).toEqual(["a", "b"]);
    expect(edges).toEqual([{ from: "a", to: "b" }]);
    expect(leftOut).toBe(2);
  });

  test("is empty around a task that is gone", () => {
    expect(neighbourhood(tasks, "gone").ids).toEqual([]);
  });

  test("leaves out dependencies that are gone", () => {
    expect(neighbourhood(tasksOf({ a: ["pruned"] }), "a")).toEqual({ ids: ["a"], edges: [], leftOut: 0 });
  });
});

test("without a focus, unfinished tasks that hang together with others are shown", () => {
  const tasks = tasksOf({ a: [], b: ["a"], lonely: [] });
  expect(unfinished(tasks).ids).toEqual(["a", "b"]);
  expect(unfinished(tasks, 1)).toMatchObject({ ids: ["a"], leftOut: 1 });
});

test("a circle is seen before the daemon refuses it", () => {
  const tasks = tasksOf({ a: [], b: ["a"], c: ["b"] });
  expect(closesCircle(tasks, "a", "c")).toBe(true);
  expect(closesCircle(tasks, "a", "a")).toBe(true);
  expect(closesCircle(tasks, "c", "a")).toBe(false);
});

describe("layout", () => {
  const subgraph = neighbourhood(tasksOf({ a: [], b: ["a"], c: ["b"], d: ["b"] }), "b");
  const drawing = drawingOf(subgraph);
  const at = (id: string) => drawing.nodes.find((node) => node.id === id) as { x: number; y: number };

  test("what comes first is on the left, and boxes do not overlap", () => {
    expect(at("a").x + BOX.width).toBeLessThan(at("b").x);
    expect(at("b").x + BOX.width).toBeLessThan(at("c").x);
    expect(Math.abs(at("c").y - at("d").y)).toBeGreaterThanOrEqual(BOX.height);
  });

  test("everything is inside of the drawing", () => {
    for (const { x, y } of drawing.nodes) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x + BOX.width).toBeLessThanOrEqual(drawing.width);
      expect(y + BOX.height).toBeLessThanOrEqual(drawing.height);
    }
  });

  test("edges are lines", () => {
    for (const { points } of drawing.edges) expect(pathOf(points)).toMatch(/^M[\d.]+ [\d.]+( L[\d.]+ [\d.]+)+$/);
  });

  test("arrow keys lead along the lines, and nowhere at the border", () => {
    expect(neighbourAt(drawing.nodes, "a", "right")).toBe("b");
    expect(neighbourAt(drawing.nodes, "b", "left")).toBe("a");
    expect(neighbourAt(drawing.nodes, "a", "left")).toBeUndefined();
    const [upper, lower] = at("c").y < at("d").y ? ["c", "d"] : ["d", "c"];
    expect(neighbourAt(drawing.nodes, upper as string, "down")).toBe(lower);
  });
});
