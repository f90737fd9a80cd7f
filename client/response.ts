import { ERROR_CODES, type ErrorCode, IntercomError, type Operation } from "../protocol/index.ts";
import { failure } from "./failure.ts";

/**
 * The result an answer carries. Results are typed but not parsed: a newer daemon may add fields and values.
 * @throws {IntercomError} The daemon's own error, or `INTERNAL` with `details.reason` `network` or `protocol`.
 */
export async function readResult(response: Response, op: Operation): Promise<unknown> {
  const payload = await readJson(response);
  // Health travels without envelope, also with status 503; refusals before it (Host, method) come in one.
  if (op.framing === "bare" && !isFailure(payload)) return payload;
  if (response.ok && isObject(payload) && payload.ok === true && "result" in payload) return payload.result;
  throw errorOf(response, payload);
}

/** The error of an answer that is not the expected stream. */
export async function readError(response: Response): Promise<IntercomError> {
  return errorOf(response, await readJson(response));
}

async function readJson(response: Response): Promise<unknown> {
  let body: string;
  try {
    body = await response.text();
  } catch (error) {
    throw failure("network", "The answer broke off", error);
  }
  try {
    return JSON.parse(body);
  } catch (error) {
    throw failure("protocol", `Expected JSON, got status ${response.status} with something else`, error, {
      status: response.status,
    });
  }
}

function errorOf(response: Response, payload: unknown): IntercomError {
  if (!isFailure(payload)) {
    return failure(
      "protocol",
      `Expected an answer of the daemon, got status ${response.status} with other JSON`,
      undefined,
      {
        status: response.status,
      },
    );
  }
  const { code, message, details } = payload.error;
  const facts = { ...details, ...retryAfter(response) };
  const text = typeof message === "string" ? message : "The daemon gave no reason";
  if (!isErrorCode(code)) return failure("protocol", text, undefined, { ...facts, code });
  return new IntercomError(code, text, Object.keys(facts).length > 0 ? facts : undefined);
}

/** `Retry-After` in milliseconds, where the daemon asks for patience. */
function retryAfter(response: Response): { retryAfterMs?: number } {
  const header = response.headers.get("Retry-After");
  if (response.status !== 429 || header === null) return {};
  const seconds = Number(header);
  if (Number.isFinite(seconds) && seconds >= 0) return { retryAfterMs: seconds * 1000 };
  const instant = Date.parse(header);
  return Number.isNaN(instant) ? {} : { retryAfterMs: Math.max(0, instant - Date.now()) };
}

interface FailureEnvelope {
  readonly ok: false;
  readonly error: {
    readonly code: unknown;
    readonly message: unknown;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

function isFailure(payload: unknown): payload is FailureEnvelope {
  return isObject(payload) && payload.ok === false && isObject(payload.error);
}

function isErrorCode(code: unknown): code is ErrorCode {
  return (ERROR_CODES as readonly unknown[]).includes(code);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
