import type { Fault } from "./faults.ts";
import type { Act, Expected, Stage } from "./stage.ts";

/** One way through one or more transitions: brings about the state they begin in, and gives the call that makes them. */
export interface Row {
  /** As the page of state machines has them: `Machine: from --> to: operation`. */
  readonly transitions: readonly string[];
  readonly what?: string;
  /** Faults to try, where not all of them can be. */
  readonly faults?: readonly Fault[];
  prepare(stage: Stage): Promise<Act>;
}

export function row(transitions: string | readonly string[], prepare: Row["prepare"], what?: string): Row {
  return { transitions: [transitions].flat(), prepare, ...(what === undefined ? {} : { what }) };
}

/** Attributes of what an owner did with the scope token. */
export const BY_SCOPE = { actor: "scope" };

/** Attributes of an event of a message from ada to ben. */
export function delivery(state: string, mode = "notify") {
  return { from: "ada", to: "ben", mode, state };
}

/** An id that is not known before. */
export const ANY_ID = "any id";

/** The notice an agent gets. */
export function notice(to: string, more: Readonly<Record<string, string>> = {}): Expected {
  const attributes = { from: "intercom", fromKind: "system", to, toKind: "agent", mode: "notify", state: "queued" };
  return ["message.accepted", ANY_ID, { ...attributes, ...more }];
}
