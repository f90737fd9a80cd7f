import { expect, test } from "vitest";
import type { LiveAgent } from "../../../protocol/desktop/live.ts";
import { folderName, groupOf, sectionsOf } from "./grouping.ts";

const agent = (id: string, fields: Partial<LiveAgent> = {}): LiveAgent => ({
  id,
  scopeId: "scope",
  displayName: id,
  capabilities: [],
  lifecycle: "idle",
  ready: true,
  reachable: true,
  executionId: "exec",
  registeredAt: "2026-01-31T12:00:00.000Z",
  updatedAt: "2026-01-31T12:00:00.000Z",
  lastSeenAt: "2026-01-31T12:00:00.000Z",
  owes: { undelivered: 0, unanswered: 0 },
  ...fields,
});

test("who asks needs you, even after it has gone", () => {
  expect(groupOf(agent("a", { reachable: false }), 1)).toBe("needs-you");
  expect(groupOf(agent("a", { lifecycle: "needs_input" }), 0)).toBe("needs-you");
});

test("who cannot be reached is offline, whatever it said last", () => {
  expect(groupOf(agent("a", { lifecycle: "working", reachable: false }), 0)).toBe("offline");
  expect(groupOf(agent("a", { lifecycle: "needs_input", reachable: false }), 0)).toBe("offline");
  expect(groupOf(agent("a", { lifecycle: "working" }), 0)).toBe("working");
  expect(groupOf(agent("a", { lifecycle: "ready" }), 0)).toBe("idle");
});

test("sections come by how pressing they are, rows by name, the gone ones by when they were seen", () => {
  const sections = sectionsOf(
    [
      agent("zoe"),
      agent("ada"),
      agent("gone", { reachable: false, lastSeenAt: "2026-01-01T00:00:00.000Z" }),
      agent("just-gone", { reachable: false }),
      agent("asker", { lifecycle: "working" }),
    ],
    ({ id }) => (id === "asker" ? 1 : 0),
    "",
  );
  expect(sections.map(({ group, agents }) => [group, agents.map(({ id }) => id)])).toEqual([
    ["needs-you", ["asker"]],
    ["idle", ["ada", "zoe"]],
    ["offline", ["just-gone", "gone"]],
  ]);
});

test("a filter looks at what an agent is known by", () => {
  const found = (text: string) =>
    sectionsOf([agent("a", { metadata: { cwd: "/home/me/Parser", model: "m-1" } }), agent("b")], () => 0, text).length;
  expect(found("parser")).toBe(1);
  expect(found("M-1")).toBe(1);
  expect(found("nothing")).toBe(0);
});

test("folders are named as their operating system does", () => {
  expect(folderName("/home/me/project/")).toBe("project");
  expect(folderName("C:\\work\\project")).toBe("project");
  expect(folderName("/")).toBe("/");
});
