import { MissingPrerequisite } from "./failure.ts";

/** Something one check makes and later ones need. */
export class Produced<T> {
  readonly #check: string;
  readonly #what: string;
  #value: T | undefined;

  /** @param check name of the check that makes it */
  constructor(check: string, what: string) {
    this.#check = check;
    this.#what = what;
  }

  set(value: T): T {
    this.#value = value;
    return value;
  }

  /** @throws {MissingPrerequisite} when the check that makes it did not get that far */
  get(): T {
    if (this.#value === undefined) throw new MissingPrerequisite(this.#check, this.#what);
    return this.#value;
  }
}
