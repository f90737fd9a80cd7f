import {
  IDEMPOTENCY_HEADER,
  IntercomError,
  inputPlacement,
  type Operation,
  pathParameters,
  SCOPE_HEADER,
  SESSION_HEADER,
} from "../protocol/index.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";

export interface Credential {
  /** Goes into the `Authorization` header. */
  readonly token?: string;
  /** Of a browser session, whose other half is a cookie the browser sends by itself. */
  readonly sessionProof?: string | undefined;
  /** Set when the admin credential acts as the owner of this scope. */
  readonly scopeId: string | undefined;
}

export interface BuiltRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The HTTP form of one call. It stays the same through all retries, so that they carry one idempotency key.
 * @throws {IntercomError} `INVALID_ARGUMENT` when a field of the path is missing or cannot stand in a path.
 */
export function buildRequest(
  address: string,
  op: Operation,
  input: Fields,
  credential: Credential | undefined,
  idempotencyKey: string | undefined,
): BuiltRequest {
  const inPath = pathParameters(op.path);
  const rest = Object.entries(input).filter(([name, value]) => value !== undefined && !inPath.includes(name));
  const inBody = inputPlacement(op) === "body";
  const headers: Record<string, string> = { Accept: "application/json" };
  if (credential?.token !== undefined) headers.Authorization = `Bearer ${credential.token}`;
  if (credential?.sessionProof !== undefined) headers[SESSION_HEADER] = credential.sessionProof;
  if (credential?.scopeId !== undefined) headers[SCOPE_HEADER] = credential.scopeId;
  if (inBody) headers["Content-Type"] = "application/json";
  if (op.idempotency === "key") headers[IDEMPOTENCY_HEADER] = idempotencyKey ?? keyOf(input) ?? newIdempotencyKey();
  return {
    url: address + fillPath(op.path, inPath, input) + (inBody ? "" : queryOf(rest)),
    method: op.method,
    headers,
    body: inBody ? JSON.stringify(Object.fromEntries(rest)) : undefined,
  };
}

/** Messages may carry their key among the fields; the header then says the same. */
function keyOf(input: Fields): string | undefined {
  return typeof input.idempotencyKey === "string" ? input.idempotencyKey : undefined;
}

function fillPath(path: string, names: readonly string[], input: Fields): string {
  return names.reduce((filled, name) => {
    const value = input[name];
    // "." and ".." would be resolved away by the URL parser and reach another route.
    if (typeof value !== "string" || value === "" || value === "." || value === "..") {
      throw new IntercomError("INVALID_ARGUMENT", `${name}: expected an identifier`, {
        issues: [{ field: name, problem: "expected an identifier" }],
      });
    }
    return filled.replace(`{${name}}`, () => encodeURIComponent(value));
  }, path);
}

function queryOf(fields: readonly (readonly [string, unknown])[]): string {
  if (fields.length === 0) return "";
  const query = new URLSearchParams();
  for (const [name, value] of fields) query.append(name, String(value));
  return `?${query}`;
}
