import { type Event, kindOf } from "../../protocol/index.ts";

/** What events have touched in one scope since it was last read. */
export interface Touched {
  readonly agents: Set<string>;
  readonly questions: Set<string>;
  /** The numbers of the scope's overview, or the scope itself. */
  counts: boolean;
}

export function untouched(): Touched {
  return { agents: new Set(), questions: new Set(), counts: false };
}

/** Attributes that name an agent whose presence or debts an event may have changed. */
const AGENT_ATTRIBUTES = ["agentId", "claimedBy", "previousClaimedBy"] as const;

/** Tells where a question was seen, and changes nothing that is kept here. It comes often, of those who keep this. */
const CHANGES_NOTHING = "escalation.shown";

/** Notes what has to be read again because of an event. Kinds that are not known yet only renew the counts. */
export function touch(touched: Touched, { type, subjectId, attributes }: Event): void {
  if (type === CHANGES_NOTHING) return;
  touched.counts = true;
  const kind = kindOf(type);
  if (kind === "agent") touched.agents.add(subjectId);
  if (kind === "escalation") touched.questions.add(subjectId);
  // Both ends: what one owes changes with the answer of the other.
  if (kind === "message") {
    if (attributes.fromKind !== "human" && attributes.from) touched.agents.add(attributes.from);
    if (attributes.toKind !== "human" && attributes.to) touched.agents.add(attributes.to);
  }
  for (const name of AGENT_ATTRIBUTES) if (attributes[name]) touched.agents.add(attributes[name]);
}
