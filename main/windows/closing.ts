import type { BrowserWindow } from "electron";
import type { Translator } from "../../i18n/index.ts";
import type { DesktopState } from "../../protocol/desktop/index.ts";
import type { WindowContext } from "./page-window.ts";

/** What closing the main window does. Without an icon in the bar a hidden window could not be got back, so it is never hidden. */
export function closingPolicy({ tray, settings }: Pick<DesktopState, "tray" | "settings">): "hide" | "quit" | "ask" {
  if (tray === "absent") return "ask";
  return settings.closeToTray ? "hide" : "quit";
}

/** Asks what is meant by closing. What changes least is the default, and what Escape does. */
export async function askBeforeClosing(
  context: Pick<WindowContext, "electron" | "desktop" | "quit">,
  window: BrowserWindow,
  t: Translator,
): Promise<void> {
  const choices = ["minimize", "quit", "cancel"] as const;
  const labels = {
    minimize: t("windows.close.minimize"),
    quit: t("windows.close.quit"),
    cancel: t("common.cancel"),
  };
  // The system turns the order round where its users expect that.
  const { response } = await context.electron.dialog.showMessageBox(window, {
    type: "question",
    title: t("app.name"),
    message: t("windows.close.question"),
    detail: t("windows.close.detail"),
    buttons: choices.map((choice) => labels[choice]),
    defaultId: choices.indexOf("minimize"),
    cancelId: choices.indexOf("cancel"),
    noLink: true,
  });
  const choice = choices[response];
  if (choice === "minimize") window.minimize();
  else if (choice === "quit") await context.quit();
}
