import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useCallback, useEffect, useId, useRef } from "react";
import { useKeys } from "../keyboard/use-keys.ts";
import { cx } from "../lib/cx.ts";
import styles from "./virtual-list.module.css";
import { windowWith } from "./virtual-range.ts";

interface VirtualListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly selected: string | undefined;
  /** Moving in the list selects; `how` tells a decision (Enter, click) from looking. */
  readonly onSelect: (key: string, how: "look" | "open") => void;
  readonly children: (item: T) => ReactNode;
  /** Height of a row in px before it has been measured. */
  readonly estimate?: number;
  /** Nearly at the end: more may be read. */
  readonly onEnd?: (() => void) | undefined;
  /** J and K move in this list wherever the focus is. */
  readonly takesKeys?: boolean;
  readonly className?: string | undefined;
}

/**
 * A list of any length. It has the focus itself and names the selected row, so that neither scrolling nor new rows take the
 * focus away; the selected row is always there for assistive technology, even scrolled out of sight.
 */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const {
    label,
    items,
    keyOf,
    selected,
    onSelect,
    children,
    estimate = 64,
    onEnd,
    takesKeys = true,
    className,
  } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const index = items.findIndex((item) => keyOf(item) === selected);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => estimate,
    getItemKey: (at) => keyOf(items[at] as T),
    overscan: 6,
    rangeExtractor: useCallback((range: Parameters<typeof windowWith>[0]) => windowWith(range, index), [index]),
  });
  const rows = virtualizer.getVirtualItems();

  // Follows the selection, not the rows: new ones above must not pull the view about.
  const scrollTo = useRef<(key: string | undefined) => void>(() => {});
  scrollTo.current = (key) => {
    const at = items.findIndex((item) => keyOf(item) === key);
    if (at >= 0) virtualizer.scrollToIndex(at, { align: "auto" });
  };
  useEffect(() => scrollTo.current(selected), [selected]);

  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 10) onEnd?.();
  }, [last, items.length, onEnd]);

  function move(to: number): void {
    const item = items[Math.min(Math.max(to, 0), items.length - 1)];
    if (item !== undefined) onSelect(keyOf(item), "look");
  }

  function click(event: MouseEvent<HTMLElement>): void {
    const row = (event.target as Element).closest("[data-index]")?.getAttribute("data-index");
    const item = items[Number(row ?? -1)];
    if (item === undefined) return;
    event.currentTarget.focus();
    onSelect(keyOf(item), "open");
  }

  function press(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / estimate) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index < 0 ? 0 : index - 1,
      Home: 0,
      End: items.length - 1,
      PageDown: index + page,
      PageUp: index - page,
    };
    const to = moves[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (to !== undefined) move(to);
    else if (event.key === "Enter" && selected !== undefined && index >= 0) onSelect(selected, "open");
    else return;
    event.preventDefault();
  }

  useKeys(takesKeys ? { j: () => move(index + 1), k: () => move(index < 0 ? 0 : index - 1) } : {});

  return (
    <div ref={frame} className={cx(styles.frame, className)}>
      <div
        role="listbox"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={index >= 0 ? `${id}-${selected}` : undefined}
        onKeyDown={press}
        onClick={click}
        className={styles.list}
        style={{ blockSize: virtualizer.getTotalSize() }}
      >
        {rows.map((row) => {
          const item = items[row.index] as T;
          const key = keyOf(item);
          return (
            <div
              key={key}
              id={`${id}-${key}`}
              ref={virtualizer.measureElement}
              data-index={row.index}
              role="option"
              tabIndex={-1}
              aria-selected={key === selected}
              aria-posinset={row.index + 1}
              aria-setsize={items.length}
              className={styles.row}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {children(item)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
