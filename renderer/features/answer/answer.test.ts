import { expect, test } from "vitest";
import { translator } from "../../../i18n/index.ts";
import { isDeferred } from "../../../protocol/desktop/questions.ts";
import { IntercomError } from "../../../protocol/errors.ts";
import { LIMITS } from "../../../protocol/limits.ts";
import { byUrgency } from "../../state/selectors.ts";
import { agoFrom, sampleQuestion } from "../../testing/sample.ts";
import { bytesOver, shapeOf } from "./choices.ts";
import { delayMs, delayUntil, LONGEST_DELAY_MS, localFieldValue } from "./delays.ts";
import { lostText, withdrawText } from "./explain.ts";
import { GUARD_MS, Guard } from "./guard.ts";

const now = new Date("2026-11-30T15:30:00");
const ago = agoFrom(now.getTime());
const ask = (id: string, more: Partial<Parameters<typeof sampleQuestion>[1]> = {}) =>
  sampleQuestion(ago, { id, scopeId: "s", agentId: "a", question: "?", ...more });
const t = translator("en");

test("for a while after a card appeared neither clicks nor keys count", () => {
  let nowMs = 1000;
  const guard = new Guard(() => nowMs);
  expect([guard.allows("key"), guard.allows("pointer")]).toEqual([true, true]);
  guard.appeared();
  nowMs += GUARD_MS - 1;
  expect([guard.allows("key"), guard.allows("pointer")]).toEqual([false, false]);
  nowMs += 1;
  expect([guard.allows("key"), guard.allows("pointer")]).toEqual([true, true]);
});

test("a card that moved holds clicks back, and no keys", () => {
  const guard = new Guard(() => 1000);
  guard.moved();
  expect([guard.allows("key"), guard.allows("pointer")]).toEqual([true, false]);
});

test("the urgent come first, then who has waited longest", () => {
  const questions = [
    ask("low", { urgency: "low", createdAt: ago(90) }),
    ask("new", { createdAt: ago(1) }),
    ask("old", { createdAt: ago(60) }),
    ask("urgent", { urgency: "high", createdAt: ago(0) }),
  ];
  expect(questions.sort(byUrgency).map(({ id }) => id)).toEqual(["urgent", "old", "new", "low"]);
});

test("a question is put off until its time has come", () => {
  expect(isDeferred(ask("a", { deferredUntil: ago(-1) }), now.getTime())).toBe(true);
  expect(isDeferred(ask("a", { deferredUntil: ago(0) }), now.getTime())).toBe(false);
  expect(isDeferred(ask("a"), now.getTime())).toBe(false);
});

test("how a question is answered follows from what the agent offers", () => {
  expect(shapeOf(ask("a"))).toBe("words");
  expect(shapeOf(ask("a", { options: ["x", "y"] }))).toBe("options");
  expect(shapeOf(ask("a", { kind: "permission" }))).toBe("permission");
  expect(shapeOf(ask("a", { kind: "permission", options: ["once", "never"] }))).toBe("options");
});

test("answers and notes are measured in bytes, as the daemon does", () => {
  expect(bytesOver("ä".repeat(LIMITS.answerBytes / 2), "answer")).toBe(0);
  expect(bytesOver("ä".repeat(LIMITS.answerBytes / 2 + 1), "answer")).toBe(2);
  expect(bytesOver("x".repeat(LIMITS.reasonBytes + 5), "note")).toBe(5);
});

test("tomorrow is the next morning at nine, whatever the hour", () => {
  const tomorrow = new Date(now.getTime() + delayMs("tomorrow", now));
  expect([tomorrow.getDate(), tomorrow.getHours(), tomorrow.getMinutes()]).toEqual([1, 9, 0]);
});

test("a time of one's own must be ahead, and within a week", () => {
  expect(delayUntil("2026-11-30T16:00", now)).toBe(30 * 60_000);
  expect(delayUntil("2026-11-30T15:30", now)).toBeUndefined();
  expect(delayUntil("2027-11-30T15:30", now)).toBeUndefined();
  expect(delayUntil("", now)).toBeUndefined();
  const last = new Date(now.getTime() + LONGEST_DELAY_MS);
  expect(delayUntil(localFieldValue(last), now)).toBe(LONGEST_DELAY_MS);
});

test("who lost the race is told who won it, where and when", () => {
  const details = { status: "resolved", answeredAt: now.toISOString(), surface: "tray", by: "human" };
  const lost = lostText(new IntercomError("CONFLICT", "answered", details), t);
  expect(lost).toMatch(/^Already answered at .* from the tray menu\. Your answer was not sent/);
  const taken = lostText(new IntercomError("CONFLICT", "cancelled", { status: "cancelled" }), t);
  expect(taken).toMatch(/taken its question back/);
  expect(lostText(new IntercomError("INTERNAL", "boom"), t)).toBeUndefined();
});

test.each([
  ["read", /has already read/],
  ["reserved", /has already read/],
  ["late", /came late/],
  ["too_late", /too late/],
])("an answer that is %s stays, and the human hears why", (reason, words) => {
  const error = new IntercomError("CONFLICT", "no", { reason });
  expect(withdrawText(error, "builder", t)).toMatch(words);
});
