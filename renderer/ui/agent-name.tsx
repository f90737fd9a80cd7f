import { visibleLine } from "../lib/visible-text.ts";
import { useText } from "../state/context.tsx";
import styles from "./agent-name.module.css";

interface AgentNameProps {
  readonly id: string;
  /** What the agent calls itself: anyone may call itself anything, so the id stands beside it. */
  readonly claimed?: string | undefined;
}

export function AgentName({ id, claimed }: AgentNameProps) {
  const t = useText();
  const name = claimed === undefined || claimed === id ? undefined : visibleLine(claimed, 60);
  return (
    <span className={styles.name}>
      <bdi className={styles.id}>{id}</bdi>
      {name && (
        <bdi className={styles.claimed} title={t("shell.claimedName")}>
          {t("shell.quoted", { text: name })}
        </bdi>
      )}
    </span>
  );
}
