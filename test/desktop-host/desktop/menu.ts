import type { MenuItemConstructorOptions } from "electron";
import { app } from "../app/app.ts";
import { Offered, OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";
import { BrowserWindow } from "../windows/browser-window.ts";

type ItemType = NonNullable<MenuItemConstructorOptions["type"]>;
type Click = (item: MenuItem, window: BrowserWindow | undefined, event: object) => void;

/** A menu item as data. */
export interface MenuItemState {
  readonly id: string;
  readonly label: string;
  readonly type: ItemType;
  readonly enabled: boolean;
  readonly visible: boolean;
  readonly checked: boolean;
  readonly submenu?: readonly MenuItemState[];
}

let count = 0;

/** Electron's `MenuItem`. */
export class MenuItem extends Offered {
  readonly id: string;
  readonly commandId: number = ++count;
  readonly type: ItemType;
  readonly role: string | undefined;
  readonly accelerator: string | undefined;
  readonly submenu: Menu | undefined;
  readonly icon: unknown;
  label: string;
  sublabel: string;
  toolTip: string;
  enabled: boolean;
  visible: boolean;
  checked: boolean;
  /** The menu it is in; set by the menu. */
  menu: Menu | undefined;
  readonly #click: Click | undefined;

  constructor(options: MenuItemConstructorOptions) {
    super();
    const { submenu, click, role } = options;
    this.type = options.type ?? (submenu ? "submenu" : "normal");
    this.id = options.id ?? "";
    this.role = role;
    this.label = options.label ?? role ?? "";
    this.sublabel = options.sublabel ?? "";
    this.toolTip = options.toolTip ?? "";
    this.accelerator = options.accelerator;
    this.icon = options.icon;
    this.enabled = options.enabled ?? true;
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    if (submenu) this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : (submenu as unknown as Menu);
    this.#click = click as unknown as Click | undefined;
  }

  /** What choosing the item in an open menu does; nothing when it is disabled, hidden or a separator. */
  readonly click = (event: object = {}): void => {
    if (!this.enabled || !this.visible || this.type === "separator") return;
    if (this.type === "checkbox") this.checked = !this.checked;
    if (this.type === "radio") this.menu?.hostCheckOnly(this);
    const window = BrowserWindow.getFocusedWindow() ?? undefined;
    if (this.#click) this.#click(this, window, event);
    else this.#playRole(window);
  };

  #playRole(window: BrowserWindow | undefined): void {
    const role = this.role?.toLowerCase();
    if (role === "quit") app.quit();
    else if (role === "close") window?.close();
    else if (role === "minimize") window?.minimize();
    else if (role === "reload") window?.reload();
    else if (role !== undefined) recordings.add("MenuItem", "role", this.role);
  }

  hostState(): MenuItemState {
    const { id, label, type, enabled, visible, checked, submenu } = this;
    return { id, label, type, enabled, visible, checked, ...(submenu && { submenu: submenu.hostState() }) };
  }
}

/** Electron's `Menu`. */
export class Menu extends OfferedEmitter {
  static #application: Menu | null = null;
  readonly items: MenuItem[] = [];

  static buildFromTemplate(template: readonly (MenuItemConstructorOptions | MenuItem)[]): Menu {
    const menu = new Menu();
    for (const each of template) menu.append(each instanceof MenuItem ? each : new MenuItem(each));
    menu.#checkFirstOfEachGroup();
    return menu;
  }

  static setApplicationMenu(menu: Menu | null): void {
    recordings.add("Menu", "setApplicationMenu", menu?.hostState() ?? null);
    Menu.#application = menu;
  }

  static getApplicationMenu(): Menu | null {
    return Menu.#application;
  }

  append(item: MenuItem): void {
    this.insert(this.items.length, item);
  }

  insert(position: number, item: MenuItem): void {
    item.menu = this;
    this.items.splice(position, 0, item);
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }

  popup(options: { x?: number; y?: number; callback?: () => void } = {}): void {
    recordings.add("Menu", "popup", this.hostState(), options);
    this.emit("menu-will-show", {});
  }

  closePopup(): void {
    recordings.add("Menu", "closePopup");
    this.emit("menu-will-close", {});
  }

  hostState(): MenuItemState[] {
    return this.items.map((item) => item.hostState());
  }

  /** Checks a radio item and unchecks the others between the same two neighbours that are no radio items. */
  hostCheckOnly(chosen: MenuItem): void {
    for (const item of this.#groups().find((group) => group.includes(chosen)) ?? []) item.checked = item === chosen;
  }

  #checkFirstOfEachGroup(): void {
    for (const group of this.#groups()) {
      const chosen = group.find(({ checked }) => checked) ?? group[0];
      for (const item of group) item.checked = item === chosen;
    }
  }

  /** Radio items that follow each other. */
  #groups(): MenuItem[][] {
    const groups: MenuItem[][] = [];
    this.items.forEach((item, index) => {
      if (item.type !== "radio") return;
      if (this.items[index - 1]?.type === "radio") groups.at(-1)?.push(item);
      else groups.push([item]);
    });
    return groups;
  }
}
