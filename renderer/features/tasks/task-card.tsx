import { ChevronsUp, ChevronUp, Hourglass, OctagonAlert, UserRound } from "lucide-react";
import { memo } from "react";
import type { Task } from "../../../protocol/objects/task.ts";
import { cx } from "../../lib/cx.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { Badge } from "../../ui/badge.tsx";
import { blockerOf } from "./columns.ts";
import styles from "./tasks.module.css";

interface TaskCardProps {
  readonly task: Task;
  readonly isOpen: boolean;
}

/** A task on the board: what it is, who has it, what holds it up. */
export const TaskCard = memo(function TaskCard({ task, isOpen }: TaskCardProps) {
  const t = useText();
  const { title, status, priority, claimedBy, blockedBy } = task;
  const blocker = blockerOf(task);
  const isUnfinished = status === "open" || status === "claimed";
  return (
    <div className={styles.slot}>
      <div className={cx(styles.card, isOpen && styles.current, !isUnfinished && styles.past)}>
        <bdi className={styles.title}>{visibleLine(title, 160)}</bdi>
        {blocker && <bdi className={styles.blocker}>{visibleLine(blocker, 120)}</bdi>}
        <div className={styles.marks}>
          {isUnfinished && priority === "urgent" && (
            <Badge tone="bad" icon={<ChevronsUp aria-hidden="true" />}>
              {t("tasks.priority.urgent")}
            </Badge>
          )}
          {isUnfinished && priority === "high" && (
            <Badge tone="warn" icon={<ChevronUp aria-hidden="true" />}>
              {t("tasks.priority.high")}
            </Badge>
          )}
          {blocker && (
            <Badge tone="warn" icon={<OctagonAlert aria-hidden="true" />}>
              {t("tasks.heldUp")}
            </Badge>
          )}
          {claimedBy && (
            <span className={styles.mark}>
              <UserRound aria-hidden="true" />
              <span className="visually-hidden">{t("tasks.claimedBy")} </span>
              <bdi>{claimedBy}</bdi>
            </span>
          )}
          {status === "open" && blockedBy.length > 0 && (
            <span className={styles.mark}>
              <Hourglass aria-hidden="true" />
              {t("tasks.blockedBy", { count: blockedBy.length })}
            </span>
          )}
        </div>
      </div>
    </div>
  );
});
