import { z } from "zod";
import { backwardPage, forwardPage, integer, nextCursor, waitMs } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import {
  answerSource,
  answerSurface,
  escalation,
  escalationKind,
  escalationStatus,
  escalationUrgency,
  noticeSurface,
  noticeVerdict,
} from "../objects/escalation.ts";
import { context } from "../objects/message.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

const { escalationOptionsMin: fewest, escalationOptionsMax: most } = LIMITS;
const expectedOptions = `expected no options, or ${fewest} to ${most}`;

const options = z
  .array(text(LIMITS.escalationOptionBytes), { error: expectedOptions })
  .max(most, { error: expectedOptions })
  .refine((list) => list.length === 0 || list.length >= fewest, { error: expectedOptions })
  .meta({ anyOf: [{ maxItems: 0 }, { minItems: fewest }] });

const escalationId = z.strictObject({ escalationId: identifier });

/** Questions only a human may answer. */
export const escalationOperations = {
  askHuman: operation({
    summary: "Ask the human",
    description:
      "Returns the durable question at once; wait for its answer with `getEscalation`. The answer also arrives in the " +
      "inbox. When `expiresInMs` passes without an answer the question expires, and an expiry is never an answer.",
    method: "POST",
    path: "/v1/escalations",
    authority: "agent",
    input: z
      .strictObject({
        question: text(LIMITS.questionBytes),
        options: options.optional(),
        kind: escalationKind
          .meta({ description: "`choice` when there are options, otherwise `input`, unless given." })
          .optional(),
        urgency: escalationUrgency.optional(),
        context: context.optional(),
        expiresInMs: integer(LIMITS.escalationExpiryMinMs, LIMITS.escalationExpiryMaxMs).optional(),
      })
      .refine((value) => value.kind !== "choice" || (value.options?.length ?? 0) >= fewest, {
        error: "expected options when kind is choice",
        path: ["options"],
      })
      .meta({
        if: { properties: { kind: { const: "choice" } }, required: ["kind"] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, nothing that is awaited
        then: { properties: { options: { minItems: fewest } }, required: ["options"] },
      }),
    result: escalation,
    status: 201,
    idempotency: "key",
  }),
  getEscalation: operation({
    summary: "A question of the caller's own, waiting for its answer if asked to",
    description:
      "With `waitMs` it stays open while the question is pending. Repeat it as often as needed. It also ends when the human " +
      "puts the question off, or brings it back, meanwhile: look at `deferredUntil`.",
    method: "GET",
    path: "/v1/escalations/{escalationId}",
    authority: "agent",
    input: z.strictObject({ escalationId: identifier, waitMs }),
    result: escalation,
    errors: ["NOT_FOUND"],
    waits: true,
  }),
  cancelEscalation: operation({
    summary: "Take a question back",
    method: "POST",
    path: "/v1/escalations/{escalationId}/cancel",
    authority: "agent",
    input: z.strictObject({ escalationId: identifier, reason: text(LIMITS.reasonBytes, 0).optional() }),
    result: escalation,
    errors: ["NOT_FOUND", "CONFLICT"],
    idempotency: "key",
  }),
  listMyEscalations: operation({
    summary: "The caller's own questions in pages, by id",
    method: "GET",
    path: "/v1/me/escalations",
    authority: "agent",
    input: z.strictObject({ status: escalationStatus.optional(), ...forwardPage }),
    result: z.object({ escalations: z.array(escalation), nextCursor }),
  }),
  listEscalations: operation({
    summary: "Every question of the scope, oldest first",
    method: "GET",
    path: "/v1/scope/escalations",
    authority: "scope",
    input: z.strictObject({}),
    result: z.array(escalation),
  }),
  listEscalationsPage: operation({
    summary: "Questions in pages, by id",
    method: "GET",
    path: "/v1/scope/escalations/page",
    authority: "scope",
    input: z.strictObject({ status: escalationStatus.optional(), ...forwardPage }),
    result: z.object({ escalations: z.array(escalation), nextCursor }),
  }),
  listEscalationHistory: operation({
    summary: "Questions that are no longer pending, newest first",
    description:
      "With `text` only those whose question, answer or note holds it, whatever its case. With `status`, `agentId` or `text` a " +
      `page looks at ${LIMITS.searchedEscalations} questions, so it may hold few or none and still have a \`nextCursor\`.`,
    method: "GET",
    path: "/v1/scope/escalations/history",
    authority: "scope",
    input: z.strictObject({
      status: escalationStatus.exclude(["pending"]).optional(),
      agentId: identifier.optional(),
      text: text(LIMITS.searchBytes).optional(),
      ...backwardPage,
    }),
    result: z.object({ escalations: z.array(escalation), nextCursor }),
  }),
  getScopeEscalation: operation({
    summary: "One question of the scope",
    method: "GET",
    path: "/v1/scope/escalations/{escalationId}",
    authority: "scope",
    input: escalationId,
    result: escalation,
  }),
  resolveEscalation: operation({
    summary: "Answer a question",
    description:
      "The first answer wins; a later one is CONFLICT with the winner's time and surface in `details`. An answer to an " +
      "expired question is kept and delivered as late.",
    method: "POST",
    path: "/v1/scope/escalations/{escalationId}/resolve",
    authority: "scope",
    input: z.strictObject({
      escalationId: identifier,
      answer: text(LIMITS.answerBytes),
      by: answerSource.optional(),
      surface: answerSurface.optional(),
      note: text(LIMITS.reasonBytes, 0)
        .meta({ description: "What the agent should mind besides the answer; it gets it together with it." })
        .optional(),
    }),
    result: escalation,
    errors: ["CONFLICT"],
    idempotency: "key",
  }),
  deferEscalation: operation({
    summary: "Put a question off",
    description:
      "It stays pending, with `deferredUntil`, and the agent is told so that it can go on with other work. A new deferral " +
      "replaces the old one; `delayMs` 0 brings the question back. An expiry stays what it was. CONFLICT when it is not pending.",
    method: "POST",
    path: "/v1/scope/escalations/{escalationId}/defer",
    authority: "scope",
    input: z.strictObject({ escalationId: identifier, delayMs: integer(0, LIMITS.escalationDeferMaxMs) }),
    result: escalation,
    errors: ["CONFLICT"],
    idempotency: "key",
  }),
  withdrawAnswer: operation({
    summary: "Take an answer back that the agent has not read",
    description:
      `Within ${LIMITS.answerWithdrawMs} ms of answering. The question is pending again, with the expiry it had, and the ` +
      "message with the answer is never delivered. Otherwise CONFLICT with `status` and `reason` in `details`: `not_answered`, " +
      "`late`, `read`, `reserved` (the agent is taking its inbox at this moment) or `too_late`.",
    method: "POST",
    path: "/v1/scope/escalations/{escalationId}/withdraw-answer",
    authority: "scope",
    input: escalationId,
    result: escalation,
    errors: ["CONFLICT"],
    idempotency: "key",
  }),
  recordEscalationNotice: operation({
    summary: "Record where a question was shown to the human, and what came of it",
    description:
      "The same surface and verdict of one question are recorded once; `recorded` says whether it was this call.",
    method: "POST",
    path: "/v1/scope/escalations/{escalationId}/notices",
    authority: "scope",
    input: z.strictObject({ escalationId: identifier, surface: noticeSurface, verdict: noticeVerdict }),
    result: z.object({ recorded: z.boolean() }),
    idempotency: "natural",
  }),
};
