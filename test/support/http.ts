import { isDeepStrictEqual } from "node:util";
import {
  commonErrors,
  ERROR_STATUS,
  type ErrorCode,
  type ErrorValue,
  IDEMPOTENCY_HEADER,
  inputPlacement,
  type Operation,
  type OperationName,
  operationOf,
  pathParameters,
  SCOPE_HEADER,
} from "../../protocol/index.ts";

/** Who calls, and how. */
export interface CallOptions {
  readonly token?: string | undefined;
  /** Scope the admin credential acts for. */
  readonly scopeId?: string | undefined;
  /** Idempotency key. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, undefined when there was none. */
  readonly body: unknown;
}

/** A call that was refused, when it should have succeeded. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly error: ErrorValue;

  constructor(operation: string, status: number, error: ErrorValue) {
    super(`${operation}: ${status} ${error.code} ${error.message}`);
    this.status = status;
    this.error = error;
  }
}

/** An answer that breaks the contract. */
export class ContractBroken extends Error {
  override readonly name = "ContractBroken";
}

export function callHeaders(options: CallOptions): Record<string, string> {
  return {
    ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
    ...(options.scopeId === undefined ? {} : { [SCOPE_HEADER]: options.scopeId }),
    ...(options.key === undefined ? {} : { [IDEMPOTENCY_HEADER]: options.key }),
    ...options.headers,
  };
}

/** Path of an operation with the values of `input` filled in. A missing one becomes `missing`. */
export function pathOf(name: OperationName, input: Readonly<Record<string, unknown>> = {}): string {
  return operationOf(name).path.replace(/\{(\w+)\}/g, (_, field: string) =>
    encodeURIComponent(String(input[field] ?? "missing")),
  );
}

/** Takes an input apart the way the operation wants it to travel. */
export function requestFor(
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
): { method: string; path: string; body: string | undefined } {
  const op = operationOf(name);
  const inPath = new Set(pathParameters(op.path));
  const rest = Object.entries(input).filter(([field, value]) => !inPath.has(field) && value !== undefined);
  const path = pathOf(name, input);
  if (inputPlacement(op) === "query") {
    const query = new URLSearchParams(
      rest.map(([field, value]): [string, string] => [field, String(value)]),
    ).toString();
    return { method: op.method, path: query === "" ? path : `${path}?${query}`, body: undefined };
  }
  return { method: op.method, path, body: JSON.stringify(Object.fromEntries(rest)) };
}

/** Sends a request as it is. */
export async function exchange(
  address: string,
  request: { method: string; path: string; body?: string | Uint8Array<ArrayBuffer> | undefined },
  options: CallOptions = {},
): Promise<Answer> {
  const headers = new Headers(request.body === undefined ? {} : { "Content-Type": "application/json" });
  for (const [name, value] of Object.entries(callHeaders(options))) headers.set(name, value);
  const response = await fetch(address + request.path, {
    method: request.method,
    headers,
    ...(request.body === undefined ? {} : { body: request.body }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The result in an answer. @throws {Refused} @throws {ContractBroken} when it is not what the table promises */
export function resultOf(name: OperationName, answer: Answer): unknown {
  const op = operationOf(name);
  if (answer.status < 200 || answer.status > 299) throw new Refused(name, answer.status, refusalOf(name, answer));
  const bare = op.framing === "bare" || op.framing === "a2a";
  const allowed = bare ? [200] : [op.status];
  if (!allowed.includes(answer.status)) {
    throw new ContractBroken(`${name}: answered ${answer.status}, expected ${op.status}`);
  }
  const result = bare ? answer.body : envelopeOf(name, answer.body);
  checkResult(name, result);
  return result;
}

function envelopeOf(name: OperationName, body: unknown): unknown {
  const envelope = body as { ok?: unknown; result?: unknown };
  const keys = Object.keys((body ?? {}) as object).sort();
  if (envelope?.ok !== true || !isDeepStrictEqual(keys, ["ok", "result"])) {
    throw new ContractBroken(`${name}: expected {ok: true, result}, got ${JSON.stringify(body)}`);
  }
  return envelope.result;
}

/** Validates a result by the operation's schema and reports fields the schema does not know. */
function checkResult(name: OperationName, result: unknown): void {
  const parsed = operationOf(name).result.safeParse(result);
  if (!parsed.success) throw new ContractBroken(`${name}: ${parsed.error.message}\nin ${JSON.stringify(result)}`);
  if (isDeepStrictEqual(parsed.data, result)) return;
  throw new ContractBroken(`${name}: fields outside the schema: ${surplus(result, parsed.data).join(", ")}`);
}

/** Dotted paths that are in `actual` and not in `known`. */
function surplus(actual: unknown, known: unknown, path = ""): string[] {
  if (typeof actual !== "object" || actual === null) return actual === known ? [] : [path];
  return Object.entries(actual).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return typeof known === "object" && known !== null && Object.hasOwn(known, key)
      ? surplus(value, (known as Record<string, unknown>)[key], at)
      : [at];
  });
}

/** Whether an operation denies permission for reasons of its own: a grant that is missing, or a credential of another kind. */
function mayDeny({ authority, errors }: Operation): boolean {
  return errors.includes("PERMISSION_DENIED") || /^(scope|output-)/.test(authority);
}

/** Any call is denied to whoever comes for another Host or from a page of another Origin. */
function byAddress({ details }: ErrorValue): boolean {
  return details?.reason === "host" || details?.reason === "origin";
}

/** The error in a refusal. @throws {ContractBroken} when envelope, status or code are not what the table promises */
export function refusalOf(name: OperationName, answer: Answer): ErrorValue {
  const body = answer.body as { ok?: unknown; error?: ErrorValue };
  const error = body?.error;
  const problem = () => {
    if (body?.ok !== false || typeof error?.code !== "string" || typeof error.message !== "string") {
      return "expected {ok: false, error}";
    }
    const op = operationOf(name);
    if (![...op.errors, ...commonErrors(op)].includes(error.code)) return `code ${error.code} is not in the table`;
    if (error.code === "PERMISSION_DENIED" && !mayDeny(op) && !byAddress(error)) return "denied without a reason to";
    if (ERROR_STATUS[error.code as ErrorCode] !== answer.status) return `status ${answer.status} with ${error.code}`;
    const unknown = Object.keys(error).filter((key) => !["code", "message", "details"].includes(key));
    return unknown.length > 0 ? `unknown field ${unknown[0]} in the error` : undefined;
  };
  const found = problem();
  if (found) throw new ContractBroken(`${name}: ${found}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return error as ErrorValue;
}
