import { useCallback, useEffect, useRef, useState } from "react";
import { type ErrorValue, IntercomError } from "../../protocol/errors.ts";
import type { Event } from "../../protocol/objects/event.ts";
import { useAppHandle } from "./context.tsx";

/** What was read, what is known while it is being read, and why it could not be. */
export interface Reading<T> {
  /** What was read last for this key; it stays while it is read again, and when that fails. */
  readonly data: T | undefined;
  readonly error: ErrorValue | undefined;
  readonly loading: boolean;
  /** Reads again. */
  again(): void;
}

interface Kept<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: ErrorValue;
}

/**
 * Reads what the live state does not hold, and again when something happens that touches it, when events were missed, and when
 * a lost connection is back. `key` names what is read: with another key the old data is gone at once. Events that arrive while
 * it reads make it read once more, not once for each. With an undefined key nothing is read.
 */
export function useReading<T>(
  key: string | undefined,
  read: () => Promise<T>,
  touchedBy: (event: Event) => boolean = () => false,
): Reading<T> {
  const app = useAppHandle();
  const [kept, setKept] = useState<Kept<T>>({ key: "" });
  const [loading, setLoading] = useState(false);
  const latest = useRef({ read, touchedBy });
  latest.current = { read, touchedBy };
  const run = useRef<() => void>(() => {});

  useEffect(() => {
    if (key === undefined) return;
    let ended = false;
    let busy = false;
    let dirty = false;
    const reading = async (): Promise<void> => {
      if (busy) {
        dirty = true;
        return;
      }
      busy = true;
      setLoading(true);
      do {
        dirty = false;
        try {
          const data = await latest.current.read();
          if (!ended) setKept({ key, data });
        } catch (error) {
          const failure = error instanceof IntercomError ? error : new IntercomError("INTERNAL", String(error));
          if (!ended) setKept((before) => ({ ...(before.key === key ? before : { key }), error: failure.toValue() }));
        }
      } while (dirty && !ended);
      busy = false;
      if (!ended) setLoading(false);
    };
    run.current = () => void reading();
    void reading();
    const unlisten = app.listen(({ events, all }) => {
      if (all || events.some((event) => latest.current.touchedBy(event))) void reading();
    });
    return () => {
      ended = true;
      unlisten();
    };
  }, [app, key]);

  const again = useCallback(() => run.current(), []);
  const current = kept.key === key ? kept : undefined;
  return {
    data: current?.data,
    error: current?.error,
    loading: loading || (key !== undefined && current === undefined),
    again,
  };
}
