import { absent, anyText, equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import type { Stage } from "./stage.ts";

const WAIT_MS = 10_000;
const EXPIRES_MS = 1000;
const DEFERRED_MS = 60_000;

/** Questions to the human beyond October Bus 0.1. */
export const escalationChecks: readonly Check<Stage>[] = [
  {
    name: "escalation-details",
    proves: "A question says its kind, urgency and context; a choice needs options; only who asked can read it.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const context = [{ kind: "file" as const, title: "Plan", uri: "file:///plan" }];
      const input = { question: "Delete it?", kind: "permission" as const, urgency: "high" as const, context };
      const { id: escalationId } = await ada.call("askHuman", input);
      const expected = { ...input, agentId: ada.id, status: "pending", options: [] };
      matches("the question", await owner.call("getScopeEscalation", { escalationId }), expected);
      matches("its event", await owner.eventOf("escalation.created"), {
        attributes: { agentId: ada.id, kind: "permission", urgency: "high" },
      });
      matches("the defaults", await ada.call("askHuman", { question: "Why?" }), { kind: "input", urgency: "normal" });
      matches("a choice", await ada.call("askHuman", { question: "Which?", options: ["a", "b"] }), { kind: "choice" });
      await ada.refused("askHuman", { question: "Which?", kind: "choice" }, "INVALID_ARGUMENT");
      await ben.refused("getEscalation", { escalationId }, "NOT_FOUND");
      await ben.refused("cancelEscalation", { escalationId }, "NOT_FOUND");
      await ada.refused("getScopeEscalation", { escalationId }, "PERMISSION_DENIED");
    },
  },
  {
    name: "escalation-wait",
    proves: "An agent waits for its answer, which says by whom and where it was given.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const { id: escalationId } = await ada.call("askHuman", { question: "Go on?" });
      matches("a wait in vain", await ada.call("getEscalation", { escalationId, waitMs: 20 }), { status: "pending" });
      const waiting = ada.call("getEscalation", { escalationId, waitMs: WAIT_MS });
      waiting.catch(() => {});
      const answer = { answer: "Yes.", by: "rule" as const, surface: "cli" as const, note: "As always" };
      await owner.call("resolveEscalation", { escalationId, ...answer });
      const resolution = { by: "rule", surface: "cli", note: "As always", late: false, at: anyText };
      matches("what the wait brings", await waiting, { status: "resolved", answer: "Yes.", resolution });
    },
  },
  {
    name: "escalation-first-answer-wins",
    proves: "A second answer is refused and learns when, where and by whom the first one was given.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const { id: escalationId } = await ada.call("askHuman", { question: "Go on?" });
      await owner.call("resolveEscalation", { escalationId, answer: "Yes.", surface: "tray" });
      const { details } = await owner.refused("resolveEscalation", { escalationId, answer: "No." }, "CONFLICT");
      matches("the details", details, { status: "resolved", surface: "tray", by: "human", answeredAt: anyText });
      matches("the question", await owner.call("getScopeEscalation", { escalationId }), { answer: "Yes." });
    },
  },
  {
    name: "escalation-cancel",
    proves: "An agent takes its question back with a reason, and nobody can answer it any more.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const { id: escalationId } = await ada.call("askHuman", { question: "Go on?" });
      const cancelled = await ada.call("cancelEscalation", { escalationId, reason: "Found out" });
      matches("the question", cancelled, { status: "cancelled", cancelReason: "Found out", cancelledAt: anyText });
      await owner.eventOf("escalation.cancelled");
      const { details } = await owner.refused("resolveEscalation", { escalationId, answer: "Yes." }, "CONFLICT");
      matches("the details", details, { status: "cancelled", cancelledAt: anyText });
      await ada.refused("cancelEscalation", { escalationId }, "CONFLICT");
    },
  },
  {
    name: "escalation-expiry-and-late-answer",
    proves: "A question expires without an answer; one given later is kept and says that it is late.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const asked = await ada.call("askHuman", { question: "Go on?", expiresInMs: EXPIRES_MS });
      const escalationId = asked.id;
      matches("the question", asked, { status: "pending", expiresAt: anyText });
      await stage.run.pause(EXPIRES_MS + 50);
      const expired = await ada.call("getEscalation", { escalationId });
      matches("the expired question", expired, {
        status: "expired",
        answer: absent,
        resolution: absent,
        expiredAt: anyText,
      });
      await owner.eventOf("escalation.expired");
      equal("what the agent has been told", await ada.pull(), []);
      await owner.call("resolveEscalation", { escalationId, answer: "Yes." });
      const late = await ada.call("getEscalation", { escalationId });
      matches("the late answer", late, { status: "resolved", answer: "Yes.", resolution: { late: true } });
      const about = { kind: "escalation", id: escalationId, late: true };
      matches("what the agent is told", await ada.pull(), [{ fromKind: "human", body: "Yes.", about }]);
    },
  },
  {
    name: "escalation-deferred",
    proves: "A question that is put off stays open; its agent is told until when, and a wait it left open ends.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const { id: escalationId } = await ada.call("askHuman", { question: "Go on?" });
      const waiting = ada.call("getEscalation", { escalationId, waitMs: WAIT_MS });
      waiting.catch(() => {});
      const { deferredUntil } = await owner.call("deferEscalation", { escalationId, delayMs: DEFERRED_MS });
      matches("what the wait brings", await waiting, { status: "pending", deferredUntil });
      matches("its event", await owner.eventOf("escalation.deferred"), {
        attributes: { agentId: ada.id, deferredUntil },
      });
      const about = { kind: "escalation", id: escalationId };
      matches("what the agent is told", await ada.pull(), [{ fromKind: "system", about }]);
      const later = await ada.call("getEscalation", { escalationId, waitMs: 20 });
      matches("a later wait in vain", later, { status: "pending", deferredUntil });
      const back = await owner.call("deferEscalation", { escalationId, delayMs: 0 });
      matches("the question that is back", back, { status: "pending", deferredUntil: absent });
      await owner.call("resolveEscalation", { escalationId, answer: "Yes." });
      await owner.refused("deferEscalation", { escalationId, delayMs: 0 }, "CONFLICT");
      await ada.refused("deferEscalation", { escalationId, delayMs: 0 }, "PERMISSION_DENIED");
    },
  },
  {
    name: "escalation-answer-taken-back",
    proves:
      "An answer is taken back until its agent has read it: the question is open again, and nothing is delivered.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const { id: escalationId } = await ada.call("askHuman", { question: "Go on?" });
      await owner.call("resolveEscalation", { escalationId, answer: "Yse." });
      const open = await owner.call("withdrawAnswer", { escalationId });
      matches("the question", open, { status: "pending", answer: absent, resolution: absent, resolvedAt: absent });
      await owner.eventOf("escalation.answer_withdrawn");
      equal("what the agent has been told", await ada.pull(), []);
      await owner.call("resolveEscalation", { escalationId, answer: "Yes.", note: "Slowly" });
      const context = [{ kind: "text", text: "Slowly" }];
      matches("what the agent is told", await ada.pull(), [{ fromKind: "human", body: "Yes.", context }]);
      const read = await ada.call("getEscalation", { escalationId });
      matches("the answer", read, { answer: "Yes.", answerReadAt: anyText });
      const { details } = await owner.refused("withdrawAnswer", { escalationId }, "CONFLICT");
      matches("the details", details, { status: "resolved", reason: "read" });
      await ada.refused("withdrawAnswer", { escalationId }, "PERMISSION_DENIED");
    },
  },
];
