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

  /** Counts a waiting call against its agent and its scope. @throws {IntercomError} BACKPRESSURE */
  park(scopeNo: number, agentNo: number | undefined): () => void {
    const keys = [`scope:${scopeNo}`, ...(agentNo === undefined ? [] : [`agent:${agentNo}`])];
    for (const key of keys) {
      const limit = key.startsWith("scope:") ? LIMITS.waitersPerScope : LIMITS.inboxWaitersPerAgent;
      if ((this.#waiting.get(key) ?? 0) >= limit) {
        throw new IntercomError("BACKPRESSURE", `More than ${limit} calls are waiting already`, {
          reason: "waiters",
          limit,
        });
      }
    }
    for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    return () => {
      for (const key of keys) {
        const left = (this.#waiting.get(key) ?? 1) - 1;
        if (left === 0) this.#waiting.delete(key);
        else this.#waiting.set(key, left);
      }
    };
  }
}
