import { z } from "zod";
import { oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { contextItem } from "./message.ts";

export const ESCALATION_STATUSES = ["pending", "resolved", "cancelled", "expired"] as const;
export const escalationStatus = oneOf(ESCALATION_STATUSES);
export type EscalationStatus = (typeof ESCALATION_STATUSES)[number];

export const escalationKind = oneOf(["input", "permission", "choice"]);
export const escalationUrgency = oneOf(["low", "normal", "high"]);
export const answerSource = oneOf(["human", "rule"]);
/** Where it was answered. `client`: in the agent's own program, which asked it on the agent's behalf. */
export const answerSurface = oneOf(["tray", "window", "notification", "cli", "api", "client"]);

/** Where a question can be shown to the human. */
export const noticeSurface = oneOf(["tray", "window", "notification", "cli"]);
/** What became of showing it there. Those not shown were kept back: it was on screen already, told with others, or may not be. */
export const noticeVerdict = oneOf([
  "shown",
  "seen",
  "suppressed_visible",
  "suppressed_paused",
  "suppressed_disabled",
  "digest",
  "os_denied",
  "failed",
  "dismissed",
  "withdrawn",
]);

/** Who answered, where and when. An expiry has none: it is never an answer. */
export const resolution = z
  .object({
    by: answerSource,
    surface: answerSurface,
    at: instant,
    note: z.string().optional().meta({ description: "What the human wants the agent to mind besides the answer." }),
    late: z.boolean().meta({ description: "The question had expired before this answer came." }),
  })
  .meta({ id: "Resolution" });

export const escalation = z
  .object({
    id: identifier,
    scopeId: identifier,
    agentId: identifier,
    kind: escalationKind,
    urgency: escalationUrgency,
    question: z.string(),
    options: z.array(z.string()),
    context: z.array(contextItem),
    status: escalationStatus,
    answer: z.string().optional(),
    resolution: resolution.optional(),
    cancelReason: z.string().optional(),
    createdAt: instant,
    expiresAt: instant.optional(),
    deferredUntil: instant.optional().meta({
      description:
        "The human has put the question off until then; it stays `pending`, and nothing happens by itself then.",
    }),
    expiredAt: instant.optional(),
    cancelledAt: instant.optional(),
    resolvedAt: instant.optional(),
    answerReadAt: instant.optional().meta({
      description: "When the agent that asked first got the answer, from a call or with its inbox.",
    }),
  })
  .meta({ id: "Escalation" });
export type Escalation = z.output<typeof escalation>;
