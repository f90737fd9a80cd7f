/** How many executions are remembered; what is forgotten is shown once more. */
const MOST_EXECUTIONS = 10_000;

/** Says of a message that all of it was shown. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * What was shown to agents whose tools know no message ids, and is not acknowledged yet: that happens with their next call,
 * which tells that the answer has arrived. Kept in memory on purpose. Whatever ends before that call, this daemon or the
 * agent's execution, has the messages shown again.
 */
export class ShownMessages {
  readonly #byExecution = new Map<string, Map<string, number>>();

  /** Notes that a message was shown: up to a character, or all of it. */
  note(executionId: string, messageId: string, upTo: number | "all"): void {
    const messages = this.#byExecution.get(executionId) ?? new Map<string, number>();
    messages.set(messageId, upTo === "all" ? ALL : upTo);
    // Those who call last are forgotten last.
    this.#byExecution.delete(executionId);
    this.#byExecution.set(executionId, messages);
    const [oldest] = this.#byExecution.keys();
    if (this.#byExecution.size > MOST_EXECUTIONS && oldest !== undefined) this.#byExecution.delete(oldest);
  }

  /** Messages that were shown whole. */
  whole(executionId: string): string[] {
    const messages = [...(this.#byExecution.get(executionId) ?? [])];
    return messages.filter(([, upTo]) => upTo === ALL).map(([id]) => id);
  }

  /** The message to go on with, where one was shown in part. */
  unfinished(executionId: string): string | undefined {
    const messages = [...(this.#byExecution.get(executionId) ?? [])];
    return messages.find(([, upTo]) => upTo !== ALL)?.[0];
  }

  /** At which character to go on with a message. */
  shownTo(executionId: string, messageId: string): number {
    const upTo = this.#byExecution.get(executionId)?.get(messageId) ?? 0;
    return upTo === ALL ? 0 : upTo;
  }

  forget(executionId: string, messageIds: readonly string[]): void {
    const messages = this.#byExecution.get(executionId);
    for (const id of messageIds) messages?.delete(id);
    if (messages?.size === 0) this.#byExecution.delete(executionId);
  }
}
