import { memo } from "react";
import type { LiveAgent } from "../../../protocol/desktop/live.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { AgentName } from "../../ui/agent-name.tsx";
import { Badge } from "../../ui/badge.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { folderName } from "./grouping.ts";
import { PresenceIcon, presenceOf } from "./presence.tsx";
import styles from "./sessions.module.css";

interface AgentRowProps {
  readonly agent: LiveAgent;
  readonly questions: number;
}

/** An agent in the list: who, in what state, where, and what waits. */
export const AgentRow = memo(function AgentRow({ agent, questions }: AgentRowProps) {
  const t = useText();
  const presence = presenceOf(agent);
  const { metadata, owes } = agent;
  const claims = [metadata?.harness, metadata?.cwd && folderName(metadata.cwd), metadata?.model];
  const about = claims.flatMap((claim) => (claim ? [visibleLine(claim, 40)] : [])).join(" · ");
  return (
    <div className={styles.row}>
      <PresenceIcon presence={presence} />
      <div className={styles.words}>
        <AgentName id={agent.id} claimed={agent.displayName} />
        <span className={styles.about}>
          <span className={styles.state}>{t(`sessions.state.${presence}`)}</span>
          {about && <bdi>{` · ${about}`}</bdi>}
        </span>
      </div>
      <div className={styles.marks}>
        {questions > 0 && <Badge tone="accent">{t("sessions.questions", { count: questions })}</Badge>}
        {agent.reachable || (
          <span className={styles.seen}>
            <span className="visually-hidden">{t("sessions.seen")} </span>
            <RelativeTime at={agent.lastSeenAt} />
          </span>
        )}
        {owes.undelivered + owes.unanswered > 0 && <Owes {...owes} />}
      </div>
    </div>
  );
});

function Owes({ undelivered, unanswered }: LiveAgent["owes"]) {
  const t = useText();
  const words = [
    ...(undelivered > 0 ? [t("sessions.undelivered", { count: undelivered })] : []),
    ...(unanswered > 0 ? [t("sessions.unanswered", { count: unanswered })] : []),
  ].join(", ");
  return (
    <span className={styles.owes} title={words}>
      <span aria-hidden="true">
        {undelivered > 0 && `✉ ${undelivered}`} {unanswered > 0 && `↩ ${unanswered}`}
      </span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}
