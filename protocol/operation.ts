import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";

/**
 * Whose credential a call needs.
 *
 * - `none`: nobody's.
 * - `admin`: the daemon's own.
 * - `scope`: the scope token, or the admin credential together with the `Intercom-Scope` header.
 * - `agent`: the token of the current execution, with its lease running.
 * - `agent-expired-ok`: the same, but a lease that has run out does not matter.
 * - `scope-or-agent`: either of the two; the agent token is tried first.
 * - `output-publish`: the token of an agent the stream names as publisher, else a credential that may publish to it.
 * - `output-read`: the scope token, else a credential that may read the stream.
 * - `a2a`: a credential of the publication.
 * - `connector`: the secret of a connector.
 */
export type Authority =
  | "none"
  | "admin"
  | "scope"
  | "agent"
  | "agent-expired-ok"
  | "scope-or-agent"
  | "output-publish"
  | "output-read"
  | "a2a"
  | "connector";

/** Kinds of callers that are counted where calls per minute are limited. */
export type CountedCaller = "agent" | "principal";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * How a call may be repeated after an ambiguous failure.
 *
 * - `key`: send the same `Idempotency-Key`; the first result comes back, other content is `CONFLICT`.
 * - `natural`: repeating changes nothing.
 * - `none`: look before repeating.
 */
export type Idempotency = "key" | "natural" | "none";

export interface Operation<Input extends z.ZodObject = z.ZodObject, Result extends z.ZodType = z.ZodType> {
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** Path template; `{name}` takes the input field of that name. */
  readonly path: string;
  /** Further paths that answer the same. */
  readonly aliases?: readonly string[];
  readonly authority: Authority;
  /** One flat object. Fields outside the path travel in the query of GET and DELETE, otherwise in the JSON body. */
  readonly input: Input;
  /** Set where a DELETE takes its fields as a JSON body. */
  readonly inputIn?: "body";
  readonly result: Result;
  readonly status: 200 | 201 | 202;
  /** Named events of a stream, beside the unnamed ones that are results: what the data of each is. */
  readonly signals?: Readonly<Record<string, z.ZodType>>;
  /** Codes of its own, beyond those any call can answer (see {@link commonErrors}). */
  readonly errors: readonly ErrorCode[];
  readonly idempotency: Idempotency;
  /** `control` calls keep answering while ordinary ones are being refused. */
  readonly budget: "ordinary" | "control";
  /** The call may stay open up to `waitMs`. */
  readonly waits?: true;
  /**
   * `bare`: the result itself, without envelope. `events`: a Server-Sent Events stream of results. `binary`: a file.
   * `a2a`: result and errors as A2A has them.
   */
  readonly framing: "envelope" | "bare" | "events" | "binary" | "a2a";
  /** Input or result may be larger than memory should hold, so the daemon streams it. */
  readonly transfer?: "upload" | "download";
  /** May take minutes, so clients wait longer for it than for others. */
  readonly slow?: true;
  /** Calls one caller may make per minute of the clock, for the kinds of callers named. */
  readonly perMinute?: { readonly limit: number; readonly of: readonly CountedCaller[] };
  /** Pages of which other origins may call: those the daemon's settings list, or any. By default none may. */
  readonly origins?: "listed" | "any";
}

type Defaults = "status" | "errors" | "idempotency" | "budget" | "framing";

/** Fills in what most operations share and keeps the exact schema types. */
export function operation<Input extends z.ZodObject, Result extends z.ZodType, A extends Authority>(
  definition: Omit<Operation<Input, Result>, Defaults | "authority"> &
    Partial<Pick<Operation<Input, Result>, Defaults>> & { readonly authority: A },
): Operation<Input, Result> & { readonly authority: A } {
  return {
    status: 200,
    errors: [],
    idempotency: definition.method === "GET" ? "natural" : "none",
    budget: "ordinary",
    framing: "envelope",
    ...definition,
  };
}

/** Codes any operation of this kind can answer. */
export function commonErrors(op: Pick<Operation, "authority" | "idempotency">): ErrorCode[] {
  // Whoever comes under another Host or from a page of another Origin is denied everywhere.
  const codes: ErrorCode[] = ["INVALID_ARGUMENT", "PERMISSION_DENIED", "BACKPRESSURE", "INTERNAL"];
  if (op.authority !== "none") codes.push("UNAUTHENTICATED");
  if (op.authority === "scope" || op.authority === "scope-or-agent") codes.push("NOT_FOUND");
  if (op.authority.startsWith("output-")) codes.push("NOT_FOUND");
  // A key that comes again with other content.
  if (op.idempotency === "key") codes.push("CONFLICT");
  return codes;
}

/** Names of the `{placeholders}` in a path template. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** Where the fields outside the path travel. */
export function inputPlacement(op: Pick<Operation, "method" | "inputIn">): "query" | "body" {
  if (op.inputIn) return op.inputIn;
  return op.method === "GET" || op.method === "DELETE" ? "query" : "body";
}
