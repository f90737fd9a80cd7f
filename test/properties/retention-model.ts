import type { RetentionCounts } from "../../protocol/index.ts";

/** What retention may remove, by the rules as they are written down, over rows as they are stored. */

export interface StoredMessage {
  readonly seq: number;
  readonly id: string;
  readonly mode: string;
  readonly state: string;
  readonly outside: number;
  readonly deliveredAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly expiresAt: number | null;
  readonly deadLetteredAt: number | null;
  readonly answerId: string | null;
  readonly a2aTaskNo: number | null;
}

export interface StoredScope {
  readonly floor: number;
  readonly revision: number;
  readonly messages: readonly StoredMessage[];
  readonly tasks: readonly {
    readonly no: number;
    readonly status: string;
    readonly updatedAt: number;
    readonly progress: number;
  }[];
  readonly edges: readonly { readonly taskNo: number; readonly dependencyNo: number }[];
  readonly escalations: readonly { readonly no: number; readonly status: string; readonly endedAt: number | null }[];
  readonly linkRequests: readonly {
    readonly seq: number;
    readonly status: string;
    readonly resolvedAt: number | null;
  }[];
  readonly a2aTasks: readonly { readonly no: number; readonly state: string; readonly updatedAt: number }[];
  readonly events: readonly { readonly revision: number; readonly type: string; readonly createdAt: number }[];
}

/** What is left, by kind, and what goes. */
export interface Forecast {
  readonly counts: RetentionCounts;
  readonly messages: number[];
  readonly tasks: number[];
  readonly escalations: number[];
  readonly linkRequests: number[];
  readonly a2aTasks: number[];
  readonly floor: number;
}

function finishedAt(message: StoredMessage): number {
  const at = {
    acknowledged: message.acknowledgedAt,
    expired: message.expiresAt,
    dead_lettered: message.deadLetteredAt,
  }[message.state];
  return at ?? Number.POSITIVE_INFINITY;
}

export function forecast(scope: StoredScope, before: number): Forecast {
  const byId = new Map(scope.messages.map((message) => [message.id, message]));
  const over = (message: StoredMessage | undefined) => message !== undefined && finishedAt(message) < before;

  /** A message with what answers it, when both may go. */
  const unitOf = (message: StoredMessage): StoredMessage[] | undefined => {
    if (!over(message) || message.mode === "response") return undefined;
    if (message.mode === "notify") return [message];
    if (message.answerId !== null) {
      const answer = byId.get(message.answerId);
      return over(answer) ? [message, answer as StoredMessage] : undefined;
    }
    const neverDelivered = message.state === "expired" && message.deliveredAt === null;
    return neverDelivered || message.state === "dead_lettered" ? [message] : undefined;
  };

  const gone = new Set<number>();
  for (const message of scope.messages) {
    if (message.outside === 0) for (const { seq } of unitOf(message) ?? []) gone.add(seq);
  }
  const goneA2a = new Set<number>();
  let correlations = 0;
  for (const task of scope.a2aTasks) {
    if (!["completed", "failed", "canceled", "rejected"].includes(task.state) || task.updatedAt >= before) continue;
    const units = scope.messages.filter(({ a2aTaskNo }) => a2aTaskNo === task.no).map(unitOf);
    if (units.includes(undefined)) continue;
    goneA2a.add(task.no);
    correlations += units.length;
    for (const { seq } of units.flatMap((unit) => unit ?? [])) gone.add(seq);
  }

  const ended = (task: StoredScope["tasks"][number]) =>
    (task.status === "done" || task.status === "cancelled") && task.updatedAt < before;
  const needed = new Set(scope.tasks.filter((task) => !ended(task)).map(({ no }) => no));
  for (let size = -1; size !== needed.size; ) {
    size = needed.size;
    for (const { taskNo, dependencyNo } of scope.edges) if (needed.has(taskNo)) needed.add(dependencyNo);
  }
  const goneTasks = scope.tasks.filter(({ no }) => !needed.has(no));

  const left = <Row>(rows: readonly Row[], keep: (row: Row) => boolean, key: (row: Row) => number) =>
    rows.filter(keep).map(key);
  const escalations = left(
    scope.escalations,
    ({ status, endedAt }) => status === "pending" || (endedAt ?? 0) >= before,
    ({ no }) => no,
  );
  const linkRequests = left(
    scope.linkRequests,
    ({ status, resolvedAt }) => status === "pending" || (resolvedAt ?? 0) >= before,
    ({ seq }) => seq,
  );

  const firstKept = scope.events.find(({ revision, createdAt }) => revision > scope.floor && createdAt >= before);
  const floor = Math.max(scope.floor, firstKept === undefined ? scope.revision : firstKept.revision - 1);
  const events = scope.events.filter(({ revision, type }) => revision <= floor && type !== "scope.imported").length;
  return {
    counts: {
      messages: gone.size,
      tasks: goneTasks.length,
      taskProgress: goneTasks.reduce((sum, { progress }) => sum + progress, 0),
      escalations: scope.escalations.length - escalations.length,
      events,
      a2aTasks: goneA2a.size,
      a2aMessages: correlations,
      linkRequests: scope.linkRequests.length - linkRequests.length,
    },
    messages: scope.messages.map(({ seq }) => seq).filter((seq) => !gone.has(seq)),
    tasks: [...needed].sort((a, b) => a - b),
    escalations,
    linkRequests,
    a2aTasks: scope.a2aTasks.map(({ no }) => no).filter((no) => !goneA2a.has(no)),
    floor,
  };
}
