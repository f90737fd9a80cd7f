import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { useText } from "../state/context.tsx";
import { Button } from "./button.tsx";
import styles from "./split-view.module.css";

interface SplitViewProps {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** Whether a detail is chosen: where there is room for one of the two only, it shows instead of the list. */
  readonly hasDetail: boolean;
  readonly onBack: () => void;
  readonly detailLabel: string;
}

/** A list beside the details of what is selected in it. */
export function SplitView({ list, detail, hasDetail, onBack, detailLabel }: SplitViewProps) {
  const t = useText();
  return (
    <div className={cx(styles.split, hasDetail && styles.detailed)}>
      <div className={styles.list}>{list}</div>
      <section className={styles.detail} aria-label={detailLabel}>
        <Button look="plain" className={styles.back} icon={<ArrowLeft />} onClick={onBack}>
          {t("shell.back")}
        </Button>
        {detail}
      </section>
    </div>
  );
}
