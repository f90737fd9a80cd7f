import type { BrowserHost, UiSession } from "../../host.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { asIntercomError } from "../../state/failure.ts";
import { useReading } from "../../state/reading.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { say, sayProblem } from "../../ui/toasts.tsx";
import { Group, Row } from "./parts.tsx";

/** Browsers that are signed in, this one among them. */
export function BrowserSessions({ browser }: { readonly browser: BrowserHost }) {
  const t = useText();
  const { data, error, again } = useReading("browser sessions", () => browser.listSessions());

  async function end(session: UiSession): Promise<void> {
    try {
      if (session.current) await browser.signOut();
      else {
        await browser.endSession(session.id);
        say({ title: t("settings.signIn.ended") });
        again();
      }
    } catch (failure) {
      sayProblem(t("shell.failed"), asIntercomError(failure).toValue());
    }
  }

  return (
    <Group title={t("settings.signIn")}>
      <Row label={t("settings.signIn.text")} control={() => undefined} />
      {error && <Problem title={t("settings.signIn.failed")} error={error} onRetry={again} />}
      {data?.map((session) => (
        <Row
          key={session.id}
          label={visibleLine(session.userAgent, 120)}
          text={<RelativeTime at={session.lastSeenAt} sentence={(when) => t("settings.signIn.seen", { when })} />}
          control={(labelId) => (
            <>
              {session.current && <Badge tone="accent">{t("settings.signIn.this")}</Badge>}
              <Button aria-describedby={labelId} onClick={() => void end(session)}>
                {t(session.current ? "settings.signOut" : "settings.signIn.end")}
              </Button>
            </>
          )}
        />
      ))}
    </Group>
  );
}
