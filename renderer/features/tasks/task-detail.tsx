import { Activity, Ban, Ellipsis, ListX, Pencil, Waypoints, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { Task } from "../../../protocol/objects/task.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { routeHash } from "../../state/route.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu } from "../../ui/menu.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { showFeedOf } from "../activity/view-state.ts";
import { CancelTask } from "./cancel-task.tsx";
import { type Column, columnOf } from "./columns.ts";
import type { Tasks } from "./graph.ts";
import { TaskForm } from "./task-form.tsx";
import { TaskNeighbours } from "./task-neighbours.tsx";
import { TaskProgressList } from "./task-progress-list.tsx";
import styles from "./tasks.module.css";
import { focusOn } from "./view-state.ts";

const TONES: Readonly<Record<Column, Tone>> = {
  ready: "accent",
  blocked: "warn",
  claimed: "good",
  done: "neutral",
  cancelled: "neutral",
};

interface TaskDetailProps {
  readonly scopeId: string;
  readonly taskId: string;
  readonly tasks: Tasks;
  readonly onClose: () => void;
}

/** Everything about one task, beside the board or the graph. */
export function TaskDetail({ scopeId, taskId, tasks, onClose }: TaskDetailProps) {
  const t = useText();
  const task = tasks[taskId];
  return (
    <aside
      className={styles.detail}
      aria-label={t("tasks.detail")}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape" && !event.defaultPrevented) onClose();
      }}
    >
      <IconButton className={styles.close} label={t("tasks.close")} icon={<X />} onClick={onClose} />
      {task ? (
        <Contents scopeId={scopeId} task={task} tasks={tasks} />
      ) : (
        <EmptyState icon={<ListX />} title={t("tasks.gone.title")}>
          <p>{t("tasks.gone.text")}</p>
        </EmptyState>
      )}
    </aside>
  );
}

interface ContentsProps {
  readonly scopeId: string;
  readonly task: Task;
  readonly tasks: Tasks;
}

function Contents({ scopeId, task, tasks }: ContentsProps) {
  const app = useAppHandle();
  const t = useText();
  const [dialog, setDialog] = useState<"edit" | "cancel">();
  const column = columnOf(task);
  const isUnfinished = task.status === "open" || task.status === "claimed";
  const isStuck = task.blockedBy.some((id) => tasks[id]?.status === "cancelled");
  return (
    <>
      <header className={styles.top}>
        <Badge tone={TONES[column]}>{t(`tasks.column.${column}`)}</Badge>
        <h2 className={styles.name}>
          <bdi>{visibleLine(task.title)}</bdi>
        </h2>
        <div className={styles.actions}>
          {isUnfinished && (
            <Button icon={<Pencil />} onClick={() => setDialog("edit")}>
              {t("tasks.edit")}
            </Button>
          )}
          <Button icon={<Waypoints />} onClick={() => focusOn(scopeId, task.id)}>
            {t("tasks.inGraph")}
          </Button>
          <Menu
            trigger={<IconButton label={t("tasks.more")} icon={<Ellipsis />} />}
            items={[
              {
                id: "activity",
                label: t("tasks.activity"),
                icon: <Activity />,
                onSelect: () => showFeedOf(app, { scopeId, subjectId: task.id }),
              },
              ...(isUnfinished
                ? [{ id: "cancel", label: t("tasks.cancel"), icon: <Ban />, onSelect: () => setDialog("cancel") }]
                : []),
            ]}
          />
        </div>
      </header>
      {isStuck && <p className={styles.stuck}>{t("tasks.blocked.cancelled")}</p>}
      <Facts scopeId={scopeId} task={task} />
      <Part title={t("tasks.description")}>
        {task.description ? (
          <PeerText>{task.description}</PeerText>
        ) : (
          <p className={styles.muted}>{t("tasks.description.none")}</p>
        )}
      </Part>
      {task.note && (
        <Part title={t("tasks.note")}>
          <PeerText>{task.note}</PeerText>
        </Part>
      )}
      {task.cancelReason && (
        <Part title={t("tasks.reason")}>
          <PeerText>{task.cancelReason}</PeerText>
        </Part>
      )}
      <TaskNeighbours scopeId={scopeId} task={task} tasks={tasks} />
      <Part title={t("tasks.progress")}>
        <TaskProgressList scopeId={scopeId} task={task} />
      </Part>
      {dialog === "edit" && (
        <TaskForm scopeId={scopeId} tasks={tasks} task={task} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "cancel" && <CancelTask scopeId={scopeId} task={task} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3 className={styles.caption}>{title}</h3>
      {children}
    </section>
  );
}

function Facts({ scopeId, task }: Pick<ContentsProps, "scopeId" | "task">) {
  const t = useText();
  const { claimedBy, createdBy, priority, requires } = task;
  return (
    <dl className={styles.facts}>
      {claimedBy && (
        <div className={styles.fact}>
          <dt>{t("tasks.claimedBy")}</dt>
          <dd>
            <AgentLink scopeId={scopeId} agentId={claimedBy} />
          </dd>
        </div>
      )}
      <div className={styles.fact}>
        <dt>{t("tasks.priority")}</dt>
        <dd>{t(`tasks.priority.${priority}`)}</dd>
      </div>
      {requires.length > 0 && (
        <div className={styles.fact}>
          <dt>{t("tasks.requires")}</dt>
          <dd>{requires.join(", ")}</dd>
        </div>
      )}
      <div className={styles.fact}>
        <dt>{t("tasks.createdBy")}</dt>
        <dd>
          {createdBy === null ? t("tasks.you") : <AgentLink scopeId={scopeId} agentId={createdBy} />}
          {", "}
          <RelativeTime at={task.createdAt} />
        </dd>
      </div>
      <div className={styles.fact}>
        <dt>{t("tasks.updated")}</dt>
        <dd>
          <RelativeTime at={task.updatedAt} />
        </dd>
      </div>
    </dl>
  );
}

function AgentLink({ scopeId, agentId }: { readonly scopeId: string; readonly agentId: string }) {
  const app = useAppHandle();
  const destination = { view: "sessions", scopeId, id: agentId } as const;
  return (
    <a
      className={styles.link}
      href={routeHash(destination)}
      onClick={(event) => {
        event.preventDefault();
        app.navigate(destination);
      }}
    >
      <bdi>{agentId}</bdi>
    </a>
  );
}
