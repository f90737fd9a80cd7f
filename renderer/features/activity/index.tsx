import { Cable, History, ListFilter } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { useCached, useCaches } from "../../data/caches.ts";
import { OneScopeSelect, useOneScope } from "../../data/one-scope.tsx";
import { useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./activity.module.css";
import { EventList } from "./event-list.tsx";
import type { FeedKey } from "./feed-cache.ts";
import { FeedFilters } from "./feed-filters.tsx";
import { feedFilter, NO_FILTER } from "./view-state.ts";

export default function ActivityView() {
  const t = useText();
  const scopeId = useOneScope();
  return (
    <Page
      title={t("view.activity")}
      tools={
        <>
          <OneScopeSelect />
          {scopeId && <FeedFilters scopeId={scopeId} />}
        </>
      }
    >
      {scopeId ? <Feed key={scopeId} scopeId={scopeId} /> : <NothingYet />}
    </Page>
  );
}

function Feed({ scopeId }: { readonly scopeId: string }) {
  const t = useText();
  const { kind, agentId, subjectId } = useStore(feedFilter);
  const key = useMemo(
    (): FeedKey => ({
      scopeId,
      ...(kind ? { kind } : {}),
      ...(agentId ? { agentId } : {}),
      ...(subjectId ? { subjectId } : {}),
    }),
    [scopeId, kind, agentId, subjectId],
  );
  const caches = useCaches();
  const feed = useMemo(() => caches.feeds.get(key), [caches, key]);
  const { status, error, events, cursor } = useCached(feed, (state) => state);
  const isFiltered = Boolean(kind ?? agentId ?? subjectId);

  if (error && events.length === 0) {
    return <Problem title={t("activity.failed")} error={error} onRetry={() => void feed.load()} />;
  }
  if (status === "loading") return <Skeleton rows={12} />;
  if (events.length === 0 && !isFiltered) return <NothingYet />;
  if (events.length === 0 && !cursor) {
    return (
      <EmptyState
        icon={<ListFilter />}
        title={t("activity.none.title")}
        actions={<Button onClick={() => feedFilter.setState(NO_FILTER)}>{t("activity.subject.clear")}</Button>}
      >
        <p>{t("activity.none.text")}</p>
      </EmptyState>
    );
  }
  return (
    <>
      {error && <Problem title={t("activity.failed")} error={error} onRetry={() => void feed.load()} />}
      <EventList key={JSON.stringify(key)} feed={feed} scopeId={scopeId} />
    </>
  );
}

function NothingYet() {
  const app = useAppHandle();
  const t = useText();
  return (
    <EmptyState
      icon={<History />}
      title={t("activity.empty.title")}
      actions={
        <Button look="primary" icon={<Cable />} onClick={() => app.navigate({ view: "connect" })}>
          {t("sessions.empty.connect")}
        </Button>
      }
    >
      <p>{t("activity.empty.text")}</p>
      <p>
        <code className={styles.command}>agent-intercom demo --keep</code>
      </p>
    </EmptyState>
  );
}
