import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { CoreOperation, SqlValue, Transaction } from "../../daemon/core/index.ts";
import { Engine, TimeOrderedIds } from "../../daemon/engine/index.ts";
import { credentialReader } from "../../daemon/http/credentials.ts";
import { silentLogger } from "../../daemon/runtime/index.ts";
import { SqliteStore, type Store } from "../../daemon/store/index.ts";
import {
  type IntercomError,
  isIntercomError,
  type OperationInput,
  type OperationResult,
  operationOf,
  parseInput,
  SCOPE_HEADER,
} from "../../protocol/index.ts";
import { TestClock } from "../support/clock.ts";

const ADMIN_TOKEN = "A".repeat(43);
const SCOPE_KEY = SCOPE_HEADER.toLowerCase();

/** What a call came to, as a value. */
export type Outcome<T> =
  | { readonly result: T; readonly error?: never }
  | { readonly error: IntercomError; readonly result?: never };

/** How often calls came to what, over all benches: a property that never gets anywhere proves nothing. */
export const tally = new Map<string, number>();

/** The engine and its store without a door: real SQLite, a clock the test moves, every statement on record. */
export class Bench {
  readonly clock = new TestClock();
  readonly engine: Engine;
  /** A connection of the test's own, on what has been committed. */
  readonly database: Database.Database;
  /** Every token that was given out. */
  readonly tokens: string[] = [];
  /** SQL of the core so far, by what ran it. */
  readonly statements = new Map<string, Set<string>>();
  readonly called = new Set<CoreOperation>();
  readonly #queries = new Map<string, Database.Statement<SqlValue[]>>();
  readonly #directory: string;
  readonly #store: SqliteStore;
  readonly #ids: TimeOrderedIds;
  readonly #readCredentials = credentialReader(ADMIN_TOKEN);
  #running: CoreOperation | "settle" = "settle";

  constructor() {
    // What is written to memory is as real a file; nothing here is about surviving a power cut.
    this.#directory = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "intercom-properties-"));
    const file = join(this.#directory, "intercom.db");
    this.#store = SqliteStore.open(file);
    this.#ids = new TimeOrderedIds(() => this.clock.now());
    const outside = { version: "0.0.0", publicUrl: "http://127.0.0.1", a2aMessageLimit: 1000, a2aByteLimit: 1_000_000 };
    const store = this.#recording();
    this.engine = new Engine({ store, clock: this.clock, ids: this.#ids, logger: silentLogger, outside });
    this.database = new Database(file, { readonly: true });
  }

  async close(): Promise<void> {
    this.engine.stop();
    this.database.close();
    await this.#store.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Calls an operation as the owner of `token`; input and result are checked against their schemas. */
  async call<N extends CoreOperation>(
    name: N,
    token: string,
    input: OperationInput<N>,
    options: { readonly key?: string | undefined; readonly scopeId?: string | undefined } = {},
  ): Promise<OperationResult<N>> {
    this.#running = name;
    this.called.add(name);
    const headers = { authorization: `Bearer ${token}`, ...(options.scopeId ? { [SCOPE_KEY]: options.scopeId } : {}) };
    const result = await this.engine.call(name, {
      credentials: this.#readCredentials({ headers } as unknown as IncomingMessage),
      input: parseInput(operationOf(name).input, input),
      idempotencyKey: options.key,
    });
    this.#running = "settle";
    operationOf(name).result.parse(result);
    for (const field of ["agentToken", "scopeToken"]) {
      const given = (result as Record<string, unknown> | null)?.[field];
      if (typeof given === "string") this.tokens.push(given);
    }
    return result as OperationResult<N>;
  }

  admin<N extends CoreOperation>(name: N, input: OperationInput<N>, scopeId?: string): Promise<OperationResult<N>> {
    return this.call(name, ADMIN_TOKEN, input, { scopeId });
  }

  /** The same, with a refusal as a value. Anything but a refusal is a defect and is thrown. */
  async try<N extends CoreOperation>(
    name: N,
    token: string,
    input: OperationInput<N>,
    options: { readonly key?: string | undefined; readonly scopeId?: string | undefined } = {},
  ): Promise<Outcome<OperationResult<N>>> {
    try {
      const result = await this.call(name, token, input, options);
      this.#tally(name, "ok");
      return { result };
    } catch (error) {
      if (!isIntercomError(error) || error.code === "INTERNAL") throw error;
      this.#tally(name, error.code);
      return { error };
    }
  }

  /** {@link try} with the admin credential, for the scope it names. */
  tryAsAdmin<N extends CoreOperation>(
    name: N,
    input: OperationInput<N>,
    scopeId?: string,
  ): Promise<Outcome<OperationResult<N>>> {
    return this.try(name, ADMIN_TOKEN, input, { scopeId });
  }

  #tally(name: string, verdict: string): void {
    const key = `${name} ${verdict}`;
    tally.set(key, (tally.get(key) ?? 0) + 1);
  }

  /** Lets time pass and what fell due happen. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.engine.settleDue();
  }

  /** Sets the clock. */
  async jump(ms: number): Promise<void> {
    this.clock.jump(ms);
    await this.engine.settleDue();
  }

  rows<Row>(sql: string, ...parameters: SqlValue[]): Row[] {
    let statement = this.#queries.get(sql);
    if (!statement) {
      statement = this.database.prepare<SqlValue[]>(sql);
      this.#queries.set(sql, statement);
    }
    return statement.all(...parameters) as Row[];
  }

  #recording(): Store {
    const store = this.#store;
    const wrap =
      <T>(work: (tx: Transaction) => Promise<T>) =>
      (tx: Transaction): Promise<T> => {
        const note = (sql: string) => {
          const users = this.statements.get(sql);
          if (users) users.add(this.#running);
          else this.statements.set(sql, new Set([this.#running]));
        };
        return work({
          get: (sql, ...parameters) => {
            note(sql);
            return tx.get(sql, ...parameters);
          },
          all: (sql, ...parameters) => {
            note(sql);
            return tx.all(sql, ...parameters);
          },
          run: (sql, ...parameters) => {
            note(sql);
            return tx.run(sql, ...parameters);
          },
        });
      };
    return {
      backend: store.backend,
      schema: store.schema,
      write: (work) => store.write(wrap(work)),
      read: (work) => store.read(wrap(work)),
      probe: () => store.probe(),
      size: () => store.size(),
      close: () => store.close(),
    };
  }
}
