import { type RefObject, useEffect, useRef } from "react";

/** So long a card must have been where it is before a click on it counts. */
export const GUARD_MS = 400;

/**
 * Keeps an answer from being given by a click, or a key, that was meant for what was there a moment ago: for a while after the
 * card appeared, was replaced, moved by itself, or its window came to the front.
 */
export class Guard {
  readonly #now: () => number;
  #until = { key: Number.NEGATIVE_INFINITY, pointer: Number.NEGATIVE_INFINITY };

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Another card is shown, or the window only now has the attention: neither clicks nor keys were meant for it. */
  appeared(): void {
    const until = this.#now() + GUARD_MS;
    this.#until = { key: until, pointer: until };
  }

  /** The card is elsewhere now: keys mean the same as before, clicks do not. */
  moved(): void {
    this.#until.pointer = this.#now() + GUARD_MS;
  }

  allows(by: "key" | "pointer"): boolean {
    return this.#now() >= this.#until[by];
  }
}

/** A guard for the card with this id, which watches where `frame` is. */
export function useGuard(id: string, frame: RefObject<HTMLElement | null>): Guard {
  const guard = useRef<Guard>(undefined);
  guard.current ??= new Guard(() => performance.now());
  const shownId = useRef<string>(undefined);
  // At once and not in an effect: a click may come between the two.
  if (shownId.current !== id) {
    shownId.current = id;
    guard.current.appeared();
  }

  useEffect(() => {
    const { current } = guard;
    const appeared = () => current?.appeared();
    window.addEventListener("focus", appeared);
    return () => window.removeEventListener("focus", appeared);
  }, []);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let top = element.getBoundingClientRect().top;
    // What moves the card changes the size of something around it, such as a banner that takes its room from the view.
    const observer = new ResizeObserver(() => {
      const before = top;
      top = element.getBoundingClientRect().top;
      if (Math.abs(top - before) > 2) guard.current?.moved();
    });
    for (let node: HTMLElement | null = element; node; node = node.parentElement) observer.observe(node);
    return () => observer.disconnect();
  }, [frame]);

  return guard.current;
}

/** Whether a human can see it: in the window, and not scrolled away in what holds it. */
export function isInSight(element: Element): boolean {
  const box = element.getBoundingClientRect();
  if (box.height === 0) return false;
  let from = 0;
  let to = window.innerHeight;
  for (let node = element.parentElement; node; node = node.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(node).overflowY)) continue;
    const around = node.getBoundingClientRect();
    from = Math.max(from, around.top);
    to = Math.min(to, around.bottom);
  }
  return box.top >= from - 1 && box.bottom <= to + 1;
}
