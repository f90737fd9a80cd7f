import type { Translator } from "../../../i18n/index.ts";
import { agentKey } from "../../../protocol/desktop/live.ts";
import { useApp, useText } from "../../state/context.tsx";
import { AgentName } from "../../ui/agent-name.tsx";
import styles from "./messages.module.css";
import type { Party } from "./parties.ts";

/** What a party is called in a sentence. */
export function partyWord({ kind, id }: Party, t: Translator): string {
  if (kind === "human") return t("messages.you");
  return kind === "system" ? t("messages.system") : id;
}

interface PartyNameProps {
  readonly scopeId: string;
  readonly party: Party;
}

/** Who somebody is: agents by id and with the name they claim, the human and the daemon by our words. */
export function PartyName({ scopeId, party }: PartyNameProps) {
  const t = useText();
  const claimed = useApp(({ live }) =>
    party.kind === "agent" ? live.agents[agentKey(scopeId, party.id)]?.displayName : undefined,
  );
  if (party.kind === "human" || party.kind === "system") {
    return <span className={styles.ours}>{partyWord(party, t)}</span>;
  }
  return <AgentName id={party.id} claimed={claimed} />;
}
