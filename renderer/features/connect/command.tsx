import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useHost, useText } from "../../state/context.tsx";
import { asIntercomError } from "../../state/failure.ts";
import { IconButton } from "../../ui/button.tsx";
import { sayProblem } from "../../ui/toasts.tsx";
import styles from "./connect.module.css";

/** How long the button says that it has copied, ms. */
const SAID_MS = 2000;

interface CommandProps {
  /** What it is for. */
  readonly label: string;
  readonly text: string;
}

/** Text to be pasted elsewhere, with a button that copies it. */
export function Command({ label, text }: CommandProps) {
  const t = useText();
  const host = useHost();
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function copy(): Promise<void> {
    try {
      // The desktop allows its pages no clipboard; its main process has one.
      if (host.desktop) await host.desktop.ask("copyText", { text });
      else await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch (error) {
      sayProblem(t("shell.failed"), asIntercomError(error).toValue());
    }
  }

  return (
    <div className={styles.command}>
      <pre className={styles.code}>
        <code>{text}</code>
      </pre>
      <IconButton
        label={isCopied ? t("connect.copied") : t("connect.copy.label", { what: label })}
        icon={isCopied ? <Check /> : <Copy />}
        className={styles.copy}
        onClick={() => void copy()}
      />
      <span role="status" className="visually-hidden">
        {isCopied && t("connect.copied")}
      </span>
    </div>
  );
}
