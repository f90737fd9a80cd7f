import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Daemon, type DaemonOptions, startDaemon } from "../../daemon/index.ts";
import type { OperationInput, OperationName, OperationResult } from "../../protocol/index.ts";
import { AdminActor, ScopeActor } from "./actors.ts";
import { TestClock } from "./clock.ts";
import { type Answer, type CallOptions, exchange, refusalOf, requestFor, resultOf } from "./http.ts";

/** What was refused, and how. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

let scopeCount = 0;

/** A real daemon in this process, on directories of its own, with a clock the test moves. */
export class TestDaemon {
  readonly clock: TestClock;
  readonly home: string;
  readonly #options: DaemonOptions;
  #daemon: Daemon;

  private constructor(daemon: Daemon, home: string, clock: TestClock, options: DaemonOptions) {
    this.#daemon = daemon;
    this.home = home;
    this.clock = clock;
    this.#options = options;
  }

  /** @param options override what `startDaemon` is given; port and directories are fresh unless named */
  static async start(options: DaemonOptions = {}): Promise<TestDaemon> {
    const home = mkdtempSync(join(tmpdir(), "intercom-test-"));
    const clock = new TestClock();
    const all: DaemonOptions = {
      dataDir: join(home, "data"),
      runtimeDir: join(home, "run"),
      port: 0,
      env: {},
      clock,
      ...options,
    };
    try {
      return new TestDaemon(await startDaemon(all), home, clock, all);
    } catch (error) {
      rmSync(home, { recursive: true, force: true });
      throw error;
    }
  }

  get daemon(): Daemon {
    return this.#daemon;
  }

  get address(): string {
    return this.#daemon.address;
  }

  get port(): number {
    return Number(new URL(this.address).port);
  }

  get adminToken(): string {
    return this.#daemon.adminToken;
  }

  /** Stops the daemon and starts another one on the same data. */
  async restart(): Promise<void> {
    await this.#daemon.stop();
    this.#daemon = await startDaemon(this.#options);
  }

  /** Stops the daemon and removes its directories. */
  async close(): Promise<void> {
    await this.#daemon.stop();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Sends the input of an operation, right or wrong, and hands back whatever came. */
  async send(
    name: OperationName,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<Answer> {
    return exchange(this.address, requestFor(name, input), options);
  }

  /**
   * Calls an operation. The result has been checked against its schema.
   * @throws {Refused} when the daemon refuses
   */
  async call<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    options: CallOptions = {},
  ): Promise<OperationResult<N>> {
    return resultOf(name, await this.send(name, input as Record<string, unknown>, options)) as OperationResult<N>;
  }

  /** Calls an operation that must be refused with a code the table lists. @throws when it succeeds */
  async refused(
    name: OperationName,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<Refusal> {
    const answer = await this.send(name, input, options);
    if (answer.status < 400) throw new Error(`${name} was not refused: ${JSON.stringify(answer.body)}`);
    return { status: answer.status, ...refusalOf(name, answer) };
  }

  get admin(): AdminActor {
    return new AdminActor(this);
  }

  /** Makes a scope with an id of its own. */
  async scope(input: OperationInput<"createScope"> = {}): Promise<ScopeActor> {
    scopeCount += 1;
    const { scopeId, scopeToken } = await this.admin.call("createScope", { id: `scope-${scopeCount}`, ...input });
    return new ScopeActor(this, scopeId, scopeToken);
  }

  /** Lets time pass and the daemon notice what fell due. */
  async advance(ms: number): Promise<void> {
    this.clock.advance(ms);
    await this.settle();
  }

  /** Sets the clock, as its owner or a sleeping machine does. */
  async jump(ms: number): Promise<void> {
    this.clock.jump(ms);
    await this.settle();
  }

  async settle(): Promise<void> {
    await this.admin.call("overview", {});
  }

  /** Works on the database file beside the daemon: for states that take too many calls to reach. */
  sql<T>(work: (database: Database.Database) => T): T {
    const database = new Database(this.#daemon.directories.databaseFile, { timeout: 2500 });
    try {
      return database.transaction(() => work(database)).immediate();
    } finally {
      database.close();
    }
  }
}

export type { Answer, CallOptions };
