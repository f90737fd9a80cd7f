import { X } from "lucide-react";
import { useStore } from "zustand";
import { EVENT_KINDS, type EventKind } from "../../../protocol/events/index.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useAppParts, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/select.tsx";
import { feedFilter } from "./view-state.ts";

const ALL = "";

function isKind(value: string): value is EventKind {
  return (EVENT_KINDS as readonly string[]).includes(value);
}

export function FeedFilters({ scopeId }: { readonly scopeId: string }) {
  const t = useText();
  const { kind, agentId, subjectId } = useStore(feedFilter);
  const agents = useAppParts(({ live }) =>
    Object.values(live.agents)
      .flatMap((agent) => (agent.scopeId === scopeId ? [agent.id] : []))
      .sort(),
  );
  // The filter may name one that was taken off the list: its history is still there.
  const offered = agentId && !agents.includes(agentId) ? [agentId, ...agents] : agents;
  return (
    <>
      {subjectId && (
        <Button icon={<X />} onClick={() => feedFilter.setState({ subjectId: undefined })}>
          {t("activity.subject", { subject: visibleLine(subjectId, 24) })}
          <span className="visually-hidden">. {t("activity.subject.clear")}</span>
        </Button>
      )}
      <Select
        label={t("activity.kind")}
        value={kind ?? ALL}
        options={[
          { value: ALL, label: t("activity.kind.all") },
          ...EVENT_KINDS.map((value) => ({ value, label: t(`activity.kind.${value}`) })),
        ]}
        onChange={(value) => feedFilter.setState({ kind: isKind(value) ? value : undefined })}
      />
      <Select
        label={t("activity.agent")}
        value={agentId ?? ALL}
        options={[{ value: ALL, label: t("activity.agent.all") }, ...offered.map((id) => ({ value: id, label: id }))]}
        onChange={(value) => feedFilter.setState({ agentId: value === ALL ? undefined : value })}
      />
    </>
  );
}
