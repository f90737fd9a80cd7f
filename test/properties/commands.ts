import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { Bench, type Outcome, tally } from "./bench.ts";
import { Invariants } from "./invariants.ts";

type Arbitraries<Args extends readonly unknown[]> = { [K in keyof Args]: fc.Arbitrary<Args[K]> };

/** Describes one kind of step by the arguments it takes; `run` reads them modulo whatever there is. */
export function step<Model extends Comparable, const Args extends readonly unknown[]>(
  name: string,
  args: Arbitraries<Args>,
  run: (model: Model, ...args: Args) => Promise<void>,
): fc.Arbitrary<fc.AsyncCommand<StepsOf<Model>, Bench>> {
  return fc.tuple<unknown[]>(...(args as readonly fc.Arbitrary<unknown>[])).map((values) => ({
    check: () => true,
    run: async ({ model, invariants }) => {
      await run(model, ...(values as unknown as Args));
      invariants.check();
      model.compare?.();
    },
    toString: () => `${name}(${values.map((value) => JSON.stringify(value)).join(", ")})`,
  }));
}

interface Comparable {
  readonly bench: Bench;
  /** Compares everything the model knows with what is stored. @throws when they differ */
  compare?(): void;
}

interface StepsOf<Model> {
  readonly model: Model;
  readonly invariants: Invariants;
}

export interface Runs {
  readonly runs: number;
  readonly steps: number;
}

/** `PROPERTY_TALLY=1` tells how often calls came to what. Longer with `PROPERTY_RUNS=50`; `PROPERTY_SEED` repeats what a failure printed. */
function parameters(runs: number): fc.Parameters<unknown> {
  const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;
  return {
    numRuns: PROPERTY_RUNS ? Number(PROPERTY_RUNS) : runs,
    ...(PROPERTY_SEED ? { seed: Number(PROPERTY_SEED) } : {}),
    // Ends shrinking, too: a short enough list of steps is better than a timeout.
    interruptAfterTimeLimit: 60_000,
  };
}

/**
 * Runs the steps in random order against a fresh bench each time, checks the invariants after each, and the file at the
 * end. On failure fast-check prints seed, path and the shortest list of steps it found.
 */
export async function runSteps<Model>(
  kinds: readonly fc.Arbitrary<fc.AsyncCommand<StepsOf<Model>, Bench>>[],
  { runs, steps }: Runs,
  setUp: (bench: Bench) => Promise<Model>,
  atEnd: (model: Model) => Promise<void> = async () => {},
): Promise<void> {
  const property = fc.asyncProperty(
    // Without bias: it prefers short lists and small numbers, which here mean the same few things over and over.
    fc.noBias(fc.commands([...kinds], { maxCommands: steps, size: "max" })),
    async (commands) => {
      const bench = new Bench();
      try {
        const model = await setUp(bench);
        const invariants = new Invariants(bench);
        invariants.check();
        await fc.asyncModelRun(() => ({ model: { model, invariants }, real: bench }), commands);
        await atEnd(model);
        invariants.checkAtEnd();
      } finally {
        await bench.close();
      }
    },
  );
  await fc.assert(property, parameters(runs) as fc.Parameters<[Iterable<fc.AsyncCommand<StepsOf<Model>, Bench>>]>);
  if (process.env.PROPERTY_TALLY)
    console.log(
      [...tally]
        .map(([what, times]) => `${times} ${what}`)
        .sort()
        .join("\n"),
    );
}

/** Picks by a number that was drawn before it was known how much there is to pick from. */
export function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % items.length];
}

/** @throws unless both are the same */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
}

/** What a call came to, short: its error code, with the reason when there is one, or "ok". */
export function verdict(outcome: Outcome<unknown>): string {
  if (!outcome.error) return "ok";
  const reason = outcome.error.details?.reason;
  return reason === undefined ? outcome.error.code : `${outcome.error.code} ${String(reason)}`;
}
