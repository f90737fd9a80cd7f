import { SearchX } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { Message } from "../../../protocol/objects/message.ts";
import { useDelayed } from "../../data/use-delayed.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useHost, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Problem } from "../../ui/problem.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { MessageSearch } from "./message-search.ts";
import styles from "./messages.module.css";
import { pairOf, recipientOf, senderOf } from "./parties.ts";
import { partyWord } from "./party-name.tsx";
import { messagesView, openConversation } from "./view-state.ts";

/** Typing is over when it has paused for this long, ms. */
const PAUSE_MS = 250;
const keyOf = ({ id }: Message) => id;

interface FoundMessagesProps {
  readonly scopeId: string;
  readonly text: string;
}

/** Messages that hold a text, newest first. Says how far back it has looked. */
export function FoundMessages({ scopeId, text }: FoundMessagesProps) {
  const t = useText();
  const host = useHost();
  const wanted = useDelayed(text, PAUSE_MS);
  const search = useMemo(() => new MessageSearch(host, scopeId, wanted), [host, scopeId, wanted]);
  const { messages, cursor, isSearching, error } = useStore(search.store);
  const target = useStore(messagesView, (state) => state.target);
  const [chosen, setChosen] = useState<string>();
  useEffect(() => void search.next(), [search]);

  function select(id: string): void {
    const message = messages.find((one) => one.id === id);
    if (!message) return;
    setChosen(id);
    openConversation(scopeId, pairOf(senderOf(message), recipientOf(message)), id);
  }

  const isWaiting = isSearching || wanted !== text;
  return (
    <>
      {error && <Problem title={t("messages.failed")} error={error} onRetry={() => void search.next()} />}
      {messages.length > 0 && (
        <VirtualList
          label={t("messages.found")}
          items={messages}
          keyOf={keyOf}
          selected={target ?? chosen}
          onSelect={select}
          estimate={64}
        >
          {(message) => (
            <div className={styles.conversation}>
              <div className={styles.line}>
                <bdi className={styles.pair}>
                  {partyWord(senderOf(message), t)} → {partyWord(recipientOf(message), t)}
                </bdi>
                <RelativeTime at={message.createdAt} className={styles.faint} />
              </div>
              <bdi className={styles.excerpt}>{visibleLine(excerptOf(message.body, text), 160)}</bdi>
            </div>
          )}
        </VirtualList>
      )}
      {messages.length === 0 && isWaiting && <Skeleton rows={4} />}
      {messages.length === 0 && !isWaiting && !cursor && !error && (
        <EmptyState icon={<SearchX />} title={t("messages.found.count", { count: 0 })}>
          <p>{t("messages.found.none", { text: visibleLine(text, 60) })}</p>
        </EmptyState>
      )}
      <div className={styles.foot} role="status">
        {!isWaiting && (messages.length > 0 || cursor) && (
          <p>
            {t("messages.found.count", { count: messages.length })}{" "}
            {cursor ? t("messages.found.more") : t("messages.found.all")}
          </p>
        )}
        {cursor && !isWaiting && <Button onClick={() => void search.next()}>{t("messages.found.continue")}</Button>}
      </div>
    </>
  );
}

/** A piece of the body with the text in it, not far from its beginning. */
function excerptOf(body: string, text: string): string {
  const at = body.toLowerCase().indexOf(text.toLowerCase());
  return at > 60 ? `…${body.slice(at - 40)}` : body;
}
