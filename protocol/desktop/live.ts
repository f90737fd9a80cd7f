import type { ErrorValue } from "../errors.ts";
import type { Agent } from "../objects/agent.ts";
import type { Overview, ScopeOverview } from "../objects/daemon.ts";
import type { Escalation } from "../objects/escalation.ts";
import type { Event } from "../objects/event.ts";

/**
 * How fresh the picture is. `connecting`: nothing was read yet. `live`: changes arrive as they happen. `lost`: what is shown
 * was true at `since`, and the daemon is being looked for. `refused`: it does not accept this program's credential.
 */
export interface LiveLink {
  readonly state: "connecting" | "live" | "lost" | "refused";
  /** RFC 3339 instant at which this state began. */
  readonly since: string;
  readonly error?: ErrorValue;
}

/** What of the overview is no count of a scope. */
export type DaemonFacts = Pick<Overview, "storage"> & {
  readonly instanceId: string;
  readonly version: string;
  readonly protocolVersion: string;
  readonly startedAt: string;
};

/** An agent together with its scope: agent ids are unique in a scope only. */
export interface LiveAgent extends Agent {
  readonly scopeId: string;
}

/** Names an agent in all of the daemon. Ids hold no slash. */
export type AgentKey = `${string}/${string}`;

export function agentKey(scopeId: string, agentId: string): AgentKey {
  return `${scopeId}/${agentId}`;
}

/**
 * The part of the daemon's state that is small and always wanted: who is there, and what they ask. The keys are scope ids,
 * {@link AgentKey}s and escalation ids.
 */
export interface LiveState {
  readonly link: LiveLink;
  readonly daemon: DaemonFacts | undefined;
  readonly scopes: Readonly<Record<string, ScopeOverview>>;
  readonly agents: Readonly<Record<AgentKey, LiveAgent>>;
  /** Questions that are pending, put off ones among them. */
  readonly questions: Readonly<Record<string, Escalation>>;
}

/** One step from a state to the next. */
export type LiveChange =
  /** Everything anew: at the start, and when events were missed. */
  | { readonly kind: "reset"; readonly state: LiveState }
  | { readonly kind: "link"; readonly link: LiveLink }
  | { readonly kind: "daemon"; readonly daemon: DaemonFacts | undefined }
  | { readonly kind: "scopes"; readonly put: readonly ScopeOverview[]; readonly drop: readonly string[] }
  | { readonly kind: "agents"; readonly put: readonly LiveAgent[]; readonly drop: readonly AgentKey[] }
  /** `closed` have just stopped being pending, and say why; `drop` are gone and nothing more is known of them. */
  | {
      readonly kind: "questions";
      readonly put: readonly Escalation[];
      readonly closed: readonly Escalation[];
      readonly drop: readonly string[];
    }
  /** What happened, for views that hold more than this state does. They read again what is touched. */
  | { readonly kind: "events"; readonly events: readonly Event[] };

export function emptyLiveState(since: string): LiveState {
  return { link: { state: "connecting", since }, daemon: undefined, scopes: {}, agents: {}, questions: {} };
}

/** The state after one change. Parts that a change does not touch stay the same objects. */
export function applyLiveChange(state: LiveState, change: LiveChange): LiveState {
  switch (change.kind) {
    case "reset":
      return change.state;
    case "link":
      return { ...state, link: change.link };
    case "daemon":
      return { ...state, daemon: change.daemon };
    case "scopes":
      return { ...state, scopes: patched(state.scopes, change.put, ({ scopeId }) => scopeId, change.drop) };
    case "agents":
      return {
        ...state,
        agents: patched(state.agents, change.put, ({ scopeId, id }) => agentKey(scopeId, id), change.drop),
      };
    case "questions": {
      const gone = [...change.drop, ...change.closed.map(({ id }) => id)];
      return { ...state, questions: patched(state.questions, change.put, ({ id }) => id, gone) };
    }
    case "events":
      return state;
  }
}

function patched<K extends string, T>(
  record: Readonly<Record<K, T>>,
  put: readonly T[],
  keyOf: (value: T) => K,
  drop: readonly K[],
): Readonly<Record<K, T>> {
  if (put.length === 0 && drop.length === 0) return record;
  const next: Record<K, T> = { ...record };
  for (const key of drop) delete next[key];
  for (const value of put) next[keyOf(value)] = value;
  return next;
}
