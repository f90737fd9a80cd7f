import type { ErrorValue, RefusalReason } from "../../protocol/index.ts";
import type { NextSteps } from "./tool.ts";

const AFTER_REFUSAL: Partial<Record<RefusalReason, string>> = {
  replaced: "Another session has taken this agent over. Stop; do not retry.",
  expired: "This session's lease has run out. Whoever started it has to register the agent again; do not retry.",
  retired: "This session has been ended. Whoever started it has to register the agent again; do not retry.",
};

const TOO_MANY_WAIT = "Call again without waitMs, or after another waiting call has returned.";

/** What to do after an error, where there is something sensible to do. */
export function nextStep({ code, details }: ErrorValue, ofTool: NextSteps): string | undefined {
  const reason = details?.reason;
  switch (code) {
    case "UNAUTHENTICATED":
      return AFTER_REFUSAL[reason as RefusalReason] ?? "Retrying with the same credential does not help.";
    case "BACKPRESSURE":
      if (reason === "admission") return "Wait a second and call again.";
      if (reason === "waiters") return ofTool.waiters ?? TOO_MANY_WAIT;
      return ofTool.BACKPRESSURE ?? "Try again later.";
    case "INTERNAL":
      return "It is not known whether the call took effect. Look before you repeat it.";
    default:
      return ofTool[code];
  }
}
