import { useMemo } from "react";
import type { Task } from "../../../protocol/objects/task.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { routeHash } from "../../state/route.ts";
import { columnOf } from "./columns.ts";
import { dependentsOf, type Tasks } from "./graph.ts";
import styles from "./tasks.module.css";

interface TaskNeighboursProps {
  readonly scopeId: string;
  readonly task: Task;
  readonly tasks: Tasks;
}

/** What the task waits for, and what waits for it. */
export function TaskNeighbours({ scopeId, task, tasks }: TaskNeighboursProps) {
  const t = useText();
  const dependents = useMemo(() => dependentsOf(tasks).get(task.id) ?? [], [tasks, task.id]);
  return (
    <>
      {task.dependencies.length > 0 && (
        <section className={styles.part}>
          <h3 className={styles.caption}>{t("tasks.dependencies")}</h3>
          <TaskLinks scopeId={scopeId} ids={task.dependencies} tasks={tasks} />
        </section>
      )}
      {dependents.length > 0 && (
        <section className={styles.part}>
          <h3 className={styles.caption}>{t("tasks.dependents")}</h3>
          <TaskLinks scopeId={scopeId} ids={dependents} tasks={tasks} />
        </section>
      )}
    </>
  );
}

interface TaskLinksProps {
  readonly scopeId: string;
  readonly ids: readonly string[];
  readonly tasks: Tasks;
}

function TaskLinks({ scopeId, ids, tasks }: TaskLinksProps) {
  const app = useAppHandle();
  const t = useText();
  return (
    <ul className={styles.links}>
      {ids.map((id) => {
        const task = tasks[id];
        if (!task) return <li key={id}>{t("tasks.removed")}</li>;
        const destination = { view: "tasks", scopeId, id } as const;
        return (
          <li key={id} className={styles.neighbour}>
            <a
              className={styles.link}
              href={routeHash(destination)}
              onClick={(event) => {
                event.preventDefault();
                app.navigate(destination);
              }}
            >
              <bdi>{visibleLine(task.title, 120)}</bdi>
            </a>
            <span className={styles.muted}>{t(`tasks.column.${columnOf(task)}`)}</span>
          </li>
        );
      })}
    </ul>
  );
}
