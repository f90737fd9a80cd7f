import { useState } from "react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { useApp, useAppHandle } from "../../state/context.tsx";
import { useQueue } from "../inbox/use-queue.ts";

export interface Turn {
  /** The one on screen; one that was closed elsewhere stays, to say so. */
  readonly question: Escalation | undefined;
  /** From 1; 0 when it is not among those that wait. */
  readonly position: number;
  readonly count: number;
  next(): void;
  previous(): void;
  /** It is dealt with: the next one's turn. */
  done(): void;
}

/** Whose turn it is: the one that was asked for, else the first of those that wait. It stays until it is dealt with. */
export function useTurn(): Turn {
  const app = useAppHandle();
  const route = useApp((state) => state.route);
  const { pending, later } = useQueue();
  const closed = useApp((state) => state.closed);
  // By address, not by id: asking for the same again, or for whichever is first, counts once more.
  const [kept, setKept] = useState({ route, id: route.id });
  const id = kept.route === route ? kept.id : route.id;
  const question =
    [...pending, ...later].find((one) => one.id === id) ?? (id === undefined ? undefined : closed[id]) ?? pending[0];
  if (kept.route !== route || question?.id !== kept.id) setKept({ route, id: question?.id });
  const at = pending.findIndex((one) => one.id === question?.id);

  const goTo = (next: Escalation | undefined) => app.navigate({ view: "inbox", ...(next ? { id: next.id } : {}) });
  const step = (by: number) => {
    if (pending.length > 0) goTo(pending[(Math.max(at, 0) + by + pending.length) % pending.length]);
  };
  return {
    question,
    position: at + 1,
    count: pending.length,
    next: () => step(1),
    previous: () => step(-1),
    done: () => goTo(pending.find((one) => one.id !== question?.id)),
  };
}
