import {
  IntercomError,
  type ParsedInput,
  type PruneResult,
  type RetentionCounts,
  type StorageSummary,
} from "../protocol/index.ts";
import type { Background } from "./background/index.ts";
import {
  beginRetention,
  type Context,
  noRetentionCounts,
  type OwnerCaller,
  type PlannedKind,
  type RetentionPlan,
  type RetentionQuery,
  removeEvents,
  removeRows,
  requireOwner,
} from "./core/index.ts";
import type { Call, Engine } from "./engine/index.ts";

/** Removing goes in steps of about this long, so that nobody waits behind it. */
const STEP_MS = 10;
const FIRST_STEP = 100;
const LARGEST_STEP = 2000;
const FOLD_EVERY_MS = 150;
/** Long reads a scope may have under way at once. */
const MAX_READS_PER_SCOPE = 4;

/** What a scope stores, and what of it may go: long work, for which the engine's calls are too short. */
export class ScopeStorage {
  readonly #engine: Engine;
  readonly #background: Pick<Background, "read" | "fold">;
  readonly #pruning = new Set<string>();
  #folding: Promise<void> | undefined;
  /** Long reads of each scope that are running or waiting for their turn. */
  readonly #reading = new Map<string, number>();
  #stopping = false;

  constructor(engine: Engine, background: Pick<Background, "read" | "fold">) {
    this.#engine = engine;
    this.#background = background;
  }

  /** Ends a removal after the step it is at. */
  stop(): void {
    this.#stopping = true;
  }

  async summarize(call: Call): Promise<StorageSummary> {
    const { scope } = await this.#owner(call);
    return this.#inTurn(scope.id, async () => {
      const steps = this.#background.read("summarizeStorage", { no: scope.no, id: scope.id });
      return (await steps.next()).value as StorageSummary;
    });
  }

  /** @throws {IntercomError} BACKPRESSURE when the scope asks for more than its share of what everybody waits for */
  async #inTurn<T>(scopeId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#reading.get(scopeId) ?? 0;
    if (before >= MAX_READS_PER_SCOPE) {
      throw new IntercomError("BACKPRESSURE", `${before} calls are reading all of this scope already`, {
        reason: "reads",
      });
    }
    this.#reading.set(scopeId, before + 1);
    try {
      return await work();
    } finally {
      const left = (this.#reading.get(scopeId) ?? 1) - 1;
      if (left > 0) this.#reading.set(scopeId, left);
      else this.#reading.delete(scopeId);
    }
  }

  /** @throws {IntercomError} CONFLICT while another call removes from the same scope */
  async prune(call: Call): Promise<PruneResult> {
    const { before, execute = false } = call.input as ParsedInput<"pruneScope">;
    const { scope } = await this.#owner(call);
    const instant = Date.parse(before);
    const answer = { scopeId: scope.id, before: new Date(instant).toISOString(), dryRun: !execute };
    const query = { scopeNo: scope.no, before: instant };
    if (!execute) {
      const { counts } = await this.#inTurn(scope.id, () => this.#plan(query));
      return { ...answer, records: counts };
    }
    if (this.#pruning.has(scope.id)) {
      throw new IntercomError("CONFLICT", "Another call is removing from this scope; wait for it", {
        reason: "pruning",
      });
    }
    this.#pruning.add(scope.id);
    try {
      return { ...answer, records: await this.#remove(call, query, await this.#plan(query)) };
    } finally {
      this.#pruning.delete(scope.id);
    }
  }

  async #owner(call: Call): Promise<OwnerCaller> {
    await this.#engine.settleDue();
    return this.#engine.transact("read", (ctx) => requireOwner(ctx, call.credentials));
  }

  async #plan(query: RetentionQuery): Promise<RetentionPlan> {
    const rows: Record<PlannedKind, number[]> = {
      messages: [],
      tasks: [],
      escalations: [],
      a2aTasks: [],
      linkRequests: [],
    };
    const steps = this.#background.read("planRetention", query);
    for (;;) {
      const step = await steps.next();
      if (step.done) return { rows, ...step.value };
      const { kind, numbers } = step.value;
      for (const no of numbers) rows[kind].push(no);
    }
  }

  async #remove(call: Call, query: RetentionQuery, plan: RetentionPlan): Promise<RetentionCounts> {
    const removed = noRetentionCounts();
    if (Object.values(plan.counts).every((count) => count === 0)) return removed;
    const step = <T>(work: (ctx: Context) => Promise<T>) => this.#step(call, query.scopeNo, work);
    await step((ctx) => beginRetention(ctx, query, plan));
    for (const [kind, rows] of Object.entries(plan.rows) as [PlannedKind, readonly number[]][]) {
      await inSteps(rows.length, async (from, to) => {
        if (from > 0) this.#fold();
        const counts = await step((ctx) => removeRows(ctx, query, kind, rows.slice(from, to)));
        for (const [name, count] of Object.entries(counts)) removed[name as keyof RetentionCounts] += count;
      });
    }
    const { eventsFrom, eventFloor } = plan;
    await inSteps(eventFloor - eventsFrom, async (from, to) => {
      if (from > 0) this.#fold();
      removed.events += await step((ctx) => removeEvents(ctx, query.scopeNo, eventsFrom + from, eventsFrom + to));
    });
    return removed;
  }

  /** One transaction. Each asks again whether the caller may: a rotated token ends the removal. */
  async #step<T>(call: Call, scopeNo: number, work: (ctx: Context) => Promise<T>): Promise<T> {
    if (this.#stopping)
      throw new IntercomError("INTERNAL", "The daemon is stopping; call again", { reason: "stopping" });
    return this.#engine.transact("write", async (ctx) => {
      const { scope, via } = await requireOwner(ctx, call.credentials);
      if (scope.no !== scopeNo)
        throw new IntercomError("UNAUTHENTICATED", "Invalid scope token", { reason: "unknown" });
      ctx.actor = via;
      return work(ctx);
    });
  }

  /** Keeps the log short, now and then, beside the removal. A round that fails does no harm. */
  readonly #fold = (): void => {
    this.#folding ??= this.#background
      .fold()
      .catch(() => {})
      .then(() => pause(FOLD_EVERY_MS))
      .finally(() => {
        this.#folding = undefined;
      });
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Walks `total` things in steps that grow and shrink to take about {@link STEP_MS} each. */
async function inSteps(total: number, work: (from: number, to: number) => Promise<void>): Promise<void> {
  let size = FIRST_STEP;
  for (let from = 0; from < total; ) {
    const to = Math.min(total, from + size);
    const began = performance.now();
    await work(from, to);
    const tookMs = performance.now() - began;
    from = to;
    size = Math.max(FIRST_STEP / 4, Math.min(LARGEST_STEP, Math.round((size * STEP_MS) / Math.max(tookMs, 0.1))));
    // Whoever has arrived meanwhile goes first.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
