import { CircleAlert } from "lucide-react";
import type { ErrorValue } from "../../protocol/errors.ts";
import { useText } from "../state/context.tsx";
import { Button } from "./button.tsx";
import styles from "./problem.module.css";

interface ProblemProps {
  /** What could not be done. */
  readonly title: string;
  readonly error: ErrorValue;
  readonly onRetry?: (() => void) | undefined;
}

/** What went wrong, and what to do about it. */
export function Problem({ title, error, onRetry }: ProblemProps) {
  const t = useText();
  return (
    <div className={styles.problem} role="alert">
      <CircleAlert aria-hidden="true" />
      <div className={styles.words}>
        <strong>{title}</strong>
        <p>{error.message}</p>
        <p className={styles.advice}>{t(`shell.advice.${error.code}`)}</p>
      </div>
      {onRetry && <Button onClick={onRetry}>{t("common.retry")}</Button>}
    </div>
  );
}
