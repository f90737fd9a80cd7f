import { useId, useState } from "react";
import { type ErrorValue, isIntercomError } from "../../../protocol/errors.ts";
import type { Task } from "../../../protocol/objects/task.ts";
import { errorValue } from "../../data/cache.ts";
import { useCaches } from "../../data/caches.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { DraftArea, useDraft } from "../../ui/text-field.tsx";
import { say } from "../../ui/toasts.tsx";
import styles from "./tasks.module.css";

interface CancelTaskProps {
  readonly scopeId: string;
  readonly task: Task;
  readonly onClose: () => void;
}

/** Asks before a task is called off, and why: agents that have begun it stop, which nothing gives back. */
export function CancelTask({ scopeId, task, onClose }: CancelTaskProps) {
  const app = useAppHandle();
  const t = useText();
  const cache = useCaches().tasks.get(scopeId);
  const id = useId();
  const draft = `cancel ${task.id}`;
  const [reason, setReason] = useDraft(draft);
  const [error, setError] = useState<ErrorValue>();
  const [isBusy, setBusy] = useState(false);

  async function cancel(): Promise<void> {
    setBusy(true);
    try {
      const why = reason.trim();
      cache.put(await app.host.call("cancelTask", { taskId: task.id, ...(why ? { reason: why } : {}) }, scopeId));
      setReason("");
      onClose();
      say({ title: t("tasks.cancel.done", { title: visibleLine(task.title, 60) }) });
    } catch (failure) {
      const value = errorValue(failure);
      setError(isIntercomError(failure, "CONFLICT") ? { ...value, message: t("tasks.cancel.conflict") } : value);
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t("tasks.cancel.title")}
      actions={
        <>
          <Button onClick={onClose}>{t("tasks.cancel.keep")}</Button>
          <Button look="danger" disabled={isBusy} onClick={() => void cancel()}>
            {t("tasks.cancel.do")}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {error && <Problem title={t("tasks.cancel.failed")} error={error} />}
        <p>
          <strong>
            <bdi>{visibleLine(task.title)}</bdi>
          </strong>
        </p>
        <p>{t("tasks.cancel.text")}</p>
        <div className={styles.field}>
          <label htmlFor={id}>{t("tasks.cancel.reason")}</label>
          <DraftArea id={id} draft={draft} rows={2} />
        </div>
      </div>
    </Dialog>
  );
}
