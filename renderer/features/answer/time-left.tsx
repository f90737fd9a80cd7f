import { Hourglass } from "lucide-react";
import { useCallback } from "react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { useNow } from "../../lib/clock.ts";
import { duration } from "../../lib/time.ts";
import { useText } from "../../state/context.tsx";
import { Badge } from "../../ui/badge.tsx";

/** From here on the human is warned: most of the time is gone. */
const WARN_SHARE = 0.2;

/** How long a question still waits for its answer; nothing when it waits for ever. */
export function TimeLeft({ question }: { readonly question: Escalation }) {
  const t = useText();
  const { createdAt, expiresAt } = question;
  const leftMs = useCallback(
    (nowMs: number) => (expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - nowMs),
    [expiresAt],
  );
  const words = useNow(useCallback((nowMs: number) => duration(leftMs(nowMs), t.locale), [leftMs, t]));
  const isShort = useNow(
    useCallback(
      (nowMs: number) => leftMs(nowMs) < WARN_SHARE * (Date.parse(expiresAt ?? "") - Date.parse(createdAt)),
      [leftMs, expiresAt, createdAt],
    ),
  );
  if (expiresAt === undefined || question.status !== "pending") return undefined;
  return (
    <Badge tone={isShort ? "warn" : "neutral"} icon={<Hourglass aria-hidden="true" />}>
      {t("answer.left", { time: words })}
    </Badge>
  );
}
