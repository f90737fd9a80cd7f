import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import { cx } from "../lib/cx.ts";
import menu from "./menu.module.css";
import styles from "./select.module.css";

interface SelectProps<T extends string> {
  /** Its name, when no visible label has it. */
  readonly label?: string;
  /** Id of the visible label. */
  readonly labelledBy?: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean;
  readonly className?: string | undefined;
}

export function Select<T extends string>(props: SelectProps<T>) {
  const { label, labelledBy, value, options, onChange, disabled = false, className } = props;
  return (
    <Base.Root
      items={options}
      value={value}
      disabled={disabled}
      onValueChange={(next) => next !== null && onChange(next)}
    >
      <Base.Trigger aria-label={label} aria-labelledby={labelledBy} className={cx(styles.trigger, className)}>
        <Base.Value className={styles.value} />
        <Base.Icon className={styles.icon}>
          <ChevronDown />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className={menu.positioner}>
          <Base.Popup data-popup="" className={menu.popup}>
            {options.map((option) => (
              <Base.Item key={option.value} value={option.value} className={menu.item}>
                <span className={menu.check}>
                  <Base.ItemIndicator>
                    <Check />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText className={menu.label}>{option.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
