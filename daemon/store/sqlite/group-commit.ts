import type { Statement } from "better-sqlite3";
import type { Transaction } from "../../core/index.ts";
import type { Connection } from "./open.ts";
import { ConnectionTransaction } from "./statements.ts";

interface Job {
  readonly work: (tx: Transaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Most jobs in one transaction: bounds how long a single commit keeps everybody else waiting. */
const MAX_BATCH = 256;

/**
 * Most further turns of the event loop a call waits for company. A turn takes microseconds, a commit hundreds of them; but
 * with everybody in one batch clients and daemon would only ever wait for each other, so one is the most that pays.
 */
const MAX_TURNS = 1;

/**
 * The one writer. Calls that arrive in the same turn of the event loop share one transaction, one commit and one fsync;
 * promises settle after the commit. One call that fails never harms its neighbours: a batch first runs as if all went
 * well, and when a call fails after it has changed something, the batch is rolled back and runs again with a savepoint
 * around each call. That is rare, since calls check before they change, and it spares all others the savepoints.
 */
export class GroupCommit {
  readonly #connection: Connection;
  readonly #tx: ConnectionTransaction;
  readonly #queue: Job[] = [];
  readonly #onStorageError: (error: unknown) => void;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  #scheduled = false;
  /** The running job has changed something. */
  #changed = false;
  #idle: (() => void)[] = [];
  /** Somebody else writes; nothing is begun until it is over. */
  #paused = false;
  #flushing: Promise<void> = Promise.resolve();
  /** The last of those who want to write alone. */
  #alone: Promise<void> = Promise.resolve();

  constructor(connection: Connection, onStorageError: (error: unknown) => void) {
    this.#connection = connection;
    this.#onStorageError = onStorageError;
    this.#begin = connection.prepare("BEGIN IMMEDIATE");
    this.#commit = connection.prepare("COMMIT");
    this.#savepoint = connection.prepare("SAVEPOINT job");
    this.#release = connection.prepare("RELEASE job");
    this.#tx = new ConnectionTransaction(connection, () => {
      this.#changed = true;
    });
  }

  submit<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /**
   * Runs `work` while this writer keeps still, so that another connection may write. What arrives meanwhile waits, and
   * goes first when somebody else wants to write alone after that: one at a time does.
   */
  pauseFor<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#alone.then(() => this.#keepStill(work));
    this.#alone = turn.then(nextTurn, nextTurn);
    return turn;
  }

  async #keepStill<T>(work: () => Promise<T>): Promise<T> {
    this.#paused = true;
    try {
      await this.#flushing;
      return await work();
    } finally {
      this.#paused = false;
      if (this.#scheduled) this.#flushSoon(0, MAX_TURNS);
    }
  }

  /** Resolves when nothing is waiting or running, and nobody writes alone. */
  async drain(): Promise<void> {
    await this.#alone;
    if (!this.#scheduled) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#flushSoon(this.#queue.length, 0);
  }

  /** Commits after this turn of the event loop, or a turn later when this one brought more calls to commit with. */
  #flushSoon(seen: number, turns: number): void {
    setImmediate(() => {
      const waiting = this.#queue.length;
      if (this.#paused || !this.#scheduled) return;
      if (waiting > seen && turns < MAX_TURNS) this.#flushSoon(waiting, turns + 1);
      else this.#flushing = this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const jobs = this.#queue.splice(0, MAX_BATCH);
    try {
      const outcomes = (await this.#commitTogether(jobs, false)) ?? (await this.#commitTogether(jobs, true));
      if (outcomes) settle(jobs, outcomes);
      else await this.#commitOneByOne(jobs);
    } catch (error) {
      // Another program keeps the file to itself. All have waited for it together; none has begun.
      this.#onStorageError(error);
      for (const job of jobs) job.reject(error);
    }
    this.#scheduled = false;
    if (this.#queue.length > 0) this.#schedule();
    else for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Undefined when the transaction as a whole was lost and nothing of it was kept. @throws when it cannot begin */
  async #commitTogether(jobs: readonly Job[], savepoints: boolean): Promise<Outcome[] | undefined> {
    const outcomes: Outcome[] = [];
    this.#begin.run();
    try {
      for (const job of jobs) {
        if (savepoints) this.#savepoint.run();
        const outcome = await this.#runJob(job);
        outcomes.push(outcome);
        if ("error" in outcome) {
          // A full disk or an I/O error makes SQLite roll everything back by itself.
          if (!this.#connection.inTransaction) return undefined;
          if (this.#changed && !savepoints) {
            this.#rollback();
            return undefined;
          }
          if (this.#changed) this.#connection.exec("ROLLBACK TO job");
        }
        if (savepoints) this.#release.run();
      }
      this.#commit.run();
      return outcomes;
    } catch (error) {
      this.#onStorageError(error);
      this.#rollback();
      return undefined;
    }
  }

  async #runJob(job: Job): Promise<Outcome> {
    this.#changed = false;
    try {
      return { value: await job.work(this.#tx) };
    } catch (error) {
      this.#onStorageError(error);
      return { error };
    }
  }

  /** The last resort when not even the commit goes through: what fits is kept, and each call hears of its own failure. */
  async #commitOneByOne(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      this.#begin.run();
      try {
        const outcome = await this.#runJob(job);
        if ("error" in outcome) throw outcome.error;
        this.#commit.run();
        job.resolve(outcome.value);
      } catch (error) {
        this.#onStorageError(error);
        this.#rollback();
        job.reject(error);
      }
    }
  }

  #rollback(): void {
    if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
  }
}

/** A turn of the event loop, in which what was waiting is begun. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function settle(jobs: readonly Job[], outcomes: readonly Outcome[]): void {
  for (const [index, job] of jobs.entries()) {
    const outcome = outcomes[index] as Outcome;
    if ("error" in outcome) job.reject(outcome.error);
    else job.resolve(outcome.value);
  }
}
