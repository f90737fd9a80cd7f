import type { TestDaemon } from "../support/daemon.ts";
import type { World } from "../support/fixtures.ts";
import { makeWorld } from "../support/fixtures.ts";

/** Somebody with nothing to do with what a test does, who goes on calling all the while. */
export class Witness {
  readonly #world: World;
  #stopped = false;
  #calls = 0;
  readonly #running: Promise<void>;

  private constructor(world: World) {
    this.#world = world;
    this.#running = this.#run();
    // Looked at by `end`.
    this.#running.catch(() => {});
  }

  static async start(intercom: TestDaemon): Promise<Witness> {
    return new Witness(await makeWorld(intercom));
  }

  async #run(): Promise<void> {
    const { alice, bob } = this.#world;
    while (!this.#stopped) {
      const id = await bob.tell(alice, { body: "still here" });
      const messages = await alice.drain();
      if (!messages.some((message) => message.id === id)) throw new Error("A message of the witness got lost");
      await alice.ready();
      this.#calls += 1;
    }
  }

  /** Waits until it has got through `count` more rounds. @throws when a call of its failed */
  async rounds(count: number): Promise<void> {
    const until = this.#calls + count;
    while (this.#calls < until) await Promise.race([this.#running, new Promise((resolve) => setTimeout(resolve, 5))]);
  }

  /** @throws when any call of its failed */
  async end(): Promise<void> {
    await this.rounds(1);
    this.#stopped = true;
    await this.#running;
  }
}
