import type { IncomingMessage, ServerResponse } from "node:http";
import type { Call } from "../engine/index.ts";

/**
 * Answers an operation that does not fit one JSON value in and one out: streams, files, and shapes of other protocols.
 * The input has been parsed, except of operations that take an upload or speak another protocol: theirs holds what the
 * path and the query carry, and the body is untouched. What it throws becomes an error envelope.
 */
export type DirectHandler = (call: DirectCall, request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface DirectCall extends Call {
  readonly input: Readonly<Record<string, unknown>>;
  /** Aborts when the caller hangs up before it was answered. */
  readonly signal: AbortSignal;
}
