import { type ErrorCode, IntercomError } from "../../protocol/index.ts";

/** One kind of refusal of A2A 1.0: its status in HTTP and in gRPC's words. */
interface Kind {
  readonly httpStatus: number;
  readonly status: string;
}

/**
 * Refusals of the A2A interface by the reason they carry.
 * Source: https://a2a-protocol.org/v1.0.0/specification, error code mappings; the last three are of general make.
 */
const KINDS = {
  INVALID_PARAMS: { httpStatus: 400, status: "INVALID_ARGUMENT" },
  INVALID_REQUEST: { httpStatus: 400, status: "INVALID_ARGUMENT" },
  CONTENT_TYPE_NOT_SUPPORTED: { httpStatus: 400, status: "INVALID_ARGUMENT" },
  UNSUPPORTED_OPERATION: { httpStatus: 400, status: "FAILED_PRECONDITION" },
  VERSION_NOT_SUPPORTED: { httpStatus: 400, status: "FAILED_PRECONDITION" },
  TASK_NOT_FOUND: { httpStatus: 404, status: "NOT_FOUND" },
  UNAUTHENTICATED: { httpStatus: 401, status: "UNAUTHENTICATED" },
  SERVER_ERROR: { httpStatus: 429, status: "RESOURCE_EXHAUSTED" },
  INTERNAL_ERROR: { httpStatus: 500, status: "INTERNAL" },
} as const satisfies Record<string, Kind>;

export type A2aReason = keyof typeof KINDS;

/** A refusal that only A2A has a word for. */
export class A2aError extends Error {
  override readonly name = "A2aError";
  readonly reason: A2aReason;

  constructor(reason: A2aReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const REASONS: Readonly<Record<ErrorCode, A2aReason>> = {
  INVALID_ARGUMENT: "INVALID_PARAMS",
  UNAUTHENTICATED: "UNAUTHENTICATED",
  PERMISSION_DENIED: "UNAUTHENTICATED",
  NOT_FOUND: "TASK_NOT_FOUND",
  METHOD_NOT_ALLOWED: "UNSUPPORTED_OPERATION",
  CONFLICT: "INVALID_REQUEST",
  BACKPRESSURE: "SERVER_ERROR",
  INTERNAL: "INTERNAL_ERROR",
};

/** A refusal as it goes over the wire. */
export interface A2aRefusal {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Puts whatever was thrown into A2A's words. A defect shows nothing of its inside. */
export function toRefusal(error: unknown): A2aRefusal {
  const reason = reasonOf(error);
  const { httpStatus, status } = KINDS[reason];
  const message =
    reason === "INTERNAL_ERROR" ? "Internal error; the daemon's log has details" : (error as Error).message;
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" };
  return {
    httpStatus,
    headers: headersOf(reason, error),
    body: { error: { code: httpStatus, status, message, details: [info] } },
  };
}

function reasonOf(error: unknown): A2aReason {
  if (error instanceof A2aError) return error.reason;
  return error instanceof IntercomError ? REASONS[error.code] : "INTERNAL_ERROR";
}

function headersOf(reason: A2aReason, error: unknown): Record<string, string> {
  const details = error instanceof IntercomError ? error.details : undefined;
  if (reason === "UNAUTHENTICATED") return { "WWW-Authenticate": "Bearer" };
  if (details?.reason === "admission") return { "Retry-After": "1" };
  if (details?.reason === "rate") return { "Retry-After": String(details.retryAfterSeconds) };
  // The rest of an oversized body will not be read.
  return details?.reason === "too_large" ? { Connection: "close" } : {};
}
