import { z } from "zod";
import { integer } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import {
  a2aPrincipal,
  a2aPrincipalUsage,
  a2aTask,
  a2aUserMessage,
  agentCard,
  agentCardPublication,
  issuedA2aPrincipal,
} from "../objects/a2a.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

const ofPublication = z.strictObject({ publicationId: identifier });
const ofPrincipal = z.strictObject({ principalId: identifier });

/** How many of the newest messages the task in an answer shows; all of them by default. */
const historyLength = integer(0, 2 ** 31 - 1).optional();

/** Agents made known to A2A clients outside the scope, the credentials of those, and the A2A interface itself. */
export const a2aOperations = {
  publishAgentCard: operation({
    summary: "Publish an agent to A2A clients",
    description: "One publication per agent. Clients need a credential of the publication to write to the agent.",
    method: "POST",
    path: "/v1/a2a/publications",
    authority: "scope",
    input: z.strictObject({ agentId: identifier }),
    result: agentCardPublication,
    status: 201,
    errors: ["CONFLICT"],
  }),
  listAgentCardPublications: operation({
    summary: "Every publication of the scope, oldest first",
    method: "GET",
    path: "/v1/a2a/publications",
    authority: "scope",
    input: z.strictObject({}),
    result: z.array(agentCardPublication),
  }),
  enableAgentCardPublication: operation({
    summary: "Show an agent's card again",
    method: "POST",
    path: "/v1/a2a/publications/{publicationId}/enable",
    authority: "scope",
    input: ofPublication,
    result: agentCardPublication,
    idempotency: "natural",
  }),
  disableAgentCardPublication: operation({
    summary: "Hide an agent's card and refuse its clients",
    method: "POST",
    path: "/v1/a2a/publications/{publicationId}/disable",
    authority: "scope",
    input: ofPublication,
    result: agentCardPublication,
    idempotency: "natural",
  }),
  createA2aPrincipal: operation({
    summary: "Issue a credential that writes to one published agent",
    description: "The credential is shown once. After a lost answer rotate it.",
    method: "POST",
    path: "/v1/a2a/principals",
    authority: "scope",
    input: z.strictObject({ publicationId: identifier, label: text(LIMITS.credentialLabelBytes) }),
    result: issuedA2aPrincipal,
    status: 201,
  }),
  listA2aPrincipals: operation({
    summary: "Every A2A credential of the scope, without its secret",
    method: "GET",
    path: "/v1/a2a/principals",
    authority: "scope",
    input: z.strictObject({}),
    result: z.array(a2aPrincipal),
  }),
  listA2aPrincipalUsage: operation({
    summary: "How much unfinished work each A2A credential has, and its limits",
    method: "GET",
    path: "/v1/a2a/principals/usage",
    authority: "scope",
    input: z.strictObject({}),
    result: z.array(a2aPrincipalUsage),
  }),
  rotateA2aPrincipal: operation({
    summary: "Replace an A2A credential's secret",
    description: "A disabled one stays disabled.",
    method: "POST",
    path: "/v1/a2a/principals/{principalId}/rotate",
    authority: "scope",
    input: ofPrincipal,
    result: issuedA2aPrincipal,
  }),
  enableA2aPrincipal: operation({
    summary: "Let an A2A credential work again",
    method: "POST",
    path: "/v1/a2a/principals/{principalId}/enable",
    authority: "scope",
    input: ofPrincipal,
    result: a2aPrincipal,
    idempotency: "natural",
  }),
  disableA2aPrincipal: operation({
    summary: "Stop an A2A credential from working",
    method: "POST",
    path: "/v1/a2a/principals/{principalId}/disable",
    authority: "scope",
    input: ofPrincipal,
    result: a2aPrincipal,
    idempotency: "natural",
  }),
  getAgentCard: operation({
    summary: "The card of a published agent",
    description: "Also answers HEAD, `If-None-Match` and `If-Modified-Since`. A disabled publication does not exist.",
    method: "GET",
    path: "/a2a/agents/{publicationId}/.well-known/agent-card.json",
    authority: "none",
    input: ofPublication,
    result: agentCard,
    errors: ["NOT_FOUND"],
    framing: "a2a",
    origins: "any",
  }),
  sendA2aMessage: operation({
    summary: "Send a message to a published agent (A2A SendMessage)",
    description:
      "Plain text only. Each message becomes a request in the agent's inbox and a task of A2A; the same `messageId` again " +
      "gives the same task as it is now. The answer does not wait for the agent's. Errors are those of A2A.",
    method: "POST",
    path: "/a2a/agents/{publicationId}/message:send",
    authority: "a2a",
    input: z.strictObject({
      publicationId: identifier,
      message: a2aUserMessage,
      configuration: z.looseObject({ historyLength }).optional(),
      metadata: z.strictObject({}).optional(),
      tenant: z.literal("", { error: "expected none; the interface is that of one agent" }).optional(),
    }),
    result: z.object({ task: a2aTask }),
    errors: ["NOT_FOUND", "CONFLICT"],
    idempotency: "natural",
    framing: "a2a",
  }),
  getA2aTask: operation({
    summary: "A task of the caller's own with its answer (A2A GetTask)",
    description: "Errors are those of A2A.",
    method: "GET",
    path: "/a2a/agents/{publicationId}/tasks/{taskId}",
    authority: "a2a",
    input: z.strictObject({ publicationId: identifier, taskId: identifier, historyLength }),
    result: a2aTask,
    errors: ["NOT_FOUND"],
    framing: "a2a",
  }),
};
