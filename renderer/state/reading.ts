import { useCallback, useEffect, useRef, useState } from "react";
import type { ErrorValue } from "../../protocol/errors.ts";
import type { Event } from "../../protocol/objects/event.ts";
import { useAppHandle } from "./context.tsx";
import { asIntercomError } from "./failure.ts";

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
  readonly family: string | undefined;
  readonly data?: T;
  readonly error?: ErrorValue;
}

/**
 * Reads what the live state does not hold, and again when something happens that touches it, when events were missed, and when
 * a lost connection is back. `key` names what is read: with another key the old data is gone at once. Events that arrive while
 * it reads make it read once more, not once for each. With an undefined key nothing is read. While more of the same is read,
 * as by a longer list, `family` keeps the old data: give all of its keys the same one.
 */
export function useReading<T>(
  key: string | undefined,
  read: () => Promise<T>,
  touchedBy: (event: Event) => boolean = () => false,
  family: string | undefined = key,
): Reading<T> {
  const app = useAppHandle();
  const [kept, setKept] = useState<Kept<T>>({ family: undefined });
  const [loading, setLoading] = useState(false);
  const latest = useRef({ read, touchedBy, family });
  latest.current = { read, touchedBy, family };
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
        const { read: readNow, family: ofFamily } = latest.current;
        try {
          const data = await readNow();
          if (!ended) setKept({ family: ofFamily, data });
        } catch (error) {
          const failure = asIntercomError(error).toValue();
          if (!ended) {
            setKept((before) => ({ ...(before.family === ofFamily ? before : { family: ofFamily }), error: failure }));
          }
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
  const current = kept.family === family && key !== undefined ? kept : undefined;
  return {
    data: current?.data,
    error: current?.error,
    loading: loading || (key !== undefined && current === undefined),
    again,
  };
}
