/** What has to be undone, in reverse, when a daemon stops or fails to start. */
export class Cleanup {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  add(step: () => void | Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs every step once, also those after one that fails; the first failure is thrown at the end. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
