import { Switch as Base } from "@base-ui/react/switch";
import styles from "./switch.module.css";

interface SwitchProps {
  readonly labelledBy: string;
  readonly describedBy?: string | undefined;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export function Switch({ labelledBy, describedBy, checked, onChange, disabled = false }: SwitchProps) {
  return (
    <Base.Root
      className={styles.track}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      checked={checked}
      disabled={disabled}
      onCheckedChange={(next) => onChange(next)}
    >
      <Base.Thumb className={styles.thumb} />
    </Base.Root>
  );
}
