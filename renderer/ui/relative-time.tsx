import { useCallback } from "react";
import { useNow } from "../lib/clock.ts";
import { fullTime, relativeTime } from "../lib/time.ts";
import { useText } from "../state/context.tsx";

interface RelativeTimeProps {
  readonly at: string;
  /** Puts the words into a sentence, e.g. `(when) => t("answer.asked", { when })`. */
  readonly sentence?: (when: string) => string;
  readonly className?: string | undefined;
}

/** How long ago something was, which goes on being true; the instant itself when pointed at. */
export function RelativeTime({ at, sentence, className }: RelativeTimeProps) {
  const { locale } = useText();
  const words = useNow(useCallback((nowMs: number) => relativeTime(at, nowMs, locale), [at, locale]));
  return (
    <time dateTime={at} title={fullTime(at, locale)} className={className}>
      {sentence ? sentence(words) : words}
    </time>
  );
}
