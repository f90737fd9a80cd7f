import { useMemo } from "react";
import { useCached, useCaches } from "../../data/caches.ts";
import { useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { EventLine } from "../activity/event-line.tsx";
import styles from "./sessions.module.css";

interface AgentTimelineProps {
  readonly scopeId: string;
  readonly agentId: string;
}

/** What the agent did and what was done to it, newest first. Activity has it with filters. */
export function AgentTimeline({ scopeId, agentId }: AgentTimelineProps) {
  const t = useText();
  const caches = useCaches();
  const key = useMemo(() => ({ scopeId, agentId }), [scopeId, agentId]);
  const feed = caches.feeds.get(key);
  const { events, status, error, cursor, loadingOlder } = useCached(feed, (state) => state);
  const titles = useCached(caches.tasks.get(scopeId), (state) => state.tasks);
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{t("sessions.timeline")}</h3>
      {error && <Problem title={t("activity.failed")} error={error} onRetry={() => void feed.load()} />}
      {status === "loading" && <Skeleton rows={4} />}
      {status === "ready" && events.length === 0 && <p className={styles.none}>{t("sessions.timeline.none")}</p>}
      <ol className={styles.timeline}>
        {events.map((event) => (
          <li key={event.id} className={styles.moment}>
            <RelativeTime at={event.createdAt} className={styles.when} />
            <EventLine event={event} titles={titles} />
          </li>
        ))}
      </ol>
      {cursor && (
        <Button look="plain" disabled={loadingOlder} onClick={() => void feed.loadOlder()}>
          {t("sessions.timeline.older")}
        </Button>
      )}
    </section>
  );
}
