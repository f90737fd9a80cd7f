import { expect, it } from "vitest";
import type { Event } from "../../protocol/index.ts";
import { type Touched, touch, untouched } from "./touched.ts";

function touchedBy(type: string, subjectId: string, attributes: Event["attributes"] = {}): Touched {
  const touched = untouched();
  touch(touched, {
    id: "evt_1",
    scopeId: "team",
    type,
    subjectId,
    revision: 1,
    attributes,
    createdAt: "2026-01-01T00:00:00.000Z",
  });
  return touched;
}

it("reads again what an event is about, and who it names", () => {
  const asked = touchedBy("escalation.created", "ask_1", { agentId: "ada" });
  expect(asked).toEqual({ questions: new Set(["ask_1"]), agents: new Set(["ada"]), counts: true });
  const sent = touchedBy("message.accepted", "msg_1", { from: "human", fromKind: "human", to: "ada", toKind: "agent" });
  expect(sent).toEqual({ questions: new Set(), agents: new Set(["ada"]), counts: true });
});

it("renews the counts for kinds of events it does not know", () => {
  expect(touchedBy("novelty.made", "x")).toEqual({ questions: new Set(), agents: new Set(), counts: true });
});

it("reads nothing because a question was looked at", () => {
  const shown = touchedBy("escalation.shown", "ask_1", { agentId: "ada", surface: "tray", verdict: "shown" });
  expect(shown).toEqual(untouched());
});
