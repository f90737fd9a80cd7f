import type { DesktopSettingsPatch, DesktopState } from "../../../protocol/desktop/index.ts";
import { UPDATE_CHANNELS } from "../../../protocol/desktop/names.ts";
import { useText } from "../../state/context.tsx";
import { useDesktop } from "../../state/use-desktop.ts";
import { Select } from "../../ui/select.tsx";
import { Group, Row, SwitchRow } from "./parts.tsx";
import { ShortcutRow } from "./shortcut-row.tsx";

export function AppSettings({ desktop: { settings, tray } }: { readonly desktop: DesktopState }) {
  const t = useText();
  const desktop = useDesktop();
  const change = (patch: DesktopSettingsPatch) => void desktop.ask("changeSettings", patch);
  return (
    <Group title={t("settings.app")}>
      <SwitchRow
        label={t("settings.startAtLogin")}
        checked={settings.startAtLogin}
        onChange={(startAtLogin) => change({ startAtLogin })}
      />
      <SwitchRow
        label={t("settings.closeToTray")}
        text={tray === "absent" ? t("settings.closeToTray.noTray") : undefined}
        checked={settings.closeToTray}
        disabled={tray === "absent"}
        onChange={(closeToTray) => change({ closeToTray })}
      />
      <ShortcutRow shortcut={settings.shortcut} onChange={(shortcut) => change({ shortcut })} />
      <SwitchRow
        label={t("settings.updates.check")}
        checked={settings.updates.check}
        onChange={(check) => change({ updates: { check } })}
      />
      <Row
        label={t("settings.updates.channel")}
        control={(labelId) => (
          <Select
            labelledBy={labelId}
            value={settings.updates.channel}
            disabled={!settings.updates.check}
            options={UPDATE_CHANNELS.map((value) => ({ value, label: t(`settings.updates.${value}`) }))}
            onChange={(channel) => change({ updates: { channel } })}
          />
        )}
      />
    </Group>
  );
}
