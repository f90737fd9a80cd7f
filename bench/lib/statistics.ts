/** The value below which the given part of the samples lies. */
export function percentile(samples: readonly number[], part: number): number {
  if (samples.length === 0) return Number.NaN;
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Runs `work` `count` times one after the other and returns how long each took, ms. */
export async function timeEach(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const begin = performance.now();
    await work(index);
    samples.push(performance.now() - begin);
  }
  return samples;
}
