// Finds circles in a graph of names.

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The groups of nodes that reach each other, each as one shortest circle that starts and ends at its first name in the
 * alphabet. Tarjan's algorithm for the groups, a breadth-first search for the circle to show.
 */
export function findCycles(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  const visit = (node: string): number => {
    const order = index.size;
    index.set(node, order);
    let lowest = order;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, index.get(next) ?? lowest);
    }
    if (lowest === order) {
      const group = stack.splice(stack.indexOf(node));
      const start = group.sort()[0] ?? node;
      if (group.length > 1 || graph.get(node)?.has(node)) cycles.push(circle(graph, start, new Set(group)));
    }
    return lowest;
  };

  for (const node of [...graph.keys()].sort()) if (!index.has(node)) visit(node);
  return cycles;
}

function circle(graph: Graph, start: string, group: ReadonlySet<string>): string[] {
  let paths = [[start]];
  const seen = new Set<string>();
  while (paths.length > 0) {
    const longer: string[][] = [];
    for (const path of paths) {
      for (const next of graph.get(path.at(-1) ?? start) ?? []) {
        if (next === start) return [...path, start];
        if (!group.has(next) || seen.has(next)) continue;
        seen.add(next);
        longer.push([...path, next]);
      }
    }
    paths = longer;
  }
  return [start];
}
