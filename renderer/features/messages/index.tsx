import { Cable, MessagesSquare, SquarePen } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { useCached, useCaches } from "../../data/caches.ts";
import { OneScopeSelect, useOneScope } from "../../data/one-scope.tsx";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { SplitView } from "../../ui/split-view.tsx";
import { SearchField } from "../../ui/text-field.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { FoundMessages } from "./found-messages.tsx";
import styles from "./messages.module.css";
import { NewMessage } from "./new-message.tsx";
import { pairKey } from "./parties.ts";
import { Thread } from "./thread.tsx";
import { useGoneTo } from "./use-gone-to.ts";
import { messagesView, openConversation } from "./view-state.ts";

export default function MessagesView() {
  const t = useText();
  const scopeId = useOneScope();
  if (scopeId) return <ScopeMessages key={scopeId} scopeId={scopeId} />;
  return (
    <Page title={t("view.messages")}>
      <NoMessages />
    </Page>
  );
}

function ScopeMessages({ scopeId }: { readonly scopeId: string }) {
  const t = useText();
  const search = useStore(messagesView, (state) => state.search);
  const open = useStore(messagesView, (state) => state.open[scopeId]);
  const [isChoosing, setChoosing] = useState(false);
  const conversations = useCached(useCaches().conversations.get(scopeId), (state) => state);
  useGoneTo(scopeId);
  const isEmpty = conversations.status === "ready" && conversations.conversations.length === 0;

  return (
    <Page
      title={t("view.messages")}
      tools={
        <>
          <OneScopeSelect />
          <SearchField
            value={search}
            onChange={(event) => messagesView.setState({ search: event.target.value })}
            placeholder={t("messages.search")}
            aria-label={t("messages.search")}
          />
          <Button icon={<SquarePen />} onClick={() => setChoosing(true)}>
            {t("messages.new")}
          </Button>
        </>
      }
    >
      {isEmpty && !open ? (
        <NoMessages />
      ) : (
        <SplitView
          hasDetail={open !== undefined}
          onBack={() => openConversation(scopeId, undefined)}
          detailLabel={t("messages.thread")}
          list={
            search.trim() === "" ? (
              <ConversationList scopeId={scopeId} />
            ) : (
              <FoundMessages key={search} scopeId={scopeId} text={search.trim()} />
            )
          }
          detail={
            open ? (
              <Thread key={pairKey(open)} scopeId={scopeId} pair={open} />
            ) : (
              <EmptyState icon={<MessagesSquare />} title={t("messages.pick.title")}>
                <p>{t("messages.pick.text")}</p>
              </EmptyState>
            )
          }
        />
      )}
      <NewMessage open={isChoosing} onClose={() => setChoosing(false)} scopeId={scopeId} />
    </Page>
  );
}

function NoMessages() {
  const app = useAppHandle();
  const t = useText();
  const hasAgents = useApp((state) => Object.keys(state.live.agents).length > 0);
  return (
    <EmptyState
      icon={<MessagesSquare />}
      title={t("messages.empty.title")}
      actions={
        hasAgents || (
          <Button look="primary" icon={<Cable />} onClick={() => app.navigate({ view: "connect" })}>
            {t("sessions.empty.connect")}
          </Button>
        )
      }
    >
      <p>{t("messages.empty.text")}</p>
      {!hasAgents && (
        <p>
          <code className={styles.command}>agent-intercom demo --keep</code>
        </p>
      )}
    </EmptyState>
  );
}
