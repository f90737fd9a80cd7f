import type { ComponentPropsWithRef, ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import styles from "./button.module.css";
import { Tooltip } from "./tooltip.tsx";

interface ButtonProps extends ComponentPropsWithRef<"button"> {
  /** `primary`: the one thing to do here. `plain`: no frame until pointed at. */
  readonly look?: "normal" | "primary" | "plain" | "danger";
  readonly icon?: ReactNode;
}

export function Button({ look = "normal", icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={cx(styles.button, styles[look], className)}>
      {icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  /** Its name, which also shows when it is pointed at. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Key that does the same, shown beside the name. */
  readonly shortcut?: string;
}

export function IconButton({ label, icon, shortcut, look = "plain", className, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cx(styles.button, styles[look], styles.icon, className)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
