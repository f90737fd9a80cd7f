import { CircleCheck, CircleSlash, Clock, Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { clockTime, relativeTime } from "../../lib/time.ts";
import { useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import styles from "./question.module.css";
import { useAnswering } from "./use-answering.ts";

/** What became of a question that is not simply waiting. */
export function Outcome({ question }: { readonly question: Escalation }) {
  switch (question.status) {
    case "pending":
      return question.deferredUntil && <PutOff question={question} until={question.deferredUntil} />;
    case "resolved":
      return <Resolved question={question} />;
    case "expired":
      return <Expired question={question} />;
    case "cancelled":
      return <Cancelled question={question} />;
  }
}

function Panel({
  icon,
  title,
  children,
}: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <section className={styles.outcome}>
      {icon}
      <div className={styles.outcomeText}>
        <h3>{title}</h3>
        {children}
      </div>
    </section>
  );
}

function PutOff({ question, until }: { readonly question: Escalation; readonly until: string }) {
  const t = useText();
  const { defer, isBusy } = useAnswering(question);
  return (
    <Panel icon={<Clock />} title={t("answer.deferred", { time: clockTime(until, Date.now(), t.locale) })}>
      <Button disabled={isBusy} onClick={() => void defer(0)}>
        {t("answer.bringBack")}
      </Button>
    </Panel>
  );
}

function Resolved({ question }: { readonly question: Escalation }) {
  const t = useText();
  const { resolution, answer = "", answerReadAt } = question;
  const at = resolution?.at ?? question.resolvedAt ?? question.createdAt;
  const when = (instant: string) => relativeTime(instant, Date.now(), t.locale);
  const title = t("answer.outcome.resolved", {
    when: when(at),
    where: resolution?.surface ?? "other",
    by: resolution?.by ?? "human",
  });
  return (
    <Panel icon={<CircleCheck />} title={title}>
      <PeerText className={styles.answer}>{answer}</PeerText>
      {resolution?.note && (
        <>
          <h4 className={styles.noteTitle}>{t("answer.outcome.note")}</h4>
          <PeerText className={styles.answer}>{resolution.note}</PeerText>
        </>
      )}
      {resolution?.late && <p>{t("answer.outcome.late")}</p>}
      <p className={styles.quiet}>
        {answerReadAt ? t("answer.outcome.isRead", { when: when(answerReadAt) }) : t("answer.outcome.isUnread")}
      </p>
    </Panel>
  );
}

function Expired({ question }: { readonly question: Escalation }) {
  const t = useText();
  const at = question.expiredAt ?? question.expiresAt ?? question.createdAt;
  return (
    <Panel icon={<Hourglass />} title={t("answer.outcome.expired", { when: relativeTime(at, Date.now(), t.locale) })}>
      <p>{t("answer.outcome.expired.text")}</p>
    </Panel>
  );
}

function Cancelled({ question }: { readonly question: Escalation }) {
  const t = useText();
  const at = question.cancelledAt ?? question.createdAt;
  return (
    <Panel
      icon={<CircleSlash />}
      title={t("answer.outcome.cancelled", { when: relativeTime(at, Date.now(), t.locale) })}
    >
      {question.cancelReason && <PeerText>{question.cancelReason}</PeerText>}
    </Panel>
  );
}
