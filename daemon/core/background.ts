import type { Context } from "./context.ts";
import { planRetention } from "./retention-plan.ts";
import { summarizeStorage } from "./storage-summary.ts";

/**
 * Long reads, which run on a snapshot away from the calls that have to be quick. Each yields what comes on the way, which
 * is all that is ever held in memory, and returns what is known at the end. Inputs and outputs are plain data.
 */
export const backgroundReads = { summarizeStorage, planRetention };

export type BackgroundReads = typeof backgroundReads;
export type BackgroundReadName = keyof BackgroundReads;
export type BackgroundInput<N extends BackgroundReadName> = Parameters<BackgroundReads[N]>[1];
type Steps<N extends BackgroundReadName> = ReturnType<BackgroundReads[N]>;
export type BackgroundChunk<N extends BackgroundReadName> =
  Steps<N> extends AsyncGenerator<infer Chunk, unknown> ? Chunk : never;
export type BackgroundResult<N extends BackgroundReadName> =
  Steps<N> extends AsyncGenerator<unknown, infer Result> ? Result : never;

/** A background read with its types put aside. */
export type AnyBackgroundRead = (ctx: Context, input: unknown) => AsyncGenerator<unknown, unknown>;
