import { useApp, useHost, useText } from "../../state/context.tsx";
import { Page, Prose } from "../../ui/page.tsx";
import { AppSettings } from "./app-settings.tsx";
import { BrowserSessions } from "./browser-sessions.tsx";
import { DaemonSettings } from "./daemon-settings.tsx";
import { DataSettings } from "./data-settings.tsx";
import { LookSettings } from "./look-settings.tsx";
import { NotificationSettings } from "./notification-settings.tsx";

export default function SettingsView() {
  const t = useText();
  const host = useHost();
  const desktop = useApp((state) => state.desktop);
  return (
    <Page title={t("view.settings")}>
      <Prose>
        <LookSettings />
        {desktop && <NotificationSettings desktop={desktop} />}
        {desktop && <AppSettings desktop={desktop} />}
        <DaemonSettings desktop={desktop} />
        <DataSettings desktop={desktop} />
        {host.browser && <BrowserSessions browser={host.browser} />}
      </Prose>
    </Page>
  );
}
