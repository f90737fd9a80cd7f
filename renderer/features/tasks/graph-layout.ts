import dagre from "@dagrejs/dagre";
import type { Edge, Subgraph } from "./graph.ts";

/** Measures of a box in the units of the drawing. */
export const BOX = { width: 208, height: 60 } as const;

export interface PlacedNode {
  readonly id: string;
  /** Upper left corner. */
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge extends Edge {
  /** Points the line goes through. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Drawing {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

/** Places what comes first on the left and what waits for it to the right. */
export function drawingOf(subgraph: Subgraph): Drawing {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 14, ranksep: 56, marginx: 16, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of subgraph.ids) graph.setNode(id, { ...BOX });
  for (const { from, to } of subgraph.edges) graph.setEdge(from, to);
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    nodes: subgraph.ids.map((id) => {
      const { x, y } = graph.node(id);
      return { id, x: x - BOX.width / 2, y: y - BOX.height / 2 };
    }),
    edges: subgraph.edges.map((edge) => ({ ...edge, points: graph.edge(edge.from, edge.to).points ?? [] })),
    width,
    height,
  };
}

/** The line of an edge as an SVG path: straight pieces with rounded corners would say no more. */
export function pathOf(points: PlacedEdge["points"]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join(" ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Where an arrow key leads from a box: the nearest one in that direction, by distance and by how far off the line it is. */
export function neighbourAt(
  nodes: readonly PlacedNode[],
  fromId: string,
  direction: "left" | "right" | "up" | "down",
): string | undefined {
  const from = nodes.find(({ id }) => id === fromId);
  if (!from) return nodes[0]?.id;
  const horizontal = direction === "left" || direction === "right";
  const sign = direction === "right" || direction === "down" ? 1 : -1;
  let best: { id: string; cost: number } | undefined;
  for (const node of nodes) {
    const [dx, dy] = [node.x - from.x, node.y - from.y];
    const along = sign * (horizontal ? dx : dy);
    if (along < 1) continue;
    const cost = along + 2 * Math.abs(horizontal ? dy : dx);
    if (!best || cost < best.cost) best = { id: node.id, cost };
  }
  return best?.id;
}
