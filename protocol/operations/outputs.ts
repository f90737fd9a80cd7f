import { z } from "zod";
import { integer, waitMs } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import {
  issuedOutputPrincipal,
  outputContent,
  outputContentType,
  outputHistory,
  outputPermissions,
  outputPrincipal,
  outputReference,
  outputStream,
  outputValue,
  outputValueProblem,
  retentionLimit,
} from "../objects/output.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

const ofStream = z.strictObject({ streamId: identifier });
const publisher = z.strictObject({ streamId: identifier, agentId: identifier });
const ofPrincipal = z.strictObject({ principalId: identifier });

const publisherAgentIds = z
  .array(identifier, { error: "expected a list of agent ids" })
  .max(LIMITS.outputPublishers, { error: `expected at most ${LIMITS.outputPublishers} agent ids` })
  .refine((ids) => new Set(ids).size === ids.length, { error: "expected each agent id once" })
  .meta({ uniqueItems: true });

/** Streams of values a scope publishes, and credentials for readers and publishers outside of it. */
export const outputOperations = {
  createOutputStream: operation({
    summary: "Open a stream of values",
    description: "Agents named as publishers may publish; everybody else needs a credential of the stream.",
    method: "POST",
    path: "/v1/output-streams",
    authority: "scope",
    input: z.strictObject({
      name: identifier.meta({ description: "Unique in the scope." }),
      retentionLimit: retentionLimit.optional(),
      publisherAgentIds: publisherAgentIds.optional(),
    }),
    result: outputStream,
    status: 201,
    errors: ["CONFLICT"],
    idempotency: "key",
  }),
  listOutputStreams: operation({
    summary: "Every stream of the scope, oldest first",
    method: "GET",
    path: "/v1/output-streams",
    authority: "scope",
    input: z.strictObject({}),
    result: z.array(outputStream),
  }),
  getOutputStream: operation({
    summary: "One stream of the scope",
    method: "GET",
    path: "/v1/output-streams/{streamId}",
    authority: "scope",
    input: ofStream,
    result: outputStream,
  }),
  removeOutputStream: operation({
    summary: "Remove a stream with its values and credentials",
    method: "DELETE",
    path: "/v1/output-streams/{streamId}",
    authority: "scope",
    input: ofStream,
    result: z.object({ removed: z.literal(true) }),
  }),
  addOutputPublisher: operation({
    summary: "Let an agent publish",
    method: "PUT",
    path: "/v1/output-streams/{streamId}/publishers/{agentId}",
    authority: "scope",
    input: publisher,
    result: outputStream,
    idempotency: "natural",
  }),
  removeOutputPublisher: operation({
    summary: "Take the right to publish from an agent",
    method: "DELETE",
    path: "/v1/output-streams/{streamId}/publishers/{agentId}",
    authority: "scope",
    input: publisher,
    result: outputStream,
    idempotency: "natural",
  }),
  createOutputPrincipal: operation({
    summary: "Issue a credential that reads or publishes one stream",
    description: "The credential is shown once. After a lost answer rotate it.",
    method: "POST",
    path: "/v1/output-principals",
    authority: "scope",
    input: z.strictObject({
      streamId: identifier,
      label: text(LIMITS.credentialLabelBytes),
      permissions: outputPermissions,
    }),
    result: issuedOutputPrincipal,
    status: 201,
  }),
  listOutputPrincipals: operation({
    summary: "Every output credential of the scope, without its secret",
    method: "GET",
    path: "/v1/output-principals",
    authority: "scope",
    input: z.strictObject({}),
    result: z.array(outputPrincipal),
  }),
  rotateOutputPrincipal: operation({
    summary: "Replace an output credential's secret",
    description: "A disabled one stays disabled.",
    method: "POST",
    path: "/v1/output-principals/{principalId}/rotate",
    authority: "scope",
    input: ofPrincipal,
    result: issuedOutputPrincipal,
  }),
  enableOutputPrincipal: operation({
    summary: "Let an output credential work again",
    method: "POST",
    path: "/v1/output-principals/{principalId}/enable",
    authority: "scope",
    input: ofPrincipal,
    result: outputPrincipal,
    idempotency: "natural",
  }),
  disableOutputPrincipal: operation({
    summary: "Stop an output credential from working",
    method: "POST",
    path: "/v1/output-principals/{principalId}/disable",
    authority: "scope",
    input: ofPrincipal,
    result: outputPrincipal,
    idempotency: "natural",
  }),
  publishOutput: operation({
    summary: "Publish a value",
    description: `At most ${LIMITS.outputPublishesPerMinute} a minute for each publisher. The oldest values beyond the stream's limit are dropped.`,
    method: "POST",
    path: "/outputs/{streamId}/values",
    authority: "output-publish",
    input: z
      .strictObject({
        streamId: identifier,
        contentType: outputContentType,
        value: outputContent,
        reference: outputReference.optional(),
      })
      .check((ctx) => {
        const message = outputValueProblem(ctx.value.contentType, ctx.value.value);
        if (message !== undefined) {
          ctx.issues.push({ code: "custom", input: ctx.value.value, message, path: ["value"] });
        }
      })
      .meta({
        if: { properties: { contentType: { const: "text/plain" } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, nothing that is awaited
        then: {
          properties: {
            value: { type: "string", maxLength: LIMITS.outputTextBytes, "x-maxBytes": LIMITS.outputTextBytes },
          },
        },
      }),
    result: outputValue,
    status: 201,
    errors: ["PERMISSION_DENIED"],
    idempotency: "key",
    perMinute: { limit: LIMITS.outputPublishesPerMinute, of: ["agent", "principal"] },
    origins: "listed",
  }),
  listOutputValues: operation({
    summary: "Values after a cursor, oldest first, waiting for the next one if asked to",
    description: `Continue at \`nextSequence\`; a page of large values may have fewer than \`limit\`. A credential may make ${LIMITS.outputReadsPerMinute} reading calls a minute.`,
    method: "GET",
    path: "/outputs/{streamId}/values",
    authority: "output-read",
    input: z.strictObject({
      streamId: identifier,
      after: integer(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: integer(0, LIMITS.outputPage)
        .meta({ description: `0 or absent: ${LIMITS.outputPageDefault}.` })
        .optional(),
      waitMs,
    }),
    result: outputHistory,
    waits: true,
    perMinute: { limit: LIMITS.outputReadsPerMinute, of: ["principal"] },
    origins: "listed",
  }),
  latestOutput: operation({
    summary: "The newest value, or null",
    method: "GET",
    path: "/outputs/{streamId}/latest",
    authority: "output-read",
    input: ofStream,
    result: outputValue.nullable(),
    perMinute: { limit: LIMITS.outputReadsPerMinute, of: ["principal"] },
    origins: "listed",
  }),
};
