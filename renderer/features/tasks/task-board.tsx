import { ListFilter } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Task } from "../../../protocol/objects/task.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { Count } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { COLUMNS, columnsOf } from "./columns.ts";
import type { Tasks } from "./graph.ts";
import { TaskCard } from "./task-card.tsx";
import styles from "./tasks.module.css";
import { tasksView } from "./view-state.ts";

const keyOf = ({ id }: Task) => id;

interface TaskBoardProps {
  readonly scopeId: string;
  readonly tasks: Tasks;
  readonly openId: string | undefined;
}

/** A column for each state a task may be in. Up and down move in a column, left and right between them. */
export function TaskBoard({ scopeId, tasks, openId }: TaskBoardProps) {
  const app = useAppHandle();
  const t = useText();
  const board = useRef<HTMLUListElement>(null);
  const { text, agentId } = useStore(tasksView);
  // What is typed shows at once, what it finds a moment later.
  const wanted = useDeferredValue(text);
  const columns = useMemo(() => columnsOf(Object.values(tasks), { text: wanted, agentId }), [tasks, wanted, agentId]);
  const [cursors, setCursors] = useState<Readonly<Record<string, string>>>({});

  function press(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const lists = [...(board.current?.querySelectorAll<HTMLElement>("[role=listbox]") ?? [])];
    const next = lists[lists.indexOf(event.target as HTMLElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  if (COLUMNS.every((name) => columns[name].length === 0)) {
    return (
      <EmptyState
        icon={<ListFilter />}
        title={t("tasks.none.title")}
        actions={
          <Button onClick={() => tasksView.setState({ text: "", agentId: undefined })}>{t("tasks.none.clear")}</Button>
        }
      >
        <p>{t("tasks.none.text")}</p>
      </EmptyState>
    );
  }
  return (
    <ul ref={board} className={styles.board} onKeyDown={press}>
      {COLUMNS.map((name) => {
        const members = columns[name];
        const cursor = cursors[name];
        return (
          <li key={name} className={styles.column}>
            <h2 className={styles.heading}>
              {t(`tasks.column.${name}`)} <Count value={members.length} />
            </h2>
            {members.length === 0 ? (
              <p className={styles.nothing}>{t("tasks.column.none")}</p>
            ) : (
              <VirtualList
                label={t(`tasks.column.${name}`)}
                items={members}
                keyOf={keyOf}
                selected={members.some(({ id }) => id === openId) && !cursor ? openId : cursor}
                onSelect={(id, how) => {
                  setCursors((before) => ({ ...before, [name]: id }));
                  if (how === "open") app.navigate({ view: "tasks", scopeId, id });
                }}
                estimate={84}
                takesKeys={false}
                className={styles.cards}
              >
                {(task) => <TaskCard task={task} isOpen={task.id === openId} />}
              </VirtualList>
            )}
          </li>
        );
      })}
    </ul>
  );
}
