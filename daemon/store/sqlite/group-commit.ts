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
 * The one writer. Calls that arrive in the same turn of the event loop share one transaction, one commit and one fsync;
 * each has a savepoint of its own, so one that fails never harms its neighbours. Promises settle after the commit.
 */
export class GroupCommit {
  readonly #connection: Connection;
  readonly #tx: ConnectionTransaction;
  readonly #queue: Job[] = [];
  readonly #onStorageError: (error: unknown) => void;
  #scheduled = false;
  #savepointOpen = false;
  #idle: (() => void)[] = [];

  constructor(connection: Connection, onStorageError: (error: unknown) => void) {
    this.#connection = connection;
    this.#onStorageError = onStorageError;
    const savepoint = connection.prepare("SAVEPOINT job");
    // Opened at the first change only: looking costs nothing to undo.
    this.#tx = new ConnectionTransaction(connection, () => {
      if (this.#savepointOpen) return;
      savepoint.run();
      this.#savepointOpen = true;
    });
  }

  submit<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing is waiting or running. */
  async drain(): Promise<void> {
    if (!this.#scheduled) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => void this.#flush());
  }

  async #flush(): Promise<void> {
    const jobs = this.#queue.splice(0, MAX_BATCH);
    const outcomes = await this.#commitTogether(jobs);
    if (outcomes) settle(jobs, outcomes);
    else await this.#commitOneByOne(jobs);
    this.#scheduled = false;
    if (this.#queue.length > 0) this.#schedule();
    else for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Undefined when the transaction as a whole was lost. */
  async #commitTogether(jobs: readonly Job[]): Promise<Outcome[] | undefined> {
    const outcomes: Outcome[] = [];
    try {
      this.#connection.exec("BEGIN IMMEDIATE");
      for (const job of jobs) {
        outcomes.push(await this.#runJob(job));
        // A full disk or an I/O error makes SQLite roll everything back by itself.
        if (!this.#connection.inTransaction) return undefined;
      }
      this.#connection.exec("COMMIT");
      return outcomes;
    } catch (error) {
      this.#onStorageError(error);
      this.#rollback();
      return undefined;
    }
  }

  async #runJob(job: Job): Promise<Outcome> {
    this.#savepointOpen = false;
    try {
      const value = await job.work(this.#tx);
      if (this.#savepointOpen) this.#connection.exec("RELEASE job");
      return { value };
    } catch (error) {
      this.#onStorageError(error);
      if (this.#savepointOpen && this.#connection.inTransaction) this.#connection.exec("ROLLBACK TO job; RELEASE job");
      return { error };
    }
  }

  async #commitOneByOne(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs) {
      try {
        this.#connection.exec("BEGIN IMMEDIATE");
        const outcome = await this.#runJob(job);
        if ("error" in outcome) throw outcome.error;
        this.#connection.exec("COMMIT");
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

function settle(jobs: readonly Job[], outcomes: readonly Outcome[]): void {
  for (const [index, job] of jobs.entries()) {
    const outcome = outcomes[index] as Outcome;
    if ("error" in outcome) job.reject(outcome.error);
    else job.resolve(outcome.value);
  }
}
