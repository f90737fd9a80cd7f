import { expect, test } from "vitest";
import type { LiveState } from "../../protocol/desktop/index.ts";
import { oneScope } from "./one-scope.tsx";

const scopes = {
  quiet: { reachableAgents: 0, agents: 9 },
  busy: { reachableAgents: 1, agents: 1 },
} as unknown as LiveState["scopes"];
const state = (fields: object) =>
  ({ live: { scopes }, route: { view: "tasks" }, scopeId: undefined, ...fields }) as Parameters<typeof oneScope>[0];

test("the place gone to goes before the choice, and that before the busiest", () => {
  expect(oneScope(state({ route: { view: "tasks", scopeId: "quiet" }, scopeId: "busy" }))).toBe("quiet");
  expect(oneScope(state({ scopeId: "quiet" }))).toBe("quiet");
  expect(oneScope(state({}))).toBe("busy");
});

test("a scope that is gone is not shown", () => {
  expect(oneScope(state({ scopeId: "gone" }))).toBe("busy");
  expect(oneScope(state({ live: { scopes: {} } }))).toBeUndefined();
});
