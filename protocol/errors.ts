/** Error codes and the HTTP status each one travels with. Clients branch on the code and never on the message. */
export const ERROR_STATUS = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  BACKPRESSURE: 429,
  INTERNAL: 500,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export const ERROR_CODES = Object.keys(ERROR_STATUS) as readonly ErrorCode[];

/**
 * Why a credential was refused, in `details.reason` of `UNAUTHENTICATED`. After `expired` or `retired` an agent may
 * register again; after `replaced` another session has taken its place; a `used` link to sign in was good for once;
 * `unknown` means the daemon never gave it out.
 */
export const REFUSAL_REASONS = ["missing", "unknown", "expired", "replaced", "retired", "used"] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Machine-readable facts beside a code, e.g. `{reason: "replaced"}` or the winning answer of an escalation. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** What a failed call carries over any boundary. */
export interface ErrorValue {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails;
}

/** The one error class of the product; anything else that is thrown is a defect and surfaces as `INTERNAL`. */
export class IntercomError extends Error {
  override readonly name = "IntercomError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, details?: ErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  toValue(): ErrorValue {
    return { code: this.code, message: this.message, ...(this.details ? { details: this.details } : {}) };
  }
}

/** True for an {@link IntercomError}, optionally of one code. */
export function isIntercomError(error: unknown, code?: ErrorCode): error is IntercomError {
  return error instanceof IntercomError && (code === undefined || error.code === code);
}
