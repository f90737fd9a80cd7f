import type { Translator } from "../../../i18n/index.ts";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import { clockTime } from "../../lib/time.ts";
import { useHost, useText } from "../../state/context.tsx";
import { useReading } from "../../state/reading.ts";
import { Problem } from "../../ui/problem.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import styles from "./inbox.module.css";

/** Everything that happened to a question: where it was shown, who answered it and where, and whether that was read. */
export function Audit({ question: { id, scopeId } }: { readonly question: Escalation }) {
  const t = useText();
  const host = useHost();
  const { data, error, again } = useReading(
    `audit ${scopeId} ${id}`,
    () => host.call("listEventsPage", { subjectId: id, limit: 100 }, scopeId),
    (event) => event.subjectId === id,
  );
  if (error) return <Problem title={t("inbox.audit.failed")} error={error} onRetry={again} />;
  const entries = (data?.events ?? []).toReversed().flatMap((event) => {
    const text = auditText(event, t);
    return text === undefined ? [] : [{ event, text }];
  });
  if (entries.length === 0) return undefined;
  return (
    <section className={styles.audit} aria-labelledby="audit">
      <h3 id="audit" className={styles.auditTitle}>
        {t("inbox.audit")}
      </h3>
      <ol className={styles.entries}>
        {entries.map(({ event, text }) => (
          <li key={event.id} className={styles.entry}>
            <span>{text}</span>
            <RelativeTime at={event.createdAt} className={styles.time} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What an event says of a question; undefined for those a newer daemon may have. */
export function auditText({ type, attributes, createdAt }: Event, t: Translator): string | undefined {
  const { surface = "other", verdict = "other", by = "human", late = "false", deferredUntil = "" } = attributes;
  switch (type) {
    case "escalation.created":
      return t("inbox.audit.created");
    case "escalation.shown":
      return t("inbox.audit.shown", { where: surface, verdict });
    case "escalation.deferred":
      return deferredUntil > createdAt
        ? t("inbox.audit.deferred", { time: clockTime(deferredUntil, Date.now(), t.locale) })
        : t("inbox.audit.broughtBack");
    case "escalation.resolved":
      return t("inbox.audit.resolved", { by, where: surface, late });
    case "escalation.answer_read":
      return t("inbox.audit.read");
    case "escalation.answer_withdrawn":
      return t("inbox.audit.withdrawn");
    case "escalation.cancelled":
      return t("inbox.audit.cancelled");
    case "escalation.expired":
      return t("inbox.audit.expired");
    default:
      return undefined;
  }
}
