import { BadgeCheck, CircleAlert, CircleCheck, Plus, Undo2 } from "lucide-react";
import type { ConnectableClient, ConnectOutcome } from "../../../protocol/desktop/index.ts";
import { useText } from "../../state/context.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Command } from "./command.tsx";
import styles from "./connect.module.css";

const TONES: Readonly<Record<ConnectableClient["state"], Tone>> = {
  absent: "neutral",
  connected: "good",
  differs: "warn",
  unreadable: "bad",
};

interface ClientCardProps {
  readonly client: ConnectableClient;
  /** What the latest action here did. */
  readonly outcome: ConnectOutcome | undefined;
  readonly isBusy: boolean;
  readonly onAdd: () => void;
  readonly onUndo: () => void;
}

/** One program: whether it is connected, what can be done about it, and what was done. */
export function ClientCard({ client, outcome, isBusy, onAdd, onUndo }: ClientCardProps) {
  const t = useText();
  const { title, state, verifiedAt, file, snippet, notes, canUndo } = client;
  const isReplacing = state === "differs";
  return (
    <li className={styles.client}>
      <div className={styles.head}>
        <h3 className={styles.name}>{title}</h3>
        <Badge tone={TONES[state]} icon={state === "connected" ? <CircleCheck aria-hidden="true" /> : undefined}>
          {t(`connect.state.${state}`)}
        </Badge>
        {verifiedAt && (
          <span className={styles.verified}>
            <BadgeCheck aria-hidden="true" />
            {t("connect.verified")} <RelativeTime at={verifiedAt} />
          </span>
        )}
        <div className={styles.actions}>
          {canUndo && (
            <Button
              icon={<Undo2 />}
              disabled={isBusy}
              aria-label={t("connect.undo.label", { client: title })}
              onClick={onUndo}
            >
              {t("connect.undo")}
            </Button>
          )}
          {(state === "absent" || isReplacing) && (
            <Button
              look={isReplacing ? "normal" : "primary"}
              icon={<Plus />}
              disabled={isBusy}
              aria-label={t(isReplacing ? "connect.replace.label" : "connect.add.label", { client: title })}
              onClick={onAdd}
            >
              {t(isReplacing ? "connect.replace" : "connect.add")}
            </Button>
          )}
        </div>
      </div>
      {(isReplacing || state === "unreadable") && (
        <p className={styles.warning}>
          <CircleAlert aria-hidden="true" />
          <span>{t(`connect.state.${state}.text`)}</span>
        </p>
      )}
      <div role="status" className={styles.live}>
        {outcome && <Outcome outcome={outcome} />}
      </div>
      <details className={styles.manual}>
        <summary>{t("connect.manual")}</summary>
        {file && (
          <p className={styles.muted}>
            {t("connect.file")} <code>{file}</code>
          </p>
        )}
        <Command label={`${t("connect.manual")}: ${title}`} text={snippet.text} />
        {notes.length > 0 && <Lines title={t("connect.notes")} lines={notes} />}
      </details>
    </li>
  );
}

function Outcome({ outcome: { summary, next } }: { readonly outcome: ConnectOutcome }) {
  const t = useText();
  return (
    <div className={styles.outcome}>
      <p>{summary}</p>
      {next.length > 0 && <Lines title={t("connect.next")} lines={next} />}
    </div>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  return (
    <div>
      <strong>{title}</strong>
      <ul className={styles.lines}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
