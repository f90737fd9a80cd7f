import type { DesktopState } from "../../../protocol/desktop/index.ts";
import { useApp, useText } from "../../state/context.tsx";
import { useDesktop } from "../../state/use-desktop.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { say } from "../../ui/toasts.tsx";
import { Group, Row } from "./parts.tsx";
import styles from "./settings.module.css";

export function DaemonSettings({ desktop: state }: { readonly desktop: DesktopState | undefined }) {
  const t = useText();
  const desktop = useDesktop();
  const link = useApp(({ live }) => live.link.state);
  const version = useApp(({ live }) => live.daemon?.version);
  const supervisor = state?.supervisor;
  const stateName = supervisor?.state ?? (link === "live" ? "ready" : "unresponsive");
  const tone: Tone = stateName === "ready" ? "good" : stateName === "failed" ? "bad" : "warn";
  const facts = [
    [t("about.daemon"), supervisor?.version ?? version],
    [t("settings.daemon.address"), supervisor?.address],
    [t("settings.daemon.process"), supervisor?.pid?.toString()],
    [t("settings.daemon.owner"), supervisor?.owner && t(`settings.daemon.owner.${supervisor.owner}`)],
  ] as const;

  async function copyDiagnostics(): Promise<void> {
    const copied = await desktop.ask("copyDiagnostics", {});
    if (copied) say({ title: t("settings.daemon.diagnostics.done", { characters: copied.characters }) });
  }

  return (
    <Group title={t("settings.daemon")}>
      <Row
        label={t("settings.daemon.state")}
        text={supervisor?.problem?.message ?? (supervisor && t("settings.daemon.restart.text"))}
        control={() => (
          <>
            <Badge tone={tone}>{t(`settings.daemon.state.${stateName}`)}</Badge>
            {supervisor && (
              <Button onClick={() => void desktop.ask("restartDaemon", {})}>{t("settings.daemon.restart")}</Button>
            )}
          </>
        )}
      />
      {facts.map(
        ([label, value]) =>
          value && <Row key={label} label={label} control={() => <span className={styles.value}>{value}</span>} />,
      )}
      {state && (
        <Row
          label={t("settings.daemon.logs")}
          text={state.logDir}
          control={() => (
            <>
              <Button onClick={() => void copyDiagnostics()}>{t("settings.daemon.diagnostics")}</Button>
              <Button onClick={() => void desktop.ask("openLogs", {})}>{t("settings.daemon.logs")}</Button>
            </>
          )}
        />
      )}
    </Group>
  );
}
