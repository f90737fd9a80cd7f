import { useMemo, useState } from "react";
import type { LiveAgent } from "../../../protocol/desktop/live.ts";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { AgentName } from "../../ui/agent-name.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SearchField } from "../../ui/text-field.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { PresenceIcon, presenceOf } from "../sessions/presence.tsx";
import styles from "./messages.module.css";
import { writeTo } from "./view-state.ts";

interface NewMessageProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly scopeId: string;
}

/** Chooses the agent to write to. */
export function NewMessage({ open, onClose, scopeId }: NewMessageProps) {
  const t = useText();
  return (
    <Dialog open={open} onClose={onClose} title={t("messages.new.to")}>
      <AgentChooser scopeId={scopeId} onChosen={onClose} />
    </Dialog>
  );
}

const keyOf = ({ id }: LiveAgent) => id;

function AgentChooser({ scopeId, onChosen }: { readonly scopeId: string; readonly onChosen: () => void }) {
  const app = useAppHandle();
  const t = useText();
  const [filter, setFilter] = useState("");
  const [selected, setSelected] = useState<string>();
  const agents = useApp((state) => state.live.agents);
  const shown = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return Object.values(agents)
      .filter((agent) => agent.scopeId === scopeId && `${agent.id} ${agent.displayName}`.toLowerCase().includes(wanted))
      .sort((a, b) => Number(b.reachable) - Number(a.reachable) || a.id.localeCompare(b.id));
  }, [agents, scopeId, filter]);

  function choose(agentId: string): void {
    onChosen();
    writeTo(app, scopeId, agentId);
  }

  return (
    <div className={styles.chooser}>
      <SearchField
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={(event) => {
          const [first] = shown;
          if (event.key === "Enter" && first) choose(first.id);
        }}
        placeholder={t("messages.new.filter")}
        aria-label={t("messages.new.filter")}
      />
      {shown.length === 0 ? (
        <p className={styles.faint}>{t("messages.new.none")}</p>
      ) : (
        <VirtualList
          label={t("messages.new.to")}
          items={shown}
          keyOf={keyOf}
          selected={selected}
          onSelect={(id, how) => (how === "open" ? choose(id) : setSelected(id))}
          estimate={36}
          takesKeys={false}
        >
          {(agent) => (
            <div className={styles.choice}>
              <PresenceIcon presence={presenceOf(agent)} />
              <AgentName id={agent.id} claimed={agent.displayName} />
            </div>
          )}
        </VirtualList>
      )}
    </div>
  );
}
