import type { ReactNode } from "react";
import type { LiveAgent } from "../../../protocol/desktop/live.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useApp, useText } from "../../state/context.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import styles from "./sessions.module.css";

type Fact = readonly [label: string, value: ReactNode];

/** What the daemon knows of an agent, and apart from it what the agent says of itself. */
export function AgentFacts({ agent }: { readonly agent: LiveAgent }) {
  const t = useText();
  const isOnlyScope = useApp((state) => Object.keys(state.live.scopes).length < 2);
  const { metadata = {}, owes, capabilities } = agent;
  const waits = [
    ...(owes.undelivered > 0 ? [t("sessions.undelivered", { count: owes.undelivered })] : []),
    ...(owes.unanswered > 0 ? [t("sessions.unanswered", { count: owes.unanswered })] : []),
  ];
  const known: Fact[] = [
    [t("sessions.inbox"), waits.length > 0 ? waits.join(", ") : t("sessions.inbox.clear")],
    [t("sessions.lastSeen"), <RelativeTime key="seen" at={agent.lastSeenAt} />],
    [t("sessions.registered"), <RelativeTime key="registered" at={agent.registeredAt} />],
    ...(isOnlyScope ? [] : [[t("sessions.scope"), agent.scopeId] as const]),
  ];
  const program = [metadata.harness, metadata.harnessVersion].filter(Boolean).join(" ");
  const claims: readonly (readonly [string, string | undefined])[] = [
    [t("sessions.harness"), program],
    [t("sessions.model"), metadata.model],
    [t("sessions.cwd"), metadata.cwd],
    [t("sessions.host"), metadata.host],
    [t("sessions.pid"), metadata.pid === undefined ? undefined : String(metadata.pid)],
    [t("sessions.session"), metadata.sessionId],
    [t("sessions.capabilities"), capabilities.map(({ name }) => name).join(", ")],
  ];
  const said: Fact[] = claims.flatMap(([label, value]) =>
    value ? [[label, <bdi key={label}>{visibleLine(value, 1024)}</bdi>] as const] : [],
  );
  return (
    <div className={styles.columns}>
      <Facts title={t("sessions.known")} facts={known} />
      {said.length > 0 && <Facts title={t("sessions.says")} note={t("sessions.says.note")} facts={said} />}
    </div>
  );
}

interface FactsProps {
  readonly title: string;
  readonly note?: string;
  readonly facts: readonly Fact[];
}

function Facts({ title, note, facts }: FactsProps) {
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>
        {title} {note && <span className={styles.note}>{note}</span>}
      </h3>
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
