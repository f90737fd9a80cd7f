import type { IdSource, Transaction } from "./ports.ts";

/** What the daemon's settings say of callers from outside a scope. */
export interface OutsideSettings {
  /** Version of the running daemon, which Agent Cards tell. */
  readonly version: string;
  /** Where A2A clients reach this daemon: no slash at the end. */
  readonly publicUrl: string;
  /** Unfinished messages, and bytes of them, one A2A principal may have. */
  readonly a2aMessageLimit: number;
  readonly a2aByteLimit: number;
}

/** Everything a core function works with. One per transaction; dropped when that rolls back. */
export interface Context {
  readonly tx: Transaction;
  /** A `read` runs on a snapshot and can change nothing. */
  readonly access: "read" | "write";
  /** Set by a read that has come across something to record: the call is made again, as a write. */
  repeatAsWrite: boolean;
  /** Wall clock of this transaction, ms since the epoch. */
  readonly now: number;
  readonly ids: IdSource;
  readonly outside: OutsideSettings;
  /** Which owner credential acts, for the audit attribute of events. */
  actor: "scope" | "owner" | undefined;
  /** Agents may read the questions of every agent of their scope, as in October Bus 0.1. */
  sharedQuestions: boolean;
  /** Channels to wake once this has been committed. */
  readonly wakes: Set<string>;
  /** Tells the engine that something falls due at `at`. */
  deadline(at: number): void;
  /** Tells the engine that the browser session of this number was used, which the work itself may not be able to note. */
  sessionUsed(sessionNo: number): void;
}

/** Names of the channels a waiting call may listen on. */
export const channels = {
  inbox: (agentNo: number) => `inbox:${agentNo}`,
  tasks: (scopeNo: number) => `tasks:${scopeNo}`,
  escalation: (escalationId: string) => `escalation:${escalationId}`,
  output: (streamId: string) => `output:${streamId}`,
  scopeEvents: (scopeNo: number) => `events:${scopeNo}`,
  allEvents: "events",
  /** Some credential is no longer good for what it was good for. */
  authority: "authority",
};
