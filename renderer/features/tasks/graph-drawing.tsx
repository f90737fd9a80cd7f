import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { cx } from "../../lib/cx.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { columnOf } from "./columns.ts";
import styles from "./graph.module.css";
import type { Subgraph, Tasks } from "./graph.ts";
import { BOX, drawingOf, neighbourAt, pathOf } from "./graph-layout.ts";
import { focusOn } from "./view-state.ts";

const DIRECTIONS = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
} as const satisfies Record<string, Parameters<typeof neighbourAt>[2]>;

function isDirection(key: string): key is keyof typeof DIRECTIONS {
  return Object.hasOwn(DIRECTIONS, key);
}

interface GraphDrawingProps {
  readonly scopeId: string;
  readonly tasks: Tasks;
  readonly subgraph: Subgraph;
  readonly focusId: string | undefined;
  readonly openId: string | undefined;
}

/** The graph as boxes and lines. One box can be reached with Tab, the others from it with the arrow keys. */
export function GraphDrawing({ scopeId, tasks, subgraph, focusId, openId }: GraphDrawingProps) {
  const app = useAppHandle();
  const t = useText();
  const svg = useRef<SVGSVGElement>(null);
  // The layout hangs on who is there and what leads where, not on what the tasks say.
  const shape = JSON.stringify(subgraph);
  const drawing = useMemo(() => drawingOf(JSON.parse(shape) as Subgraph), [shape]);
  const [cursor, setCursor] = useState<string>();
  const looked = [cursor, openId, focusId].find((id) => id !== undefined && subgraph.ids.includes(id));
  const reached = looked ?? subgraph.ids[0];

  useEffect(() => {
    nodeOf(svg.current, focusId)?.scrollIntoView({ block: "center", inline: "center" });
  }, [focusId]);

  function press(event: KeyboardEvent, id: string): void {
    if (isDirection(event.key)) {
      const next = neighbourAt(drawing.nodes, id, DIRECTIONS[event.key]);
      if (next === undefined) return;
      setCursor(next);
      nodeOf(svg.current, next)?.focus();
    } else if (event.key === "Enter" || event.key === " ") app.navigate({ view: "tasks", scopeId, id });
    else if (event.key === "f") focusOn(scopeId, id);
    else return;
    event.preventDefault();
  }

  const count = (id: string, end: "from" | "to") => subgraph.edges.filter((edge) => edge[end] === id).length;
  return (
    <div role="listbox" aria-label={t("tasks.graph.label")} className={styles.frame}>
      <svg
        ref={svg}
        role="presentation"
        width={drawing.width}
        height={drawing.height}
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      >
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" className={styles.head} />
          </marker>
        </defs>
        {drawing.edges.map(({ from, to, points }) => (
          <path
            key={`${from} ${to}`}
            d={pathOf(points)}
            markerEnd="url(#arrow)"
            className={cx(styles.edge, (from === looked || to === looked) && styles.near)}
          />
        ))}
        {drawing.nodes.map(({ id, x, y }) => {
          const task = tasks[id];
          if (!task) return undefined;
          const column = columnOf(task);
          const title = visibleLine(task.title, 120);
          return (
            <g
              key={id}
              role="option"
              data-task={id}
              tabIndex={id === reached ? 0 : -1}
              aria-selected={id === openId}
              transform={`translate(${x} ${y})`}
              className={cx(styles.node, styles[column], id === focusId && styles.focus, id === openId && styles.open)}
              onClick={() => {
                setCursor(id);
                app.navigate({ view: "tasks", scopeId, id });
              }}
              onDoubleClick={() => focusOn(scopeId, id)}
              onFocus={() => setCursor(id)}
              onKeyDown={(event) => press(event, id)}
            >
              <rect width={BOX.width} height={BOX.height} rx="8" className={styles.box} />
              <rect width="4" height={BOX.height - 16} x="8" y="8" rx="2" className={styles.bar} />
              <foreignObject x="20" y="4" width={BOX.width - 28} height={BOX.height - 8}>
                <div className={styles.label}>
                  <bdi className={styles.title}>{title}</bdi>
                  <span className={styles.state}>
                    {t(`tasks.column.${column}`)}
                    {task.claimedBy && ` · ${task.claimedBy}`}
                    <span className="visually-hidden">
                      {t("tasks.graph.node", { before: count(id, "to"), after: count(id, "from") })}
                    </span>
                  </span>
                </div>
              </foreignObject>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function nodeOf(svg: SVGSVGElement | null, taskId: string | undefined): SVGGElement | undefined {
  return [...(svg?.querySelectorAll<SVGGElement>("[data-task]") ?? [])].find((node) => node.dataset.task === taskId);
}
