import type { DesktopSettingsPatch } from "../../protocol/desktop/index.ts";
import { themeOf } from "./app.ts";
import { useApp, useAppHandle } from "./context.tsx";
import type { Preferences } from "./preferences.ts";
import { useDesktop } from "./use-desktop.ts";

/** Theme and language, wherever they are kept: in the settings of the desktop, or in this browser. */
export function useLook(): readonly [Preferences, (change: Partial<Preferences>) => void] {
  const app = useAppHandle();
  const desktop = useDesktop();
  const theme = useApp(themeOf);
  const locale = useApp(({ desktop: state, preferences }) => (state ? state.settings.locale : preferences.locale));
  const current = { theme, locale };
  return [
    current,
    (change) => {
      if (app.host.desktop) void desktop.ask("changeSettings", change satisfies DesktopSettingsPatch);
      else app.setPreferences({ ...current, ...change });
    },
  ];
}
