import type { IdSource, Transaction } from "./ports.ts";

/** Everything a core function works with. One per transaction; dropped when that rolls back. */
export interface Context {
  readonly tx: Transaction;
  /** Wall clock of this transaction, ms since the epoch. */
  readonly now: number;
  readonly ids: IdSource;
  /** Which owner credential acts, for the audit attribute of events. */
  actor: "scope" | "owner" | undefined;
  /** Channels to wake once this has been committed. */
  readonly wakes: Set<string>;
  /** Tells the engine that something falls due at `at`. */
  deadline(at: number): void;
}

/** Names of the channels a waiting call may listen on. */
export const channels = {
  inbox: (agentNo: number) => `inbox:${agentNo}`,
  tasks: (scopeNo: number) => `tasks:${scopeNo}`,
  escalation: (escalationId: string) => `escalation:${escalationId}`,
  scopeEvents: (scopeNo: number) => `events:${scopeNo}`,
  allEvents: "events",
};
