import { type ReactNode, useId } from "react";
import { Switch } from "../../ui/switch.tsx";
import styles from "./settings.module.css";

/** Settings that belong together. */
export function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.group}>
      <h2 id={id} className={styles.groupTitle}>
        {title}
      </h2>
      <div className={styles.rows}>{children}</div>
    </section>
  );
}

interface RowProps {
  readonly label: string;
  readonly text?: ReactNode;
  /** Takes the id of the label. */
  readonly control: (labelId: string, textId: string) => ReactNode;
}

/** One setting: what it is, and what sets it. */
export function Row({ label, text, control }: RowProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <div id={id}>{label}</div>
        {text && (
          <div id={`${id}-text`} className={styles.text}>
            {text}
          </div>
        )}
      </div>
      <div className={styles.control}>{control(id, `${id}-text`)}</div>
    </div>
  );
}

interface SwitchRowProps {
  readonly label: string;
  readonly text?: string | undefined;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function SwitchRow({ label, text, checked, disabled = false, onChange }: SwitchRowProps) {
  return (
    <Row
      label={label}
      text={text}
      control={(labelId, textId) => (
        <Switch
          labelledBy={labelId}
          describedBy={text ? textId : undefined}
          checked={checked}
          disabled={disabled}
          onChange={onChange}
        />
      )}
    />
  );
}
