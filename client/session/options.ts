import type { IntercomError, Lifecycle, OperationInput } from "../../protocol/index.ts";
import type { ConnectorClient, ScopeClient } from "../clients.ts";
import type { ConnectionOptions } from "../transport.ts";

/**
 * - `starting`: not registered yet.
 * - `live`: the daemon answers and the lease is current.
 * - `reconnecting`: the daemon does not answer, or the lease was lost and a new one is being taken.
 * - `ended`: closed, or ended for good; see {@link AgentSession.done}.
 */
export type SessionState = "starting" | "live" | "reconnecting" | "ended";

/** What an agent says of its own state. */
export interface AgentState {
  readonly lifecycle: Lifecycle;
  /** A promise to read the inbox. */
  readonly ready: boolean;
  /** What the agent is about, at most 512 bytes; kept as it is unless given. */
  readonly summary?: string;
}

/** How a session behaves, whatever it was started with. */
export interface SessionBehaviour {
  /** Default `ready`. */
  readonly initialLifecycle?: Lifecycle;
  /** Default true, unless the lifecycle is `starting` or `offline`. */
  readonly initialReady?: boolean;
  /** Milliseconds between heartbeats; a third of the lease unless given. */
  readonly heartbeatIntervalMs?: number;
  /** Closes the session. */
  readonly signal?: AbortSignal;
  readonly onStateChange?: (state: SessionState) => void;
  /** Trouble the session deals with by itself, e.g. a failed heartbeat or a handler that threw. */
  readonly onError?: (error: IntercomError) => void;
}

/** How to start an {@link AgentSession}: with a scope token, or with a {@link ScopeClient} that can register agents. */
export type SessionOptions = SessionBehaviour & {
  /** Passed to `registerAgent`. Give an `id`, or the agent is a new one each time. */
  readonly registration: OperationInput<"registerAgent">;
} & ((ConnectionOptions & { readonly scopeToken: string }) | { readonly scope: ScopeClient });

/** How to start an {@link AgentSession} with the credential of a connector. */
export type ConnectOptions = SessionBehaviour & {
  /** Passed to `connect`. Give a `session`, or the agent is a new one each time; while it runs it stays the same. */
  readonly connection?: OperationInput<"connect">;
} & ((ConnectionOptions & { readonly connectorToken: string }) | { readonly connector: ConnectorClient });
