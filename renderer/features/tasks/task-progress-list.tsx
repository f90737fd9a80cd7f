import type { Task } from "../../../protocol/objects/task.ts";
import { useHost, useText } from "../../state/context.tsx";
import { useReading } from "../../state/reading.ts";
import { Badge } from "../../ui/badge.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import { Problem } from "../../ui/problem.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./tasks.module.css";

interface TaskProgressListProps {
  readonly scopeId: string;
  readonly task: Task;
}

/** What agents have reported, newest first. The latest come with the task; older ones are read when there are any. */
export function TaskProgressList({ scopeId, task }: TaskProgressListProps) {
  const t = useText();
  const host = useHost();
  const [oldest] = task.recentProgress;
  const isComplete = !oldest || oldest.sequence <= 1;
  const { data, error, again } = useReading(
    isComplete ? undefined : `progress ${scopeId}/${task.id}`,
    () => host.call("listTaskProgress", { taskId: task.id }, scopeId),
    ({ type, subjectId }) => type === "task.progress_added" && subjectId === task.id,
  );
  const reports = (data ?? task.recentProgress).toReversed();
  if (reports.length === 0) return <p className={styles.muted}>{t("tasks.progress.none")}</p>;
  return (
    <>
      {error && <Problem title={t("tasks.progress.failed")} error={error} onRetry={again} />}
      <ol className={styles.reports}>
        {reports.map((report) => (
          <li key={report.sequence} className={styles.report}>
            <div className={styles.line}>
              <Badge tone={report.kind === "blocker" ? "warn" : "neutral"}>{t(`tasks.progress.${report.kind}`)}</Badge>
              <bdi>{report.agentId}</bdi>
              <RelativeTime at={report.createdAt} className={styles.muted} />
            </div>
            <PeerText longest={800}>{report.text}</PeerText>
          </li>
        ))}
      </ol>
      {!isComplete && !data && !error && <Skeleton rows={2} />}
    </>
  );
}
