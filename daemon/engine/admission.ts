import { IntercomError, LIMITS, type Operation } from "../../protocol/index.ts";

const BUDGETS = { ordinary: 256, control: 32 } as const;

/**
 * Bounds what the daemon takes on at once. Control calls (health, heartbeat, retire, shutdown) have a budget of their
 * own, so nobody loses a lease because others are busy. A call that merely waits for news gives its place back.
 */
export class Admission {
  readonly #used = { ordinary: 0, control: 0 };
  readonly #waiting = new Map<string, number>();

  /** @throws {IntercomError} BACKPRESSURE with `details.reason` `admission` when the budget is used up */
  enter(budget: Operation["budget"]): () => void {
    if (this.#used[budget] >= BUDGETS[budget]) {
      throw new IntercomError("BACKPRESSURE", "The daemon is busy; try again in a second", { reason: "admission" });
    }
    this.#used[budget] += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      this.#used[budget] -= 1;
    };
  }

  /**
   * Counts a waiting call against its agent or credential and its scope. Those from outside a scope share half of its
   * places, so that they cannot keep its agents from waiting.
   * @throws {IntercomError} BACKPRESSURE with `details.reason` `waiters`
   */
  park(scopeNo: number, agentNo?: number, principalNo?: number): () => void {
    const counters: [key: string, limit: number][] = [[`scope:${scopeNo}`, LIMITS.waitersPerScope]];
    if (agentNo !== undefined) counters.push([`agent:${agentNo}`, LIMITS.inboxWaitersPerAgent]);
    if (principalNo !== undefined) {
      counters.push([`principal:${principalNo}`, LIMITS.waitersPerCredential]);
      counters.push([`outside:${scopeNo}`, LIMITS.credentialWaitersPerScope]);
    }
    for (const [key, limit] of counters) {
      if ((this.#waiting.get(key) ?? 0) >= limit) {
        throw new IntercomError("BACKPRESSURE", `More than ${limit} calls are waiting already`, {
          reason: "waiters",
          limit,
        });
      }
    }
    for (const [key] of counters) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    return () => {
      for (const [key] of counters) {
        const left = (this.#waiting.get(key) ?? 1) - 1;
        if (left === 0) this.#waiting.delete(key);
        else this.#waiting.set(key, left);
      }
    };
  }
}
