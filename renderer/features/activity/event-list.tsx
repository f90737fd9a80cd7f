import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowUp } from "lucide-react";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { useCached, useCaches } from "../../data/caches.ts";
import { useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import styles from "./activity.module.css";
import { EventRow } from "./event-row.tsx";
import type { FeedCache } from "./feed-cache.ts";

/** This near to the top, px, one is still watching and not reading. */
const AT_TOP = 24;
const ROW = 40;

interface EventListProps {
  readonly feed: FeedCache;
  readonly scopeId: string;
}

/** The feed, as rows that are only there where one looks. What is new comes in at the top, or waits while somebody reads. */
export function EventList({ feed, scopeId }: EventListProps) {
  const t = useText();
  const { events, waiting, cursor, loadingOlder } = useCached(feed, (state) => state);
  const titles = useCached(useCaches().tasks.get(scopeId), (state) => state.tasks);
  const frame = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<string>();
  const [current, setCurrent] = useState<string>();
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    getItemKey: (index) => events[index]?.id ?? index,
    overscan: 8,
  });
  const rows = virtualizer.getVirtualItems();

  // An opened event or the keyboard's place in the list is being read, too.
  const isReading = opened !== undefined || current !== undefined;
  const follow = useCallback(() => {
    feed.follow(!isReading && (frame.current?.scrollTop ?? 0) <= AT_TOP);
  }, [feed, isReading]);
  useEffect(follow, [follow]);
  useEffect(() => () => feed.follow(true), [feed]);

  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (cursor && last >= events.length - 20) void feed.loadOlder();
  }, [feed, cursor, last, events.length]);

  function showNew(): void {
    setOpened(undefined);
    setCurrent(undefined);
    feed.follow(true);
    frame.current?.scrollTo({ top: 0 });
  }

  function press(event: KeyboardEvent): void {
    const at = events.findIndex(({ id }) => id === current);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: events.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = events[Math.min(Math.max(to, 0), events.length - 1)];
    if (!next) return;
    event.preventDefault();
    setCurrent(next.id);
    virtualizer.scrollToIndex(events.indexOf(next), { align: "auto" });
    requestAnimationFrame(() => document.getElementById(`event-${next.id}`)?.focus());
  }

  return (
    <div className={styles.frame}>
      <div role="status" className={styles.new}>
        {waiting.length > 0 && (
          <Button look="primary" icon={<ArrowUp />} onClick={showNew}>
            {t("activity.new", { count: waiting.length })}
          </Button>
        )}
      </div>
      <div ref={frame} className={styles.scroll} onScroll={follow}>
        <ol
          aria-label={t("activity.list")}
          className={styles.list}
          style={{ blockSize: virtualizer.getTotalSize() }}
          onKeyDown={press}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) setCurrent(undefined);
          }}
        >
          {rows.map((row) => {
            const event = events[row.index];
            if (!event) return undefined;
            return (
              <li
                key={event.id}
                ref={virtualizer.measureElement}
                data-index={row.index}
                aria-posinset={row.index + 1}
                aria-setsize={cursor ? -1 : events.length}
                className={styles.item}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <EventRow
                  event={event}
                  titles={titles}
                  isOpen={opened === event.id}
                  isCurrent={current === undefined ? row.index === 0 : current === event.id}
                  onFocus={() => setCurrent(event.id)}
                  onToggle={() => setOpened(opened === event.id ? undefined : event.id)}
                />
              </li>
            );
          })}
        </ol>
        <p className={styles.end} role="status">
          {cursor ? (loadingOlder ? t("activity.older.loading") : t("activity.sparse")) : t("activity.end")}
          {cursor && !loadingOlder && (
            <Button look="plain" onClick={() => void feed.loadOlder()}>
              {t("activity.older")}
            </Button>
          )}
        </p>
      </div>
    </div>
  );
}
