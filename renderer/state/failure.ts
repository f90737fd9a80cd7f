import { IntercomError } from "../../protocol/errors.ts";

/** What was thrown, as the error it is or the defect it shows. */
export function asIntercomError(error: unknown): IntercomError {
  return error instanceof IntercomError ? error : new IntercomError("INTERNAL", String(error));
}
