import { z } from "zod";
import { flag } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { text } from "../text.ts";
import { credentialSecret } from "./output.ts";

export const agentCardPublication = z
  .object({
    id: identifier,
    scopeId: identifier,
    agentId: identifier,
    enabled: flag,
    cardUrl: z.url(),
    interfaceUrl: z.url(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "AgentCardPublication", description: "An agent made known to A2A clients outside the scope." });
export type AgentCardPublication = z.output<typeof agentCardPublication>;

export const a2aPrincipal = z
  .object({
    id: identifier,
    scopeId: identifier,
    publicationId: identifier,
    label: z.string(),
    enabled: flag,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "A2aPrincipal", description: "Somebody outside the scope who may write to one published agent." });
export type A2aPrincipal = z.output<typeof a2aPrincipal>;

export const issuedA2aPrincipal = z
  .object({ principal: a2aPrincipal, credential: credentialSecret })
  .meta({ id: "IssuedA2aPrincipal" });
export type IssuedA2aPrincipal = z.output<typeof issuedA2aPrincipal>;

export const a2aPrincipalUsage = z
  .object({
    principalId: identifier,
    publicationId: identifier,
    unfinishedMessages: z.int(),
    unfinishedBytes: z.int(),
    messageLimit: z.int(),
    byteLimit: z.int(),
  })
  .meta({ id: "A2aPrincipalUsage" });
export type A2aPrincipalUsage = z.output<typeof a2aPrincipalUsage>;

export const A2A_TASK_STATES = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "failed",
  "canceled",
  "rejected",
] as const;
export type A2aTaskState = (typeof A2A_TASK_STATES)[number];

/** States of an A2A task after which nothing more happens to it. */
export const A2A_TERMINAL_STATES: readonly A2aTaskState[] = ["completed", "failed", "canceled", "rejected"];

const requestText = text(LIMITS.messageBodyBytes);

/** The text the agent gets: the parts of a message, one below the other. */
export function a2aText(message: { readonly parts: readonly { readonly text: string }[] }): string {
  return message.parts.map((part) => part.text).join("\n");
}

/**
 * Shapes of A2A 1.0 (HTTP+JSON), as far as the daemon reads and writes them. Unknown members of a message are accepted:
 * A2A grows by additions.
 * Source: https://a2a-protocol.org/v1.0.0/specification
 */
export const a2aUserMessage = z
  .looseObject({
    messageId: identifier,
    role: z.string({ error: "expected ROLE_USER" }).regex(/^ROLE_USER$/, { error: "expected ROLE_USER" }),
    parts: z
      .array(
        z.looseObject({
          text: z.string({ error: "expected text" }),
          mediaType: z.literal("text/plain", { error: "expected text/plain" }).optional(),
        }),
        { error: "expected a list of text parts" },
      )
      .min(1, { error: "expected at least one part" }),
    taskId: identifier.optional(),
    contextId: identifier.optional(),
  })
  .check((ctx) => {
    const problem = requestText.safeParse(a2aText(ctx.value)).error?.issues[0];
    if (problem) ctx.issues.push({ code: "custom", input: ctx.value.parts, message: problem.message, path: ["parts"] });
  })
  .meta({
    id: "A2aUserMessage",
    description: `Message of an A2A client. Its parts together are ${LIMITS.messageBodyBytes} bytes of text at most.`,
  });

export const a2aMessage = z
  .looseObject({ messageId: z.string(), role: z.string(), parts: z.array(z.looseObject({})) })
  .meta({ id: "A2aMessage", description: "Message of A2A 1.0." });
export type A2aMessage = z.output<typeof a2aMessage>;

const a2aArtifact = z.object({
  artifactId: identifier,
  parts: z.array(z.object({ text: z.string(), mediaType: z.string() })),
});

export const a2aTask = z
  .object({
    id: identifier,
    contextId: identifier,
    status: z.object({ state: z.string(), timestamp: instant }),
    artifacts: z.array(a2aArtifact).optional(),
    history: z.array(a2aMessage).optional(),
  })
  .meta({ id: "A2aTask", description: "Task of A2A 1.0." });
export type A2aTask = z.output<typeof a2aTask>;

export const agentCard = z
  .looseObject({ name: z.string() })
  .meta({ id: "AgentCard", description: "Agent Card of A2A 1.0." });
export type AgentCard = z.output<typeof agentCard>;
