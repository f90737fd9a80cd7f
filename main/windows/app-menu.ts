import type { MenuItemConstructorOptions } from "electron";
import type { Translator } from "../../i18n/index.ts";
import type { DesktopState, Destination, Link } from "../../protocol/desktop/index.ts";

export interface AppMenuActions {
  readonly open: (destination: Destination) => void;
  readonly openAnswer: () => void;
  readonly openLogs: () => void;
  readonly copyDiagnostics: () => void;
  readonly openLink: (link: Link) => void;
  readonly quit: () => void;
}

/**
 * The menu of windows. It is how to quit where there is no icon in the bar, and what makes the keys for editing text work on
 * macOS. Keys of views are the pages' own.
 */
export function appMenu(
  platform: DesktopState["platform"],
  t: Translator,
  actions: AppMenuActions,
): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: "separator" };
  const settings: MenuItemConstructorOptions = {
    id: "app.settings",
    label: t("tray.settings"),
    accelerator: "CommandOrControl+,",
    click: () => actions.open({ view: "settings" }),
  };
  const about: MenuItemConstructorOptions = {
    id: "app.about",
    label: t("windows.menu.about"),
    click: () => actions.open({ view: "about" }),
  };
  const quit: MenuItemConstructorOptions = {
    id: "app.quit",
    label: t("tray.quit"),
    accelerator: "CommandOrControl+Q",
    click: actions.quit,
  };
  const isMac = platform === "darwin";
  return [
    ...(isMac
      ? [
          {
            label: t("app.name"),
            submenu: [
              about,
              separator,
              settings,
              separator,
              { role: "services" },
              separator,
              { role: "hide" },
              { role: "hideOthers" },
              { role: "unhide" },
              separator,
              quit,
            ],
          } satisfies MenuItemConstructorOptions,
        ]
      : []),
    {
      id: "file",
      label: t("windows.menu.file"),
      submenu: [
        { id: "app.inbox", label: t("windows.menu.inbox"), click: () => actions.open({ view: "inbox" }) },
        { id: "app.answer", label: t("windows.menu.answer"), click: actions.openAnswer },
        { id: "app.connect", label: t("tray.connect"), click: () => actions.open({ view: "connect" }) },
        separator,
        ...(isMac ? [] : [settings, separator]),
        { role: "close", label: t("windows.menu.close") },
        ...(isMac ? [] : [separator, quit]),
      ],
    },
    {
      id: "edit",
      label: t("windows.menu.edit"),
      submenu: [
        { role: "undo", label: t("windows.menu.undo") },
        { role: "redo", label: t("windows.menu.redo") },
        separator,
        { role: "cut", label: t("windows.menu.cut") },
        { role: "copy", label: t("common.copy") },
        { role: "paste", label: t("windows.menu.paste") },
        { role: "selectAll", label: t("windows.menu.selectAll") },
      ],
    },
    {
      id: "view",
      label: t("windows.menu.view"),
      submenu: [
        { role: "resetZoom", label: t("windows.menu.resetZoom") },
        { role: "zoomIn", label: t("windows.menu.zoomIn") },
        { role: "zoomOut", label: t("windows.menu.zoomOut") },
        separator,
        { role: "togglefullscreen", label: t("windows.menu.fullScreen") },
      ],
    },
    {
      id: "help",
      role: "help",
      label: t("windows.menu.help"),
      submenu: [
        {
          id: "app.documentation",
          label: t("windows.menu.documentation"),
          click: () => actions.openLink("documentation"),
        },
        { id: "app.issues", label: t("windows.menu.issues"), click: () => actions.openLink("issues") },
        separator,
        { id: "app.logs", label: t("tray.logs"), click: actions.openLogs },
        { id: "app.diagnostics", label: t("windows.menu.diagnostics"), click: actions.copyDiagnostics },
        ...(isMac ? [] : [separator, about]),
      ],
    },
  ];
}
