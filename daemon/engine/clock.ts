/** Time for the engine. */
export interface Clock {
  /** Wall clock, ms since the epoch; as if it had not jumped, until somebody takes the jump. */
  now(): number;
  /** The wall clock has jumped, and nobody has taken notice of it yet. */
  readonly jumped: boolean;
  /** How far the wall clock has jumped since the last call, ms; 0 when it merely went on. */
  takeJump(): number;
}

/** The wall clock may differ this much from the steady one between two looks before it counts as a jump. */
const TOLERANCE_MS = 2000;

/**
 * The wall clock, watched against a clock that nobody can set. A jump is what is left when somebody sets the time, or
 * when the machine was asleep: the steady clock does not run then.
 */
export class SystemClock implements Clock {
  readonly #wall: () => number;
  readonly #steady: () => number;
  #lastWall: number;
  #lastSteady: number;
  #jump = 0;

  constructor(wall: () => number = Date.now, steady: () => number = () => performance.now()) {
    this.#wall = wall;
    this.#steady = steady;
    this.#lastWall = wall();
    this.#lastSteady = steady();
  }

  now(): number {
    const wall = this.#wall();
    const steady = this.#steady();
    const difference = wall - this.#lastWall - (steady - this.#lastSteady);
    if (Math.abs(difference) > TOLERANCE_MS) this.#jump += Math.round(difference);
    this.#lastWall = wall;
    this.#lastSteady = steady;
    // Stored instants are still of the time before the jump; nothing may look overdue because they are.
    return wall - this.#jump;
  }

  get jumped(): boolean {
    return this.#jump !== 0;
  }

  takeJump(): number {
    const jump = this.#jump;
    this.#jump = 0;
    return jump;
  }
}
