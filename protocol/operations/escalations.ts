import { z } from "zod";
import { forwardPage, integer, nextCursor, waitMs } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import {
  answerSource,
  answerSurface,
  escalation,
  escalationKind,
  escalationStatus,
  escalationUrgency,
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
    description: "With `waitMs` it stays open while the question is pending. Repeat it as often as needed.",
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
      note: text(LIMITS.reasonBytes, 0).optional(),
    }),
    result: escalation,
    errors: ["CONFLICT"],
    idempotency: "key",
  }),
};
