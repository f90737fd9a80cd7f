import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { cx } from "../lib/cx.ts";
import { useText } from "../state/context.tsx";
import { IconButton } from "./button.tsx";
import styles from "./dialog.module.css";

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** `wide` for what has two columns. */
  readonly size?: "normal" | "wide";
  readonly children: ReactNode;
  /** Buttons at the end; the one that does something last. */
  readonly actions?: ReactNode;
}

/** Lies over the page until it is closed; Escape closes it and the focus returns to where it was. */
export function Dialog({ open, onClose, title, size = "normal", children, actions }: DialogProps) {
  const t = useText();
  const body = useRef<HTMLDivElement>(null);
  // In the first field, else in the dialog itself: on the button that closes it nothing is gained.
  const first = () => body.current?.querySelector<HTMLElement>("input, textarea, select") ?? body.current;
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.veil} />
        <Base.Popup initialFocus={first} className={cx(styles.popup, styles[size])}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<IconButton label={t("common.close")} icon={<X />} />} />
          </header>
          <div ref={body} tabIndex={-1} className={styles.body}>
            {children}
          </div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
