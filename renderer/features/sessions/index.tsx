import { Cable, UserRoundSearch, UsersRound } from "lucide-react";
import { useMemo, useState } from "react";
import type { LiveAgent } from "../../../protocol/desktop/live.ts";
import { agentKey } from "../../../protocol/desktop/live.ts";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/split-view.tsx";
import { SearchField } from "../../ui/text-field.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { AgentDetail } from "./agent-detail.tsx";
import { AgentRow } from "./agent-row.tsx";
import { type Group, sectionsOf } from "./grouping.ts";
import styles from "./sessions.module.css";
import { useQuestionCounts } from "./use-question-counts.ts";

/** A row of the list; the first of a group has the group's name above it. */
interface Row {
  readonly agent: LiveAgent;
  readonly questions: number;
  readonly heading: { readonly group: Group; readonly count: number } | undefined;
}

const keyOf = ({ agent }: Row) => agentKey(agent.scopeId, agent.id);

export default function SessionsView() {
  const app = useAppHandle();
  const t = useText();
  const [filter, setFilter] = useState("");
  const agents = useApp((state) => state.live.agents);
  const scopeId = useApp((state) => state.scopeId);
  const route = useApp((state) => state.route);
  const questions = useQuestionCounts();

  const all = useMemo(
    () => Object.values(agents).filter((agent) => scopeId === undefined || agent.scopeId === scopeId),
    [agents, scopeId],
  );
  const rows = useMemo(() => {
    const countOf = (agent: LiveAgent) => questions[agentKey(agent.scopeId, agent.id)] ?? 0;
    return sectionsOf(all, countOf, filter).flatMap(({ group, agents: members }) =>
      members.map(
        (agent, index): Row => ({
          agent,
          questions: countOf(agent),
          heading: index === 0 ? { group, count: members.length } : undefined,
        }),
      ),
    );
  }, [all, questions, filter]);

  const selected = route.scopeId && route.id ? agentKey(route.scopeId, route.id) : undefined;
  if (all.length === 0 && !selected) return <NoAgents />;

  function select(key: string): void {
    const row = rows.find((candidate) => keyOf(candidate) === key);
    if (row) app.navigate({ view: "sessions", scopeId: row.agent.scopeId, id: row.agent.id });
  }

  return (
    <Page
      title={t("view.sessions")}
      tools={
        <SearchField
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          placeholder={t("sessions.filter")}
          aria-label={t("sessions.filter")}
        />
      }
    >
      <SplitView
        hasDetail={selected !== undefined}
        onBack={() => app.navigate({ view: "sessions" })}
        detailLabel={t("sessions.detail")}
        list={
          rows.length === 0 ? (
            <EmptyState
              icon={<UserRoundSearch />}
              title={t("sessions.none.title")}
              actions={<Button onClick={() => setFilter("")}>{t("sessions.none.clear")}</Button>}
            >
              <p>{t("sessions.none.text")}</p>
            </EmptyState>
          ) : (
            <VirtualList
              label={t("sessions.list")}
              items={rows}
              keyOf={keyOf}
              selected={selected}
              onSelect={select}
              estimate={62}
            >
              {({ agent, questions: asked, heading }) => (
                <>
                  {heading && (
                    <div className={styles.heading}>
                      {t(`sessions.group.${heading.group}`)} <span className={styles.size}>{heading.count}</span>
                    </div>
                  )}
                  <AgentRow agent={agent} questions={asked} />
                </>
              )}
            </VirtualList>
          )
        }
        detail={
          route.scopeId && route.id ? (
            <AgentDetail key={selected} scopeId={route.scopeId} agentId={route.id} />
          ) : (
            <EmptyState icon={<UsersRound />} title={t("sessions.pick.title")}>
              <p>{t("sessions.pick.text")}</p>
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

function NoAgents() {
  const app = useAppHandle();
  const t = useText();
  return (
    <Page title={t("view.sessions")}>
      <EmptyState
        icon={<UsersRound />}
        title={t("sessions.empty.title")}
        actions={
          <Button look="primary" icon={<Cable />} onClick={() => app.navigate({ view: "connect" })}>
            {t("sessions.empty.connect")}
          </Button>
        }
      >
        <p>{t("sessions.empty.text")}</p>
        <p>
          <code>agent-intercom demo --keep</code>
        </p>
      </EmptyState>
    </Page>
  );
}
