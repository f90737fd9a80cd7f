import { useMemo } from "react";
import type { LiveAgent } from "../../../protocol/desktop/live.ts";
import { useCached, useCaches } from "../../data/caches.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useAppHandle, useAppParts, useText } from "../../state/context.tsx";
import { routeHash } from "../../state/route.ts";
import { byUrgency } from "../../state/selectors.ts";
import styles from "./sessions.module.css";

/** What the agent waits for from the human, and which tasks it has claimed. */
export function AgentWork({ agent: { scopeId, id } }: { readonly agent: LiveAgent }) {
  const t = useText();
  const questions = useAppParts(({ live }) =>
    Object.values(live.questions).filter((question) => question.scopeId === scopeId && question.agentId === id),
  );
  const asked = useMemo(() => questions.toSorted(byUrgency), [questions]);
  const tasks = useCached(useCaches().tasks.get(scopeId), (state) =>
    Object.values(state.tasks).filter((task) => task.status === "claimed" && task.claimedBy === id),
  );
  return (
    <>
      {asked.length > 0 && (
        <section className={styles.section}>
          <h3 className={styles.title}>{t("sessions.asks")}</h3>
          <Places view="inbox" scopeId={scopeId} items={asked.map(({ id: to, question }) => [to, question] as const)} />
        </section>
      )}
      <section className={styles.section}>
        <h3 className={styles.title}>{t("sessions.claimed")}</h3>
        {tasks.length > 0 ? (
          <Places view="tasks" scopeId={scopeId} items={tasks.map(({ id: to, title }) => [to, title] as const)} />
        ) : (
          <p className={styles.none}>{t("sessions.claimed.none")}</p>
        )}
      </section>
    </>
  );
}

interface PlacesProps {
  readonly view: "inbox" | "tasks";
  readonly scopeId: string;
  readonly items: readonly (readonly [id: string, words: string])[];
}

/** Links to things of the agent, in its own words. */
function Places({ view, scopeId, items }: PlacesProps) {
  const app = useAppHandle();
  return (
    <ul className={styles.places}>
      {items.map(([id, words]) => (
        <li key={id}>
          <a
            className={styles.place}
            href={routeHash({ view, scopeId, id })}
            onClick={(event) => {
              event.preventDefault();
              app.navigate({ view, scopeId, id });
            }}
          >
            <bdi>{visibleLine(words, 160)}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}
