import { type FormEvent, useId, useState } from "react";
import { type ErrorValue, isIntercomError } from "../../../protocol/errors.ts";
import { IDENTIFIER_PATTERN } from "../../../protocol/ids.ts";
import { TASK_PRIORITIES, type Task, type TaskPriority } from "../../../protocol/objects/task.ts";
import { errorValue } from "../../data/cache.ts";
import { useCaches } from "../../data/caches.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useHost, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { say } from "../../ui/toasts.tsx";
import { DependencyPicker } from "./dependency-picker.tsx";
import type { Tasks } from "./graph.ts";
import { namesOf, saveTask, type TaskFields, useTaskFields } from "./task-fields.ts";
import styles from "./tasks.module.css";

interface TaskFormProps {
  readonly scopeId: string;
  readonly tasks: Tasks;
  /** The task to edit; a new one without it. */
  readonly task?: Task;
  readonly onClose: () => void;
}

export function TaskForm({ scopeId, tasks, task, onClose }: TaskFormProps) {
  const t = useText();
  const host = useHost();
  const id = useId();
  const cache = useCaches().tasks.get(scopeId);
  const [fields, change, forget] = useTaskFields(scopeId, task);
  const [error, setError] = useState<ErrorValue>();
  const [isBusy, setBusy] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const problems = problemsOf(fields);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    setChecked(true);
    if (problems.title || problems.requires !== undefined || isBusy) return;
    setBusy(true);
    try {
      const saved = await saveTask(host, scopeId, task, fields, (step) => cache.put(step));
      forget();
      onClose();
      const title = visibleLine(saved.title, 60);
      say({ title: t(task ? "tasks.form.saved" : "tasks.form.added", { title }) });
    } catch (failure) {
      const value = errorValue(failure);
      setError(isIntercomError(failure, "CONFLICT") ? { ...value, message: t("tasks.form.conflict") } : value);
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={t(task ? "tasks.form.edit" : "tasks.form.new")}
      actions={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button look="primary" type="submit" form={id} disabled={isBusy}>
            {t(task ? "tasks.form.save" : "tasks.form.add")}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={(event) => void save(event)}>
        {error && <Problem title={t("tasks.form.failed")} error={error} />}
        <div className={styles.field}>
          <label htmlFor={`${id}-title`}>{t("tasks.form.title")}</label>
          <TextField
            id={`${id}-title`}
            value={fields.title}
            spellCheck
            maxLength={256}
            aria-invalid={isChecked && problems.title}
            aria-describedby={`${id}-title-problem`}
            onChange={(event) => change({ title: event.target.value })}
          />
          <span id={`${id}-title-problem`} className={styles.invalid}>
            {isChecked && problems.title && t("tasks.form.title.missing")}
          </span>
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-description`}>{t("tasks.form.description")}</label>
          <textarea
            id={`${id}-description`}
            className={styles.area}
            rows={4}
            value={fields.description}
            aria-describedby={`${id}-description-hint`}
            onChange={(event) => change({ description: event.target.value })}
          />
          <span id={`${id}-description-hint`} className={styles.muted}>
            {t("tasks.form.description.hint")}
          </span>
        </div>
        <div className={styles.pair}>
          <div className={styles.field}>
            <span id={`${id}-priority`} className={styles.label}>
              {t("tasks.priority")}
            </span>
            <Select
              labelledBy={`${id}-priority`}
              value={fields.priority}
              options={TASK_PRIORITIES.map((value) => ({ value, label: t(`tasks.priority.${value}`) }))}
              onChange={(priority: TaskPriority) => change({ priority })}
            />
          </div>
          <div className={styles.field}>
            <label htmlFor={`${id}-requires`}>{t("tasks.form.requires")}</label>
            <TextField
              id={`${id}-requires`}
              value={fields.requires}
              aria-invalid={problems.requires !== undefined}
              aria-describedby={`${id}-requires-hint`}
              onChange={(event) => change({ requires: event.target.value })}
            />
            <span
              id={`${id}-requires-hint`}
              className={problems.requires === undefined ? styles.muted : styles.invalid}
            >
              {problems.requires === undefined
                ? t("tasks.form.requires.hint")
                : t("tasks.form.requires.bad", { name: problems.requires })}
            </span>
          </div>
        </div>
        <DependencyPicker
          tasks={tasks}
          taskId={task?.id}
          chosen={fields.dependencies}
          onChange={(dependencies) => change({ dependencies })}
        />
      </form>
    </Dialog>
  );
}

interface Problems {
  readonly title: boolean;
  /** The first name that cannot be one. */
  readonly requires: string | undefined;
}

function problemsOf({ title, requires }: TaskFields): Problems {
  return {
    title: title.trim() === "",
    requires: namesOf(requires).find((name) => !IDENTIFIER_PATTERN.test(name)),
  };
}
