import type { IncomingMessage, ServerResponse } from "node:http";
import type { Credentials } from "../core/index.ts";

/** A request whose path belongs to another door. Host and Origin have been checked, its body has not been touched. */
export interface MountedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What precedes the `?`, still encoded. */
  readonly path: string;
  /** What follows the `?`, still encoded. */
  readonly query: string;
  readonly credentials: Credentials;
  /** Aborts when the caller hangs up before it was answered. */
  readonly signal: AbortSignal;
}

/** Answers a request completely. What it throws becomes an error envelope, as for any other route. */
export type Mount = (mounted: MountedRequest) => Promise<void>;
