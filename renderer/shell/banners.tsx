import { CircleAlert, Info, Unplug } from "lucide-react";
import { type ReactNode, useCallback } from "react";
import type { DesktopNotice, SupervisorView } from "../../protocol/desktop/index.ts";
import type { LiveLink } from "../../protocol/desktop/live.ts";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { relativeTime } from "../lib/time.ts";
import { useApp, useText } from "../state/context.tsx";
import { useDesktop } from "../state/use-desktop.ts";
import { Button } from "../ui/button.tsx";
import styles from "./banners.module.css";

/** What the human should know of the connection and the daemon, and with `notices` of the desktop, whatever is open. */
export function Banners({ notices: withNotices = false }: { readonly notices?: boolean }) {
  const link = useApp((state) => state.live.link);
  const supervisor = useApp((state) => state.desktop?.supervisor);
  const notices = useApp((state) => (withNotices ? state.desktop?.notices : undefined));
  // A daemon that is known not to be ready explains the lost connection; one line is enough.
  const isDaemonDown = supervisor !== undefined && supervisor.state !== "ready";
  return (
    <div className={styles.banners} role="status">
      {isDaemonDown ? <DaemonBanner supervisor={supervisor} /> : <LinkBanner link={link} />}
      {notices?.map((notice) => (
        <NoticeBanner key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

interface BannerProps {
  readonly tone: "warn" | "bad" | "info";
  readonly icon: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Banner({ tone, icon, actions, children }: BannerProps) {
  return (
    <div className={cx(styles.banner, styles[tone])}>
      {icon}
      <div className={styles.words}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

function LinkBanner({ link }: { readonly link: LiveLink }) {
  const t = useText();
  const when = useNow(useCallback((nowMs: number) => relativeTime(link.since, nowMs, t.locale), [link.since, t]));
  switch (link.state) {
    case "live":
      return undefined;
    case "connecting":
      return (
        <Banner tone="info" icon={<Unplug />}>
          {t("shell.link.connecting")}
        </Banner>
      );
    case "lost":
      return (
        <Banner tone="warn" icon={<Unplug />}>
          <strong>{t("shell.link.lost", { when })}</strong> {t("shell.link.kept")}
        </Banner>
      );
    case "refused":
      return (
        <Banner tone="bad" icon={<CircleAlert />}>
          <strong>{t("shell.link.refused")}</strong> {t("shell.link.refused.text")} {t("shell.link.kept")}
        </Banner>
      );
  }
}

/** States in which waiting is not enough. */
const STUCK: readonly SupervisorView["state"][] = ["failed", "stopped", "unresponsive", "incompatible"];

function DaemonBanner({ supervisor }: { readonly supervisor: SupervisorView }) {
  const t = useText();
  const desktop = useDesktop();
  if (supervisor.state === "ready") return undefined;
  const { problem } = supervisor;
  const isStuck = STUCK.includes(supervisor.state);
  return (
    <Banner
      tone={supervisor.state === "failed" || supervisor.state === "incompatible" ? "bad" : isStuck ? "warn" : "info"}
      icon={isStuck ? <CircleAlert /> : <Unplug />}
      actions={
        isStuck && (
          <>
            <Button onClick={() => desktop.ask("openLogs", {})}>{t("shell.daemon.logs")}</Button>
            <Button look="primary" onClick={() => desktop.ask("restartDaemon", {})}>
              {t("shell.daemon.restart")}
            </Button>
          </>
        )
      }
    >
      <strong>{t(`shell.daemon.${supervisor.state}`)}</strong> {problem?.message} {problem?.advice}{" "}
      {t("shell.link.kept")}
      {problem?.log && problem.log.length > 0 && (
        <details className={styles.log}>
          <summary>{t("shell.daemon.log")}</summary>
          <pre>{problem.log.join("\n")}</pre>
        </details>
      )}
    </Banner>
  );
}

function NoticeBanner({ notice }: { readonly notice: DesktopNotice }) {
  const t = useText();
  const desktop = useDesktop();
  return (
    <Banner
      tone={notice.code === "disk-full" ? "bad" : "info"}
      icon={<Info />}
      actions={
        <Button onClick={() => desktop.ask("dismissNotice", { id: notice.id })}>{t("shell.notice.dismiss")}</Button>
      }
    >
      {t(`shell.notice.${notice.code}`, notice.values)}
    </Banner>
  );
}
