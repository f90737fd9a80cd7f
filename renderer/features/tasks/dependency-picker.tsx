import { Plus, X } from "lucide-react";
import { useId, useMemo, useState } from "react";
import type { Task } from "../../../protocol/objects/task.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { SearchField } from "../../ui/text-field.tsx";
import { closesCircle, type Tasks } from "./graph.ts";
import styles from "./tasks.module.css";

/** Found tasks that are offered: more are narrowed by typing. */
const OFFERED = 6;

interface DependencyPickerProps {
  readonly tasks: Tasks;
  /** The task that is to wait; a new one has no id yet. */
  readonly taskId: string | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses what has to be done first. Tasks that would close a circle are not offered. */
export function DependencyPicker({ tasks, taskId, chosen, onChange }: DependencyPickerProps) {
  const t = useText();
  const id = useId();
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = useMemo(
    () => (wanted === "" ? [] : offered(tasks, taskId, chosen, wanted)),
    [tasks, taskId, chosen, wanted],
  );
  const titleOf = (taskId: string) => visibleLine(tasks[taskId]?.title ?? t("tasks.removed"), 120);

  function add({ id: added }: Task): void {
    onChange([...chosen, added]);
    setText("");
  }

  return (
    <fieldset className={styles.field}>
      <legend id={id}>{t("tasks.form.dependencies")}</legend>
      {chosen.length > 0 && (
        <ul className={styles.chosen}>
          {chosen.map((one) => (
            <li key={one} className={styles.choice}>
              <bdi>{titleOf(one)}</bdi>
              <IconButton
                label={t("tasks.form.dependencies.remove", { title: titleOf(one) })}
                icon={<X />}
                onClick={() => onChange(chosen.filter((other) => other !== one))}
              />
            </li>
          ))}
        </ul>
      )}
      <SearchField
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={t("tasks.form.dependencies.find")}
        aria-label={t("tasks.form.dependencies.find")}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Enter chooses here, and does not send the form.
          event.preventDefault();
          const [first] = found;
          if (first) add(first);
        }}
      />
      {found.length > 0 && (
        <ul className={styles.found} aria-labelledby={id}>
          {found.map((task) => (
            <li key={task.id}>
              <Button look="plain" icon={<Plus />} className={styles.offer} onClick={() => add(task)}>
                {visibleLine(task.title, 120)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {wanted !== "" && found.length === 0 && <p className={styles.muted}>{t("tasks.form.dependencies.none")}</p>}
    </fieldset>
  );
}

function offered(tasks: Tasks, taskId: string | undefined, chosen: readonly string[], wanted: string): Task[] {
  const found: Task[] = [];
  for (const task of Object.values(tasks)) {
    if (found.length === OFFERED) break;
    if (task.status === "cancelled" || chosen.includes(task.id)) continue;
    if (!task.title.toLowerCase().includes(wanted) && task.id !== wanted) continue;
    if (taskId !== undefined && closesCircle(tasks, taskId, task.id)) continue;
    found.push(task);
  }
  return found;
}
