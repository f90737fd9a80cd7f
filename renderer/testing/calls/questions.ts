import { IntercomError } from "../../../protocol/errors.ts";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { type Calls, contains, found, pageAfter, pageBefore } from "./calls.ts";

const WITHDRAW_MS = 10_000;

export const questionCalls: Calls = {
  getScopeEscalation: (world, { escalationId }) => found(world.questions.get(escalationId), escalationId),
  listEscalationsPage(world, input, scopeId) {
    const all = [...world.questions.values()].filter(
      (question) => question.scopeId === scopeId && (input.status === undefined || question.status === input.status),
    );
    const { items, ...more } = pageAfter(all, ({ id }) => id, input);
    return { escalations: items, ...more };
  },
  listEscalationHistory(world, input, scopeId) {
    const closed = [...world.questions.values()]
      .filter((one) => one.scopeId === scopeId && one.status !== "pending")
      .filter((one) => input.status === undefined || one.status === input.status)
      .filter((one) => input.agentId === undefined || one.agentId === input.agentId)
      .filter((one) => [one.question, one.answer, one.resolution?.note].some((text) => contains(text, input.text)))
      .sort((left, right) => (left.createdAt < right.createdAt ? 1 : -1));
    const { items, ...more } = pageBefore(closed, ({ id }) => id, input);
    return { escalations: items, ...more };
  },
  resolveEscalation(world, { escalationId, answer, surface = "api", note }) {
    const question = found(world.questions.get(escalationId), escalationId);
    if (question.status === "resolved" || question.status === "cancelled") {
      throw new IntercomError("CONFLICT", `The question is ${question.status} already.`, {
        status: question.status,
        ...(question.resolution
          ? { answeredAt: question.resolvedAt, surface: question.resolution.surface, by: question.resolution.by }
          : {}),
      });
    }
    const at = new Date().toISOString();
    const late = question.status === "expired";
    const { deferredUntil: _over, ...rest } = question;
    const resolution = { by: "human", surface, at, late, ...(note ? { note } : {}) } as const;
    return world.putQuestion(
      { ...rest, status: "resolved", answer, resolution, resolvedAt: at },
      "escalation.resolved",
      { by: "human", surface, late: String(late) },
    );
  },
  deferEscalation(world, { escalationId, delayMs }) {
    const { deferredUntil: _before, ...question } = found(world.questions.get(escalationId), escalationId);
    if (question.status !== "pending")
      throw new IntercomError("CONFLICT", `The question is ${question.status} already.`);
    const deferredUntil = new Date(Date.now() + delayMs).toISOString();
    return world.putQuestion(delayMs === 0 ? question : { ...question, deferredUntil }, "escalation.deferred", {
      deferredUntil,
    });
  },
  withdrawAnswer(world, { escalationId }) {
    const question = found(world.questions.get(escalationId), escalationId);
    const reason = whyNotWithdrawn(question);
    if (reason) {
      throw new IntercomError("CONFLICT", "The answer cannot be taken back.", { status: question.status, reason });
    }
    const { answer: _answer, resolution: _resolution, resolvedAt: _at, ...rest } = question;
    return world.putQuestion({ ...rest, status: "pending" }, "escalation.answer_withdrawn");
  },
  recordEscalationNotice(world, { escalationId, surface, verdict }) {
    const question = found(world.questions.get(escalationId), escalationId);
    world.tell(question.scopeId, "escalation.shown", escalationId, { agentId: question.agentId, surface, verdict });
    return { recorded: true };
  },
};

function whyNotWithdrawn(question: Escalation): string | undefined {
  if (question.status !== "resolved") return "not_answered";
  if (question.answerReadAt !== undefined) return "read";
  if (question.resolution?.late) return "late";
  return Date.now() - Date.parse(question.resolvedAt ?? "") > WITHDRAW_MS ? "too_late" : undefined;
}
