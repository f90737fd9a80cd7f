import { Activity, Ellipsis, MessageSquare, Trash2, UserRoundX } from "lucide-react";
import { useState } from "react";
import { agentKey, type LiveAgent } from "../../../protocol/desktop/live.ts";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { AgentName } from "../../ui/agent-name.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Menu } from "../../ui/menu.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import { showFeedOf } from "../activity/view-state.ts";
import { writeTo } from "../messages/view-state.ts";
import { AgentFacts } from "./agent-facts.tsx";
import { AgentLinks } from "./agent-links.tsx";
import { AgentTimeline } from "./agent-timeline.tsx";
import { AgentWork } from "./agent-work.tsx";
import { presenceOf, toneOf } from "./presence.tsx";
import { RemoveAgent } from "./remove-agent.tsx";
import styles from "./sessions.module.css";

interface AgentDetailProps {
  readonly scopeId: string;
  readonly agentId: string;
}

export function AgentDetail({ scopeId, agentId }: AgentDetailProps) {
  const t = useText();
  const agent = useApp((state) => state.live.agents[agentKey(scopeId, agentId)]);
  if (!agent) {
    return (
      <EmptyState icon={<UserRoundX />} title={t("sessions.gone.title")}>
        <p>{t("sessions.gone.text")}</p>
      </EmptyState>
    );
  }
  return (
    <article className={styles.detail}>
      <Head agent={agent} />
      {agent.summary && <PeerText className={styles.summary}>{agent.summary}</PeerText>}
      <AgentWork agent={agent} />
      <AgentFacts agent={agent} />
      <AgentLinks agent={agent} />
      <AgentTimeline scopeId={scopeId} agentId={agentId} />
    </article>
  );
}

function Head({ agent }: { readonly agent: LiveAgent }) {
  const app = useAppHandle();
  const t = useText();
  const [isRemoving, setRemoving] = useState(false);
  const { scopeId, id } = agent;
  const presence = presenceOf(agent);
  return (
    <header className={styles.head}>
      <h2 className={styles.name}>
        <AgentName id={id} claimed={agent.displayName} />
      </h2>
      <Badge tone={toneOf(presence)}>{t(`sessions.state.${presence}`)}</Badge>
      <div className={styles.actions}>
        <Button icon={<MessageSquare />} onClick={() => writeTo(app, scopeId, id)}>
          {t("sessions.write")}
        </Button>
        <Menu
          trigger={<IconButton label={t("sessions.more", { agent: id })} icon={<Ellipsis />} />}
          items={[
            {
              id: "activity",
              label: t("sessions.activity"),
              icon: <Activity />,
              onSelect: () => showFeedOf(app, { scopeId, agentId: id }),
            },
            { id: "remove", label: t("sessions.remove"), icon: <Trash2 />, onSelect: () => setRemoving(true) },
          ]}
        />
      </div>
      <RemoveAgent open={isRemoving} onClose={() => setRemoving(false)} scopeId={scopeId} agentId={id} />
    </header>
  );
}
