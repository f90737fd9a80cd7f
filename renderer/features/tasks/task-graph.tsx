import { Waypoints } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { visibleLine } from "../../lib/visible-text.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { columnOf } from "./columns.ts";
import { neighbourhood, type Subgraph, type Tasks, unfinished } from "./graph.ts";
import { GraphDrawing } from "./graph-drawing.tsx";
import styles from "./tasks.module.css";
import { focusOn, tasksView } from "./view-state.ts";

interface TaskGraphProps {
  readonly scopeId: string;
  readonly tasks: Tasks;
  readonly openId: string | undefined;
}

/** What waits for what: around one task, or all that is unfinished and hangs together. */
export function TaskGraph({ scopeId, tasks, openId }: TaskGraphProps) {
  const t = useText();
  const wanted = useStore(tasksView, (state) => state.focus[scopeId]);
  const focus = wanted === undefined ? undefined : tasks[wanted];
  const subgraph = useMemo(() => (focus ? neighbourhood(tasks, focus.id) : unfinished(tasks)), [tasks, focus]);
  if (subgraph.ids.length === 0) {
    return (
      <EmptyState icon={<Waypoints />} title={t("tasks.graph.none.title")}>
        <p>{t("tasks.graph.none.text")}</p>
      </EmptyState>
    );
  }
  return (
    <div className={styles.graph}>
      <div className={styles.scope}>
        <p>
          {focus ? t("tasks.graph.around", { title: visibleLine(focus.title, 80) }) : t("tasks.graph.all")}
          {subgraph.leftOut > 0 && (
            <span className={styles.muted}> {t("tasks.graph.leftOut", { count: subgraph.leftOut })}</span>
          )}
        </p>
        {focus && <Button onClick={() => focusOn(scopeId, undefined)}>{t("tasks.graph.showAll")}</Button>}
      </div>
      <GraphDrawing scopeId={scopeId} tasks={tasks} subgraph={subgraph} focusId={focus?.id} openId={openId} />
      <GraphAsList scopeId={scopeId} tasks={tasks} subgraph={subgraph} />
    </div>
  );
}

/** The same as words, for those to whom a drawing says nothing. */
function GraphAsList({
  scopeId,
  tasks,
  subgraph,
}: Pick<TaskGraphProps, "scopeId" | "tasks"> & { readonly subgraph: Subgraph }) {
  const app = useAppHandle();
  const t = useText();
  const titleOf = (id: string) => visibleLine(tasks[id]?.title ?? t("tasks.removed"), 120);
  return (
    <details className={styles.words}>
      <summary>{t("tasks.graph.list")}</summary>
      <ul>
        {subgraph.ids.map((id) => {
          const task = tasks[id];
          if (!task) return undefined;
          const before = subgraph.edges.flatMap(({ from, to }) => (to === id ? [titleOf(from)] : []));
          return (
            <li key={id}>
              <Button look="plain" onClick={() => app.navigate({ view: "tasks", scopeId, id })}>
                {titleOf(id)}
              </Button>{" "}
              <span className={styles.muted}>
                {t(`tasks.column.${columnOf(task)}`)}
                {before.length > 0 && `; ${t("tasks.graph.list.first", { titles: before.join(", ") })}`}
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
