import { expect, test } from "vitest";
import type { LiveChange } from "../../protocol/desktop/index.ts";
import { emptyLiveState } from "../../protocol/desktop/live.ts";
import { agoFrom, sampleQuestion } from "../testing/sample.ts";
import { applyFrames } from "./frames.ts";

const since = "2026-11-30T12:00:00.000Z";
const ago = agoFrom(Date.parse(since));
const question = (id: string) => sampleQuestion(ago, { id, scopeId: "s", agentId: "a", question: id });
const beginning = { live: emptyLiveState(since), desktop: undefined, closed: {} };
const frame = (sequence: number, ...changes: LiveChange[]) => ({ sequence, changes });
const put = (id: string): LiveChange => ({ kind: "questions", put: [question(id)], closed: [], drop: [] });
const close = (id: string): LiveChange => ({
  kind: "questions",
  put: [],
  closed: [{ ...question(id), status: "resolved" }],
  drop: [],
});

test("frames apply in their order", () => {
  const { next } = applyFrames(beginning, [frame(1, put("one")), frame(2, put("two"), close("one"))]);
  expect(Object.keys(next.live.questions)).toEqual(["two"]);
  expect(next.closed.one?.status).toBe("resolved");
});

test("a question that comes back is closed no more", () => {
  const { next } = applyFrames(beginning, [frame(1, put("one"), close("one"), put("one"))]);
  expect(Object.keys(next.live.questions)).toEqual(["one"]);
  expect(next.closed).toEqual({});
});

test("the oldest of many closed questions are forgotten", () => {
  const ids = Array.from({ length: 60 }, (_, n) => `q${n}`);
  const { next } = applyFrames(beginning, [frame(1, ...ids.map(close))]);
  expect(Object.keys(next.closed)).toEqual(ids.slice(-50));
});

test("after a reset or a lost connection everything is to be read again", () => {
  const lost: LiveChange = { kind: "link", link: { state: "lost", since } };
  const live: LiveChange = { kind: "link", link: { state: "live", since } };
  expect(applyFrames(beginning, [frame(1, { kind: "reset", state: emptyLiveState(since) })]).happened.all).toBe(true);
  expect(applyFrames(beginning, [frame(1, lost)]).happened.all).toBe(false);
  const { next } = applyFrames(beginning, [frame(1, lost)]);
  expect(applyFrames(next, [frame(2, live)]).happened.all).toBe(true);
});

test("what a frame does not touch stays the same object", () => {
  const { next } = applyFrames(beginning, [frame(1, put("one"))]);
  expect(next.live.agents).toBe(beginning.live.agents);
  expect(next.closed).toBe(beginning.closed);
});
