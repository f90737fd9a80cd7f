import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";
import { Keys } from "./keys.tsx";
import styles from "./tooltip.module.css";

interface TooltipProps {
  readonly label: ReactNode;
  readonly shortcut?: string | undefined;
  /** Which is pointed at; it takes the props of the trigger. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/** Words beside what is pointed at or focused. They repeat or add, and never are the only way to know. */
export function Tooltip({ label, shortcut, children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {label}
            {shortcut && <Keys chord={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
