import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ErrorValue } from "../../protocol/errors.ts";
import { useText } from "../state/context.tsx";
import { IconButton } from "./button.tsx";
import styles from "./toasts.module.css";

const manager = Toast.createToastManager();

interface Said {
  readonly title: string;
  readonly text?: string | undefined;
  /** What may still be done about it, such as taking it back. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  readonly timeoutMs?: number;
}

/** Says in passing what was done. It is announced, and goes by itself. Returns what takes it away. */
export function say({ title, text, action, timeoutMs = 5000 }: Said): () => void {
  const id = manager.add({
    title,
    description: text,
    timeout: timeoutMs,
    ...(action
      ? {
          actionProps: {
            children: action.label,
            onClick: () => {
              manager.close(id);
              action.run();
            },
          },
        }
      : {}),
  });
  return () => manager.close(id);
}

/** Says that something did not work, and why; it stays until it is closed. */
export function sayProblem(title: string, error: ErrorValue): void {
  manager.add({ title, description: error.message, type: "problem", priority: "high", timeout: 0 });
}

/** Where what is said shows; one in each page. */
export function Toasts() {
  const t = useText();
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport aria-label={t("shell.notices")} className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const t = useText();
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection={[]}>
      <Toast.Content className={styles.content}>
        <div className={styles.words}>
          <Toast.Title className={styles.title} />
          <Toast.Description className={styles.text} />
        </div>
        <Toast.Action className={styles.action} />
        <Toast.Close render={<IconButton label={t("common.close")} icon={<X />} />} />
      </Toast.Content>
    </Toast.Root>
  ));
}
