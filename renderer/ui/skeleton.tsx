import { useText } from "../state/context.tsx";
import styles from "./skeleton.module.css";

/** Where rows will be, while they are read. Nothing moves when they come. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  const t = useText();
  return (
    <div className={styles.skeleton} role="status" aria-label={t("shell.loading")}>
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row) => (
        <div key={row} className={styles.row} />
      ))}
    </div>
  );
}
