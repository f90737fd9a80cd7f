import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeferred } from "../../protocol/desktop/index.ts";
import { instantAt, liveAgent, liveState, NOW, question } from "../../test/support/desktop-state.ts";
import { askerOf } from "./asker.ts";
import { clockTime, delayMs } from "./later.ts";
import { nextReturn, waitingQuestions } from "./waiting.ts";

const MINUTE_MS = 60_000;

describe("questions that wait", () => {
  const someQuestion = fc.record({
    id: fc.uuid(),
    urgency: fc.constantFrom("low", "normal", "high"),
    status: fc.constantFrom("pending", "resolved"),
    age: fc.integer({ min: 0, max: 5 }),
    deferred: fc.option(fc.integer({ min: -5, max: 5 })),
  });

  it("are those pending and not put off: urgent first, then new before old", () => {
    const { questions } = liveState({
      questions: [
        question({ id: "low", urgency: "low", createdAt: instantAt(3) }),
        question({ id: "old", createdAt: instantAt(1) }),
        question({ id: "new", createdAt: instantAt(2) }),
        question({ id: "urgent", urgency: "high", createdAt: instantAt(0) }),
        question({ id: "later", deferredUntil: instantAt(1) }),
        question({ id: "back", createdAt: instantAt(-1), deferredUntil: instantAt(0) }),
        question({ id: "done", status: "resolved" }),
      ],
    });
    expect(waitingQuestions(questions, NOW).map(({ id }) => id)).toEqual(["urgent", "new", "old", "back", "low"]);
  });

  it("are counted and ordered the same, whatever order they came in", () => {
    fc.assert(
      fc.property(fc.uniqueArray(someQuestion, { selector: ({ id }) => id }), fc.integer(), (drafts, seed) => {
        const all = drafts.map(({ id, urgency, status, age, deferred }) =>
          question({
            id,
            urgency,
            status,
            createdAt: instantAt(-age),
            ...(deferred === null ? {} : { deferredUntil: instantAt(deferred) }),
          }),
        );
        const shuffled = all.toSorted((a, b) => (a.id.charCodeAt(seed & 7) || 0) - (b.id.charCodeAt(seed & 7) || 0));
        const waiting = waitingQuestions(liveState({ questions: all }).questions, NOW);
        expect(waitingQuestions(liveState({ questions: shuffled }).questions, NOW)).toEqual(waiting);
        const expected = all.filter((each) => each.status === "pending" && !isDeferred(each, NOW));
        expect(new Set(waiting)).toEqual(new Set(expected));
      }),
    );
  });

  it("come back when their deferral ends", () => {
    const put = (id: string, ms: number) => question({ id, deferredUntil: instantAt(ms) });
    const { questions } = liveState({ questions: [put("a", 20), put("b", 10), put("past", -10), question()] });
    expect(nextReturn(questions, NOW)).toBe(NOW + 10);
    expect(nextReturn(questions, NOW + 20)).toBeUndefined();
  });
});

describe("later", () => {
  it("is as long as it says", () => {
    expect(delayMs("tenMinutes", NOW)).toBe(10 * MINUTE_MS);
    expect(delayMs("halfHour", NOW)).toBe(30 * MINUTE_MS);
    expect(delayMs("hour", NOW)).toBe(60 * MINUTE_MS);
  });

  it.each([
    [14, 11, 9],
    [23, 11, 9],
    [3, 10, 9],
    [4, 11, 9],
  ])("tomorrow at %i o'clock is the next morning as humans see it", (hour, day, morning) => {
    const now = new Date(2026, 5, 10, hour).getTime();
    const end = new Date(now + delayMs("tomorrow", now));
    expect([end.getDate(), end.getHours(), end.getMinutes()]).toEqual([day, morning, 0]);
  });

  it("names the day where it is not today", () => {
    const now = new Date(2026, 5, 10, 14).getTime();
    expect(clockTime(now + 30 * MINUTE_MS, now, "de")).toBe("14:30");
    expect(clockTime(now + delayMs("tomorrow", now), now, "de")).toContain("Do");
  });
});

describe("who asks", () => {
  const of = (fields: Parameters<typeof liveAgent>[0]) =>
    askerOf(question(), liveState({ agents: [liveAgent(fields)] }).agents);

  it("is named with its id, which it cannot choose as freely as its name", () => {
    expect(of({ displayName: "Builder" })).toEqual({ name: "Builder (builder)", place: "shop" });
    expect(of({ displayName: "builder" }).name).toBe("builder");
    expect(of({ displayName: "\u202enimda" }).name).toBe("\\u{202e}nimda (builder)");
  });

  it("is its id where no more is known", () => {
    expect(askerOf(question(), {})).toEqual({ name: "builder", place: "shop" });
  });

  it.each([
    ["/home/me/code/web-shop/", "web-shop"],
    ["C:\\code\\web-shop", "web-shop"],
    ["/", "/"],
  ])("says in which folder: %s", (cwd, folder) => {
    expect(of({ metadata: { harness: "Codex", cwd } }).place).toBe(`Codex · ${folder} · shop`);
  });
});
