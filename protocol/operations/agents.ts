import { z } from "zod";
import { flag, forwardPage, nextCursor, setOf } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import {
  agent,
  agentMetadata,
  capabilities,
  displayName,
  leaseMs,
  lifecycle,
  nodeStatus,
  registration,
} from "../objects/agent.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

const summary = text(LIMITS.summaryBytes, 0).meta({ description: "What the agent is about, in its own words." });

/** Agents and their executions. */
export const agentOperations = {
  registerAgent: operation({
    summary: "Register an agent and become its current execution",
    description:
      "Registering an id that exists replaces its execution at once: the old token stops working, its reservations and " +
      "claims are freed. Links, inbox and history belong to the agent and stay.",
    method: "POST",
    path: "/v1/agents",
    authority: "scope",
    input: z.strictObject({
      id: identifier.optional(),
      displayName,
      capabilities: capabilities.optional(),
      connectTo: setOf(identifier, LIMITS.connectTo).optional(),
      leaseMs,
      summary: summary.optional(),
      metadata: agentMetadata.optional(),
      notices: flag
        .meta({
          description: "Receive the daemon's notices and the human's answers in the inbox; on unless told otherwise.",
        })
        .optional(),
      unlessRunning: flag
        .meta({ description: "CONFLICT instead of replacing an execution whose lease runs and that is not offline." })
        .optional(),
    }),
    result: registration,
    status: 201,
    errors: ["CONFLICT", "NOT_FOUND"],
  }),
  listAgents: operation({
    summary: "Every agent of the scope, by registration time",
    method: "GET",
    path: "/v1/agents",
    authority: "scope",
    input: z.strictObject({}),
    result: z.array(agent),
  }),
  listAgentsPage: operation({
    summary: "Agents of the scope in pages, by id",
    method: "GET",
    path: "/v1/scope/agents",
    authority: "scope",
    input: z.strictObject(forwardPage),
    result: z.object({ agents: z.array(agent), nextCursor }),
  }),
  getAgent: operation({
    summary: "One agent of the scope",
    method: "GET",
    path: "/v1/scope/agents/{agentId}",
    authority: "scope",
    input: z.strictObject({ agentId: identifier }),
    result: agent,
  }),
  removeAgent: operation({
    summary: "Take an agent off the list",
    description:
      "Retires its execution and hides it from lists and peers. Its history stays, and registering the id again brings it " +
      "back together with what still waits in its inbox.",
    method: "DELETE",
    path: "/v1/scope/agents/{agentId}",
    authority: "scope",
    input: z.strictObject({ agentId: identifier }),
    result: z.object({ removed: z.boolean() }),
    idempotency: "natural",
  }),
  whoAmI: operation({
    summary: "The caller's own identity and presence",
    method: "GET",
    path: "/v1/me",
    authority: "agent",
    input: z.strictObject({}),
    result: nodeStatus,
  }),
  heartbeat: operation({
    summary: "Renew the lease and say how the agent is",
    description: "Send one at about a third of the lease. `offline` goes with `ready: false` only.",
    method: "PATCH",
    path: "/v1/me/heartbeat",
    authority: "agent",
    input: z
      .strictObject({ lifecycle, ready: flag, leaseMs, summary: summary.optional() })
      .refine((value) => !(value.lifecycle === "offline" && value.ready), {
        error: "expected false while lifecycle is offline",
        path: ["ready"],
      })
      .meta({
        if: { properties: { lifecycle: { const: "offline" } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, nothing that is awaited
        then: { properties: { ready: { const: false } } },
      }),
    result: agent,
    idempotency: "natural",
    budget: "control",
  }),
  updateProfile: operation({
    summary: "Change what the agent says of itself",
    method: "PATCH",
    path: "/v1/me",
    authority: "agent",
    input: z.strictObject({
      displayName: displayName.optional(),
      summary: summary.optional(),
      metadata: agentMetadata.optional(),
      capabilities: capabilities.optional(),
    }),
    result: agent,
    idempotency: "natural",
  }),
  retire: operation({
    summary: "End the execution",
    description: "Frees its reservations and claims. Repeating it with the same token answers the same.",
    method: "POST",
    path: "/v1/me/retire",
    authority: "agent-expired-ok",
    input: z.strictObject({}),
    result: z.object({ retired: z.literal(true) }),
    idempotency: "natural",
    budget: "control",
  }),
  listPeers: operation({
    summary: "Agents the caller may message, by registration time",
    method: "GET",
    path: "/v1/peers",
    authority: "agent",
    input: z.strictObject({}),
    result: z.array(agent),
  }),
};
