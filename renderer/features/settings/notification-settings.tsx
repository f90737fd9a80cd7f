import type { DesktopState } from "../../../protocol/desktop/index.ts";
import { clockTime } from "../../lib/time.ts";
import { useText } from "../../state/context.tsx";
import { useDesktop } from "../../state/use-desktop.ts";
import { usePause } from "../../state/use-pause.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Group, Row, SwitchRow } from "./parts.tsx";

const DETAILS = ["urgentBreaksPause", "sound", "showContent"] as const;

export function NotificationSettings({ desktop: { settings, pausedUntil } }: { readonly desktop: DesktopState }) {
  const t = useText();
  const desktop = useDesktop();
  const pause = usePause();
  const { notifications } = settings;
  const change = (part: Partial<typeof notifications>) => void desktop.ask("changeSettings", { notifications: part });
  return (
    <Group title={t("settings.notifications")}>
      <SwitchRow
        label={t("settings.notifications.enabled")}
        checked={notifications.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      <Row
        label={t("settings.pause")}
        text={
          pausedUntil
            ? t("settings.paused", { time: clockTime(pausedUntil, Date.now(), t.locale) })
            : t("settings.notPaused")
        }
        control={() =>
          pausedUntil ? (
            <Button onClick={pause.end}>{t("settings.resume")}</Button>
          ) : (
            <Menu
              trigger={<Button disabled={!notifications.enabled}>{t("settings.pause")}</Button>}
              items={[
                { id: "halfHour", label: t("settings.pause.halfHour"), onSelect: pause.forHalfHour },
                { id: "tomorrow", label: t("settings.pause.tomorrow"), onSelect: pause.untilTomorrow },
              ]}
            />
          )
        }
      />
      {DETAILS.map((name) => (
        <SwitchRow
          key={name}
          label={t(`settings.notifications.${name}`)}
          text={name === "showContent" ? t("settings.notifications.showContent.text") : undefined}
          checked={notifications[name]}
          disabled={!notifications.enabled}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
    </Group>
  );
}
