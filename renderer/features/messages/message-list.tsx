import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Message } from "../../../protocol/objects/message.ts";
import { useCached } from "../../data/caches.ts";
import { useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { MessageCard } from "./message-card.tsx";
import styles from "./messages.module.css";
import type { ThreadCache } from "./thread-cache.ts";
import { useMarkRead } from "./use-mark-read.ts";
import { useTarget } from "./use-target.ts";
import { messagesView } from "./view-state.ts";

/** This near to the end, px, one is reading the newest. */
const AT_END = 80;
/** Room above the first message for where the conversation begins, px. */
const BEGIN = 48;

interface MessageListProps {
  readonly thread: ThreadCache;
  readonly scopeId: string;
  readonly onAnswer: (request: Message) => void;
}

/**
 * The messages of a conversation, newest at the bottom. It stays at the bottom while one is there, and where one is
 * otherwise, whatever comes in above or below.
 */
export function MessageList({ thread, scopeId, onAnswer }: MessageListProps) {
  const t = useText();
  const { messages, cursor, status, error, loadingOlder } = useCached(thread, (state) => state);
  const target = useStore(messagesView, (state) => state.target);
  const frame = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 96,
    getItemKey: (index) => messages[index]?.id ?? index,
    overscan: 5,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: AT_END,
    paddingStart: BEGIN,
    paddingEnd: 8,
  });
  const rows = virtualizer.getVirtualItems();

  // What scrolls must be reachable with the keyboard.
  useEffect(() => {
    if (frame.current) frame.current.tabIndex = 0;
  }, []);

  // The first page is shown from its end, unless somebody was sent to a message.
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current || messages.length === 0) return;
    begun.current = true;
    if (messagesView.getState().target === undefined) virtualizer.scrollToEnd();
  }, [messages.length, virtualizer]);

  const first = rows[0]?.index ?? 0;
  useEffect(() => {
    if (begun.current && cursor && first < 5 && messages.length > 0) void thread.loadOlder();
  }, [thread, cursor, first, messages.length]);

  const show = useCallback(
    (id: string) => {
      const index = thread.store.getState().messages.findIndex((message) => message.id === id);
      if (index < 0) return;
      virtualizer.scrollToIndex(index, { align: "center" });
      messagesView.setState({ target: id });
    },
    [thread, virtualizer],
  );
  useTarget(thread, show);
  useMarkRead(
    scopeId,
    rows.flatMap(({ index }) => messages[index] ?? []),
  );

  return (
    <div className={styles.messages}>
      {error && <Problem title={t("messages.failed")} error={error} onRetry={() => void thread.load()} />}
      {status === "loading" && <Skeleton />}
      <div
        ref={frame}
        className={styles.scroll}
        onScroll={() => setAtEnd(virtualizer.isAtEnd(AT_END))}
        role="log"
        aria-label={t("messages.thread")}
        aria-busy={status === "loading"}
      >
        <div className={styles.rows} style={{ blockSize: virtualizer.getTotalSize() }}>
          {status !== "loading" && (
            <p className={styles.begin}>
              {messages.length === 0 && !cursor && t("messages.thread.empty")}
              {messages.length > 0 && !cursor && t("messages.thread.begin")}
              {cursor && loadingOlder && t("messages.thread.loading")}
              {cursor && !loadingOlder && (
                <Button look="plain" onClick={() => void thread.loadOlder()}>
                  {t("messages.thread.older")}
                </Button>
              )}
            </p>
          )}
          {rows.map((row) => {
            const message = messages[row.index];
            if (!message) return undefined;
            return (
              <div
                key={message.id}
                ref={virtualizer.measureElement}
                data-index={row.index}
                className={styles.item}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <MessageCard
                  message={message}
                  thread={thread}
                  isTarget={message.id === target}
                  onShow={show}
                  onAnswer={onAnswer}
                />
              </div>
            );
          })}
        </div>
      </div>
      {!isAtEnd && messages.length > 0 && (
        <Button
          className={styles.newest}
          icon={<ArrowDown />}
          onClick={() => {
            messagesView.setState({ target: undefined });
            virtualizer.scrollToEnd();
          }}
        >
          {t("messages.newest")}
        </Button>
      )}
    </div>
  );
}
