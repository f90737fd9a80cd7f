import { Filter } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useStore } from "zustand";
import type { Conversation } from "../../../protocol/objects/message.ts";
import { useCached, useCaches } from "../../data/caches.ts";
import { useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { conversationKey } from "./conversation-cache.ts";
import { ConversationRow } from "./conversation-row.tsx";
import styles from "./messages.module.css";
import { pairKey, pairOf } from "./parties.ts";
import { type ConversationFilter, FILTERS, messagesView, openConversation } from "./view-state.ts";

function passes({ left, right, undelivered }: Conversation, filter: ConversationFilter): boolean {
  switch (filter) {
    case "all":
      return true;
    case "mine":
      return left.kind === "human" || right.kind === "human";
    case "undelivered":
      return undelivered > 0;
  }
}

export function ConversationList({ scopeId }: { readonly scopeId: string }) {
  const t = useText();
  const cache = useCaches().conversations.get(scopeId);
  const { conversations, status, error, cursor } = useCached(cache, (state) => state);
  const filter = useStore(messagesView, (state) => state.filter);
  const open = useStore(messagesView, (state) => state.open[scopeId]);
  const shown = useMemo(() => conversations.filter((one) => passes(one, filter)), [conversations, filter]);
  const more = useCallback(() => void cache.loadMore(), [cache]);

  function select(key: string): void {
    const conversation = shown.find((one) => conversationKey(one) === key);
    if (conversation) openConversation(scopeId, pairOf(conversation.left, conversation.right));
  }

  return (
    <>
      <div className={styles.filters}>
        <Select
          label={t("messages.filter")}
          className={styles.wide}
          value={filter}
          options={FILTERS.map((value) => ({ value, label: t(`messages.filter.${value}`) }))}
          onChange={(value) => messagesView.setState({ filter: value })}
        />
      </div>
      {error && <Problem title={t("messages.failed")} error={error} onRetry={() => void cache.load()} />}
      {status === "loading" && <Skeleton />}
      {status !== "loading" && shown.length === 0 && !error && (
        <EmptyState icon={<Filter />} title={t("messages.filtered.title")}>
          <p>{t("messages.filtered.text")}</p>
        </EmptyState>
      )}
      {shown.length > 0 && (
        <VirtualList
          label={t("messages.conversations")}
          items={shown}
          keyOf={conversationKey}
          selected={open ? pairKey(open) : undefined}
          onSelect={select}
          estimate={76}
          onEnd={cursor ? more : undefined}
        >
          {(conversation) => <ConversationRow scopeId={scopeId} conversation={conversation} />}
        </VirtualList>
      )}
      {cursor && filter !== "all" && (
        <div className={styles.foot}>
          <Button onClick={more}>{t("messages.more")}</Button>
        </div>
      )}
    </>
  );
}
