import { IntercomError, isIntercomError } from "../protocol/index.ts";

/**
 * What went wrong between client and daemon, in `details.reason` of an `INTERNAL` error.
 *
 * - `network`: no answer, or it broke off.
 * - `timeout`: no answer in time. The call may still have taken effect.
 * - `aborted`: the caller's signal fired.
 * - `protocol`: the answer was not the daemon's; something else listens there, or stands in between.
 */
export type FailureReason = "network" | "timeout" | "aborted" | "protocol";

export function failure(
  reason: FailureReason,
  message: string,
  cause?: unknown,
  facts?: Readonly<Record<string, unknown>>,
): IntercomError {
  return new IntercomError("INTERNAL", message, { reason, ...facts }, cause === undefined ? undefined : { cause });
}

/** Why a call never got an answer of the daemon; undefined for answers and for other errors. */
export function failureReason(error: unknown): FailureReason | undefined {
  if (!isIntercomError(error, "INTERNAL")) return undefined;
  const reason = error.details?.reason;
  return reason === "network" || reason === "timeout" || reason === "aborted" || reason === "protocol"
    ? reason
    : undefined;
}

/** True where the same call may succeed later without any change by the caller. */
export function isTransient(error: unknown): boolean {
  if (isIntercomError(error, "BACKPRESSURE")) return true;
  return isIntercomError(error, "INTERNAL") && failureReason(error) !== "aborted";
}

/** Any thrown value as the one error class of the product. */
export function toIntercomError(error: unknown): IntercomError {
  if (isIntercomError(error)) return error;
  return new IntercomError("INTERNAL", error instanceof Error ? error.message : String(error), undefined, {
    cause: error,
  });
}
