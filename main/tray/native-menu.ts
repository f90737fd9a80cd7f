import type { MenuItemConstructorOptions } from "electron";
import type { MenuItem, TrayAction } from "./menu.ts";

type Perform = (action: TrayAction) => void;

/** The menu as Electron builds it. */
export function nativeMenu(items: readonly MenuItem[], perform: Perform): MenuItemConstructorOptions[] {
  return items.map((item) => nativeItem(item, perform));
}

function nativeItem(item: MenuItem, perform: Perform): MenuItemConstructorOptions {
  switch (item.kind) {
    case "separator":
      return { type: "separator" };
    case "text":
      return { id: item.id, label: item.label, enabled: false };
    case "action":
      return { id: item.id, label: item.label, enabled: item.enabled, click: () => perform(item.action) };
    case "submenu":
      return { id: item.id, label: item.label, submenu: nativeMenu(item.items, perform) };
  }
}
