import { CircleCheck, CircleSlash, Clock, Hourglass, Siren } from "lucide-react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { clockTime } from "../../lib/time.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { Badge } from "../../ui/badge.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TimeLeft } from "../answer/time-left.tsx";
import styles from "./inbox.module.css";

const ICONS = { resolved: CircleCheck, expired: Hourglass, cancelled: CircleSlash } as const;

export function QuestionRow({ question }: { readonly question: Escalation }) {
  return (
    <div className={styles.row}>
      <div className={styles.rowHead}>
        <bdi className={styles.agent}>{question.agentId}</bdi>
        <RelativeTime at={question.createdAt} className={styles.time} />
      </div>
      <p className={styles.text}>{visibleLine(question.question, 160)}</p>
      <RowState question={question} />
    </div>
  );
}

function RowState({ question }: { readonly question: Escalation }) {
  const t = useText();
  const { status, urgency, deferredUntil, expiresAt } = question;
  if (status !== "pending") {
    const Icon = ICONS[status];
    return (
      <div className={styles.badges}>
        <Badge tone={status === "resolved" ? "good" : "neutral"} icon={<Icon aria-hidden="true" />}>
          {t(`inbox.status.${status}`)}
        </Badge>
        {question.answer !== undefined && <bdi className={styles.answer}>{visibleLine(question.answer, 60)}</bdi>}
      </div>
    );
  }
  if (urgency !== "high" && !deferredUntil && !expiresAt) return undefined;
  return (
    <div className={styles.badges}>
      {urgency === "high" && (
        <Badge tone="bad" icon={<Siren aria-hidden="true" />}>
          {t("answer.urgent")}
        </Badge>
      )}
      {deferredUntil && Date.parse(deferredUntil) > Date.now() && (
        <Badge icon={<Clock aria-hidden="true" />}>
          {t("inbox.until", { time: clockTime(deferredUntil, Date.now(), t.locale) })}
        </Badge>
      )}
      <TimeLeft question={question} />
    </div>
  );
}
