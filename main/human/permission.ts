import type { Escalation } from "../../protocol/index.ts";

/** True where an answer lets the agent go on with something that may harm: it is never the first thing under the finger. */
export function isGrant({ kind }: Escalation): boolean {
  return kind === "permission";
}

/** True where the human should see the whole question before answering. */
export function isHighRisk({ kind, urgency }: Escalation): boolean {
  return kind === "permission" && urgency === "high";
}
