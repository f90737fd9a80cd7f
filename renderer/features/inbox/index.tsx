import { useState } from "react";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/split-view.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { QuestionDetail } from "./detail.tsx";
import { ClearInbox, NothingLater } from "./empty.tsx";
import { HistoryList } from "./history-list.tsx";
import styles from "./inbox.module.css";
import { QuestionList } from "./question-list.tsx";
import { useQueue } from "./use-queue.ts";

type Tab = "pending" | "later" | "history";

export default function InboxView() {
  const app = useAppHandle();
  const t = useText();
  const { scopeId, id } = useApp((state) => state.route);
  const { pending, later } = useQueue();
  const tabOf = (wanted: string | undefined): Tab | undefined => {
    if (pending.some((question) => question.id === wanted)) return "pending";
    if (later.some((question) => question.id === wanted)) return "later";
    return undefined;
  };
  const [tab, setTab] = useState<Tab>(() => tabOf(id) ?? (id === undefined ? "pending" : "history"));
  const [shown, setShown] = useState({ id, scopeId });

  // Somewhere else asked for a question, such as a notification: the tab it is in comes along.
  if (id !== undefined && id !== shown.id) {
    setShown({ id, scopeId });
    const found = tabOf(id);
    if (found && found !== tab) setTab(found);
  }

  const list = tab === "later" ? later : pending;
  // Whatever arrives above it, the question on screen stays until it is answered or another is chosen.
  const kept = list.find((question) => question.id === shown.id) ?? list[0];
  const chosen = id !== undefined && scopeId !== undefined ? { id, scopeId } : undefined;
  const current = chosen ?? (tab === "history" || !kept ? undefined : { id: kept.id, scopeId: kept.scopeId });
  if (chosen === undefined && current && current.id !== shown.id) setShown(current);

  const select = (next: { readonly id: string; readonly scopeId: string } | undefined) =>
    app.navigate({ view: "inbox", ...next });
  /** The one after this, else the one before. */
  const goOn = () => {
    const at = list.findIndex((question) => question.id === current?.id);
    const next = list[at + 1] ?? list.findLast((question) => question.id !== current?.id);
    select(chosen && next ? { id: next.id, scopeId: next.scopeId } : undefined);
    if (next) setShown({ id: next.id, scopeId: next.scopeId });
  };

  return (
    <Page title={t("view.inbox")}>
      <SplitView
        hasDetail={chosen !== undefined}
        onBack={() => select(undefined)}
        detailLabel={t("inbox.detail")}
        list={
          <Tabs
            label={t("inbox.tabs")}
            value={tab}
            onChange={(next) => {
              setTab(next);
              select(undefined);
            }}
            tabs={[
              { value: "pending", label: t("inbox.tab.pending"), count: pending.length },
              { value: "later", label: t("inbox.tab.later"), count: later.length },
              { value: "history", label: t("inbox.tab.history") },
            ]}
            panelClassName={styles.panel}
          >
            {tab === "history" ? (
              <HistoryList selected={current?.id} onSelect={select} />
            ) : (
              list.length > 0 && (
                <QuestionList
                  label={t(`inbox.list.${tab}`)}
                  questions={list}
                  selected={current?.id}
                  onSelect={select}
                />
              )
            )}
          </Tabs>
        }
        detail={
          current ? (
            <QuestionDetail key={current.id} id={current.id} scopeId={current.scopeId} onDone={goOn} />
          ) : (
            tab !== "history" && (tab === "later" ? <NothingLater /> : <ClearInbox />)
          )
        }
      />
    </Page>
  );
}
