import type { OperationName } from "../../../protocol/index.ts";
import { CheckFailure } from "../../core/failure.ts";
import { refusalOf, resultOf } from "../../http/envelope.ts";
import type { Party } from "./party.ts";

type Input = Readonly<Record<string, unknown>>;

/** One bound: an input that just fits and one that just does not. */
export interface Bound {
  readonly what: string;
  readonly name: OperationName;
  readonly fits: Input;
  readonly tooMuch: Input;
}

/** Text of `bytes` UTF-8 bytes, not all of them ASCII. */
export function text(bytes: number): string {
  const odd = bytes % 2;
  return "é".repeat((bytes - odd) / 2) + "x".repeat(odd);
}

/** A list of so many entries. */
export function list<T>(count: number, entry: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => entry(n));
}

/** A field of text with a limit in bytes. */
export function textBound(name: OperationName, field: string, bytes: number, base: Input): Bound {
  return {
    what: `${field} of ${bytes} bytes`,
    name,
    fits: { ...base, [field]: text(bytes) },
    tooMuch: { ...base, [field]: text(bytes + 1) },
  };
}

/** Sends both inputs of each bound. @throws {CheckFailure} that names the bound */
export async function atBounds(party: Party, bounds: readonly Bound[]): Promise<void> {
  for (const { what, name, fits, tooMuch } of bounds) {
    try {
      resultOf(await party.send(name, fits));
      refusalOf(await party.send(name, tooMuch), "INVALID_ARGUMENT");
    } catch (error) {
      if (!(error instanceof CheckFailure)) throw error;
      throw new CheckFailure(`${name}, ${what}: ${error.message}`, error);
    }
  }
}
