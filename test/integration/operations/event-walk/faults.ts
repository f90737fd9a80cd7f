import { type MockInstance, vi } from "vitest";
import { SqliteStore } from "../../../../daemon/store/index.ts";
import type { TestDaemon } from "../../../support/daemon.ts";

type Write = SqliteStore["write"];
type Work = Parameters<Write>[0];
type Tx = Parameters<Work>[0];

/**
 * Where a write breaks: when its event is to be stored, by our own hand or by the database's, or when all is done and
 * nothing committed yet.
 */
export const FAULTS = ["event", "trigger", "commit"] as const;
export type Fault = (typeof FAULTS)[number];

const BREAKING_TRIGGER =
  "CREATE TRIGGER broken_events BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'the event cannot be stored'); END";

/** Makes writes of every store opened from now on break at will. */
export class BreakableStores {
  #fault: Fault | undefined;
  readonly #spy: MockInstance<Write>;

  constructor() {
    const write = SqliteStore.prototype.write;
    const broken =
      (work: Work): Work =>
      (tx) =>
        this.#break(tx, work);
    this.#spy = vi.spyOn(SqliteStore.prototype, "write").mockImplementation(function (this: SqliteStore, work: Work) {
      return write.call(this, broken(work));
    } as Write);
  }

  /** Every write breaks while `work` runs. */
  async during(intercom: TestDaemon, fault: Fault, work: () => Promise<void>): Promise<void> {
    this.#fault = fault;
    if (fault === "trigger") intercom.sql((db) => db.exec(BREAKING_TRIGGER));
    try {
      await work();
    } finally {
      this.#fault = undefined;
      if (fault === "trigger") intercom.sql((db) => db.exec("DROP TRIGGER broken_events"));
    }
  }

  restore(): void {
    this.#spy.mockRestore();
  }

  async #break(tx: Tx, work: Work): Promise<unknown> {
    const fault = this.#fault;
    if (fault === undefined) return work(tx);
    const result = await work({
      get: (sql, ...parameters) => tx.get(sql, ...parameters),
      all: (sql, ...parameters) => tx.all(sql, ...parameters),
      run: (sql, ...parameters) => {
        if (fault === "event" && sql.startsWith("INSERT INTO events")) throw new Error("the event cannot be stored");
        return tx.run(sql, ...parameters);
      },
    });
    if (fault === "commit") throw new Error("the change cannot be committed");
    return result;
  }
}
