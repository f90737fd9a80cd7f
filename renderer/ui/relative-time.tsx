import { useCallback } from "react";
import { useNow } from "../lib/clock.ts";
import { fullTime, relativeTime } from "../lib/time.ts";
import { useText } from "../state/context.tsx";

/** How long ago something was, which goes on being true; the instant itself when pointed at. */
export function RelativeTime({ at, className }: { readonly at: string; readonly className?: string | undefined }) {
  const { locale } = useText();
  const words = useNow(useCallback((nowMs: number) => relativeTime(at, nowMs, locale), [at, locale]));
  return (
    <time dateTime={at} title={fullTime(at, locale)} className={className}>
      {words}
    </time>
  );
}
