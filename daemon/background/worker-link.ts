import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type ErrorValue, IntercomError } from "../../protocol/index.ts";
import type { Job } from "./jobs.ts";

/** What a worker is told: to begin a job, or to do the next step of the one it has begun. */
export type Order = { readonly job: Job } | "next";

export type Answer =
  | { readonly chunk: unknown }
  | { readonly result: unknown }
  | { readonly refusal: ErrorValue }
  | { readonly failure: unknown };

/** Next to this file: a source in development, a compiled one in the package. */
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);

/**
 * Enough for any job, and little enough that one gone wrong harms nobody else. What is only passing through must not pile
 * up in the young half, where it would be let grow to several times that.
 */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

/** How long a thread that has nothing to do is kept for the next job; starting one takes longer than most jobs. */
const IDLE_MS = 10_000;

/** Threads that do jobs, one each. */
export class Workers {
  readonly #idle = new Map<Worker, NodeJS.Timeout>();

  /**
   * Does a job in a thread of its own, step by step as the caller asks for them.
   * @throws {IntercomError} what the job refused; INTERNAL when the signal ended it
   */
  async *run(job: Job, signal: AbortSignal): AsyncGenerator<unknown, unknown> {
    if (signal.aborted) throw stopping();
    const worker = this.#take();
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => {});
    const onExit = () => broken.reject(new Error("the background thread ended early"));
    const onAbort = () => broken.reject(stopping());
    worker.once("error", broken.reject).once("exit", onExit);
    signal.addEventListener("abort", onAbort, { once: true });
    const tell = (order: Order) => worker.postMessage(order);
    // In the middle of a job a thread may hold what only its end lets go.
    let reusable = false;
    try {
      tell({ job });
      for (;;) {
        const answered = once(worker, "message");
        tell("next");
        const [answer] = (await Promise.race([answered, broken.promise])) as [Answer];
        if ("chunk" in answer) {
          yield answer.chunk;
          continue;
        }
        if ("failure" in answer) throw answer.failure;
        reusable = true;
        if ("result" in answer) return answer.result;
        const { code, message, details } = answer.refusal;
        throw new IntercomError(code, message, details);
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      worker.off("error", broken.reject).off("exit", onExit);
      if (reusable && !signal.aborted) this.#keep(worker);
      else await worker.terminate();
    }
  }

  /** Ends the threads that have nothing to do. */
  async stop(): Promise<void> {
    const workers = [...this.#idle];
    this.#idle.clear();
    for (const [worker, timer] of workers) {
      clearTimeout(timer);
      await worker.terminate();
    }
  }

  #take(): Worker {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      worker.ref();
      return worker;
    }
    return new Worker(ENTRY, { execArgv: [], resourceLimits: HEAP_LIMITS });
  }

  #keep(worker: Worker): void {
    worker.unref();
    const timer = setTimeout(() => {
      this.#idle.delete(worker);
      void worker.terminate();
    }, IDLE_MS);
    this.#idle.set(worker, timer.unref());
  }
}

function stopping(): IntercomError {
  return new IntercomError("INTERNAL", "The daemon is stopping; call again", { reason: "stopping" });
}
