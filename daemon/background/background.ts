import { rmSync } from "node:fs";
import type {
  BackgroundChunk,
  BackgroundInput,
  BackgroundReadName,
  BackgroundResult,
  ExportRequest,
  ImportOutcome,
} from "../core/index.ts";
import type { Clock } from "../engine/index.ts";
import { type SqliteStore, temporaryFile } from "../store/index.ts";
import type { Job } from "./jobs.ts";
import { Slots } from "./slots.ts";
import { Workers } from "./worker-link.ts";

/** Jobs that run at the same time; the daemon itself should always find a processor. */
const MAX_JOBS = 2;

/** Long work on the database, done in other threads so that calls which have to be quick stay quick. */
export class Background {
  readonly #store: SqliteStore;
  readonly #clock: Clock;
  readonly #directory: string;
  readonly #slots = new Slots(MAX_JOBS);
  readonly #workers = new Workers();
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** @param directory for temporary files; on the same disk as the database, where there is room for it twice */
  constructor(store: SqliteStore, clock: Clock, directory: string) {
    this.#store = store;
    this.#clock = clock;
    this.#directory = directory;
  }

  /** A name for a file that is removed when the daemon starts, should it still be there. */
  temporaryFile(kind: string): string {
    return temporaryFile(this.#directory, kind);
  }

  /** Reads on one snapshot; see the core's background reads. */
  async *read<N extends BackgroundReadName>(
    name: N,
    input: BackgroundInput<N>,
  ): AsyncGenerator<BackgroundChunk<N>, BackgroundResult<N>> {
    const job: Job = { kind: "read", file: this.#store.file, now: this.#clock.now(), name, input };
    return (yield* this.#run(job) as AsyncGenerator<BackgroundChunk<N>, BackgroundResult<N>>) as BackgroundResult<N>;
  }

  /** Folds the log into the database, which otherwise the writer does, and everybody waits. */
  async fold(): Promise<void> {
    await drain(this.#run({ kind: "fold", file: this.#store.file }));
  }

  /**
   * Writes the archive of a scope, between two texts, to a file that is not there yet.
   * @param onSize is told as it grows how large the file is; what it throws ends the job
   * @throws {IntercomError} what the export refuses
   */
  async exportTo(
    target: string,
    request: ExportRequest,
    envelope: readonly [before: string, after: string],
    onSize: (bytes: number) => void,
  ): Promise<void> {
    const job: Job = { kind: "export", file: this.#store.file, now: this.#clock.now(), request, target, envelope };
    await this.#keepingSnapshot(async () => {
      for await (const size of this.#run(job)) onSize(size as number);
    });
  }

  /** Writes a copy of the whole database to a file that is not there yet. */
  async copyTo(target: string): Promise<void> {
    try {
      await this.#keepingSnapshot(() => drain(this.#run({ kind: "copy", file: this.#store.file, target })));
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    }
  }

  /** Makes a scope from an archive in a file. Only while it is written, other writers wait. */
  async importArchive(archive: string): Promise<ImportOutcome> {
    const staging = this.temporaryFile("staging");
    const job: Job = { kind: "import", file: this.#store.file, now: this.#clock.now(), archive, staging };
    const steps = this.#run(job);
    try {
      const first = await steps.next();
      if (first.done) return first.value as ImportOutcome;
      const last = await this.#store.exclusively(() => steps.next());
      return last.value as ImportOutcome;
    } finally {
      await steps.return(undefined);
      rmSync(staging, { force: true });
    }
  }

  /** Runs a job that reads for long, and folds what has been written meanwhile. */
  async #keepingSnapshot<T>(work: () => Promise<T>): Promise<T> {
    return this.#store.withLogLeftAlone(async () => {
      const result = await work();
      await this.fold();
      return result;
    });
  }

  /** Ends what is running, and resolves when nothing is any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#running);
    await this.#workers.stop();
  }

  async *#run(job: Job): AsyncGenerator<unknown, unknown> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running.add(promise);
    const leave = await this.#slots.enter();
    try {
      return yield* this.#workers.run(job, this.#stopping.signal);
    } finally {
      leave();
      this.#running.delete(promise);
      resolve();
    }
  }
}

async function drain(steps: AsyncGenerator<unknown, unknown>): Promise<unknown> {
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
  }
}
