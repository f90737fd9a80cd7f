import type { Escalation } from "../../protocol/index.ts";

/** What an agent gets that asked for a permission and offered no answers of its own. */
export const PERMISSION_ANSWERS = { allow: "allow", deny: "deny" } as const;

/** True where an answer lets the agent go on with something that may harm: it is never the first thing under the finger. */
export function isGrant({ kind }: Escalation): boolean {
  return kind === "permission";
}

/** True where the human should see the whole question before answering. */
export function isHighRisk({ kind, urgency }: Escalation): boolean {
  return kind === "permission" && urgency === "high";
}
