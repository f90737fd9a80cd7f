import type { RetentionCounts, StorageSummary } from "../../../protocol/objects/storage.ts";

/** Numbers a human can picture: of the kinds of things they know. */
export interface Stored {
  readonly messages: number;
  readonly tasks: number;
  readonly questions: number;
  readonly events: number;
}

const NOTHING: Stored = { messages: 0, tasks: 0, questions: 0, events: 0 };
const NAMES = { message: "messages", task: "tasks", escalation: "questions", event: "events" } as const;

export function addStored(left: Stored, right: Stored): Stored {
  return {
    messages: left.messages + right.messages,
    tasks: left.tasks + right.tasks,
    questions: left.questions + right.questions,
    events: left.events + right.events,
  };
}

/** What several scopes hold together. */
export function storedIn(summaries: readonly StorageSummary[]): Stored {
  const sum = { ...NOTHING };
  for (const { recordType, count } of summaries.flatMap(({ records }) => records)) {
    const name = recordType in NAMES ? NAMES[recordType as keyof typeof NAMES] : undefined;
    if (name) sum[name] += count;
  }
  return sum;
}

/** What pruning several scopes removes together. */
export function prunedFrom(counts: readonly RetentionCounts[]): Stored {
  return counts
    .map(({ messages, tasks, escalations, events }) => ({ messages, tasks, questions: escalations, events }))
    .reduce<Stored>(addStored, NOTHING);
}
