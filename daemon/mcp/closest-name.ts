/** The one of `names` that `given` most likely stands for, if any is close: part of the other, or a letter or two away. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  // Nothing that long is a slip of the pen, and comparing it would cost.
  if (given.length > 64) return undefined;
  const wanted = given.toLowerCase();
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= (Math.min(name.length, given.length) <= 3 ? 1 : 2))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

function distanceOf(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return 0;
  return editDistance(a, b);
}

/** Letters to add, drop or change until one is the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.split("").entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split("").entries()) {
      const change = (row[j] as number) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
