import { expect, test } from "vitest";
import { acceleratorOf } from "./accelerator.ts";
import { prunedFrom, storedIn } from "./storage.ts";

const press = (key: string, code: string, ...modifiers: ("ctrlKey" | "metaKey" | "altKey" | "shiftKey")[]) => ({
  key,
  code,
  ctrlKey: modifiers.includes("ctrlKey"),
  metaKey: modifiers.includes("metaKey"),
  altKey: modifiers.includes("altKey"),
  shiftKey: modifiers.includes("shiftKey"),
});

test.each([
  [press("i", "KeyI", "ctrlKey"), "CommandOrControl+I"],
  [press("I", "KeyI", "metaKey", "shiftKey"), "CommandOrControl+Shift+I"],
  [press("¡", "Digit1", "altKey"), "Alt+1"],
  [press("F5", "F5", "ctrlKey"), "CommandOrControl+F5"],
  [press(" ", "Space", "ctrlKey", "altKey"), "CommandOrControl+Alt+Space"],
  [press("ArrowUp", "ArrowUp", "altKey"), "Alt+Up"],
  [press("i", "KeyI"), undefined],
  [press("I", "KeyI", "shiftKey"), undefined],
  [press("Control", "ControlLeft", "ctrlKey"), undefined],
  [press("ü", "BracketLeft", "ctrlKey"), undefined],
])("%j is the accelerator %j", (pressed, accelerator) => {
  expect(acceleratorOf(pressed)).toBe(accelerator);
});

const record = (recordType: "message" | "task" | "escalation" | "credential", count: number) => ({
  recordType,
  state: "any",
  count,
  estimatedBytes: 1,
});
const summary = (...records: ReturnType<typeof record>[]) => ({
  scopeId: "s",
  generatedAt: "2026-11-30T12:00:00.000Z",
  totalEstimatedBytes: 1,
  records,
});

test("what is stored is added up over states and scopes, in what a human knows", () => {
  const stored = storedIn([
    summary(record("message", 2), record("message", 3), record("credential", 9)),
    summary(record("task", 1), record("escalation", 4)),
  ]);
  expect(stored).toEqual({ messages: 5, tasks: 1, questions: 4, events: 0 });
});

test("what would be removed is added up alike", () => {
  const counts = {
    messages: 1,
    tasks: 2,
    taskProgress: 9,
    escalations: 3,
    events: 4,
    a2aTasks: 9,
    a2aMessages: 9,
    linkRequests: 9,
  };
  expect(prunedFrom([counts, counts])).toEqual({ messages: 2, tasks: 4, questions: 6, events: 8 });
});
