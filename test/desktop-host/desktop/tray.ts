import { OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";
import type { Menu, MenuItem, MenuItemState } from "./menu.ts";
import { type HostNativeImage, nativeImage } from "./native-image.ts";

/** What a tray icon shows at the moment. */
export interface TrayState {
  readonly toolTip: string;
  readonly title: string;
  readonly image: {
    readonly width: number;
    readonly height: number;
    readonly isTemplate: boolean;
    readonly png: string;
  };
  readonly menu: readonly MenuItemState[] | null;
}

const open = new Set<Tray>();
let count = 0;

/** Electron's `Tray`. */
export class Tray extends OfferedEmitter {
  readonly #name: string = `Tray ${++count}`;
  #image: HostNativeImage;
  #toolTip = "";
  #title = "";
  #menu: Menu | null = null;
  #isDestroyed = false;

  constructor(image: HostNativeImage | string, guid?: string) {
    super();
    recordings.add(this.#name, "constructor", guid);
    this.#image = imageOf(image);
    open.add(this);
  }

  setImage(image: HostNativeImage | string): void {
    this.#image = imageOf(image);
    recordings.add(this.#name, "setImage", this.#image.getSize());
  }

  setToolTip(toolTip: string): void {
    recordings.add(this.#name, "setToolTip", toolTip);
    this.#toolTip = toolTip;
  }

  setTitle(title: string): void {
    recordings.add(this.#name, "setTitle", title);
    this.#title = title;
  }

  getTitle(): string {
    return this.#title;
  }

  setContextMenu(menu: Menu | null): void {
    recordings.add(this.#name, "setContextMenu", menu?.hostState() ?? null);
    this.#menu = menu;
  }

  popUpContextMenu(menu?: Menu): void {
    recordings.add(this.#name, "popUpContextMenu", (menu ?? this.#menu)?.hostState() ?? null);
  }

  closeContextMenu(): void {
    recordings.add(this.#name, "closeContextMenu");
  }

  setIgnoreDoubleClickEvents(ignore: boolean): void {
    recordings.add(this.#name, "setIgnoreDoubleClickEvents", ignore);
  }

  getBounds(): { x: number; y: number; width: number; height: number } {
    return { x: 1240, y: 0, width: 24, height: 24 };
  }

  destroy(): void {
    recordings.add(this.#name, "destroy");
    this.#isDestroyed = true;
    open.delete(this);
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  hostState(): TrayState {
    const image = {
      ...this.#image.getSize(),
      isTemplate: this.#image.isTemplateImage(),
      png: this.#image.toDataURL(),
    };
    return { toolTip: this.#toolTip, title: this.#title, image, menu: this.#menu?.hostState() ?? null };
  }

  hostMenu(): Menu | null {
    return this.#menu;
  }
}

function imageOf(image: HostNativeImage | string): HostNativeImage {
  const found = typeof image === "string" ? nativeImage.createFromPath(image) : image;
  if (typeof image === "string" && found.isEmpty()) throw new Error(`Failed to load image from path '${image}'`);
  return found;
}

/** The hand of the person at the tray, for specs. `index` counts the tray icons, oldest first. */
export const trayHand = {
  state: (index = 0): TrayState => tray(index).hostState(),
  count: (): number => open.size,
  click: (index = 0): void => void tray(index).emit("click", {}, tray(index).getBounds(), { x: 1250, y: 12 }),
  rightClick: (index = 0): void => void tray(index).emit("right-click", {}, tray(index).getBounds()),
  /** Chooses an item of the menu: by id, or by the labels on the way to it. @throws when it cannot be chosen */
  choose(...way: readonly string[]): void {
    const item = itemAt(tray(0).hostMenu(), way);
    if (!item.enabled || !item.visible) throw new Error(`"${way.join(" > ")}" cannot be chosen now.`);
    item.click();
  },
};

function tray(index: number): Tray {
  const found = [...open][index];
  if (!found) throw new Error(`There is no tray icon number ${index}.`);
  return found;
}

function itemAt(menu: Menu | null, way: readonly string[]): MenuItem {
  const [first = ""] = way;
  const byId = way.length === 1 ? menu?.getMenuItemById(first) : null;
  if (byId) return byId;
  let items = menu?.items ?? [];
  let found: MenuItem | undefined;
  for (const label of way) {
    found = items.find((item) => item.label === label);
    items = found?.submenu?.items ?? [];
  }
  if (!found) throw new Error(`The tray's menu has no item "${way.join(" > ")}".`);
  return found;
}
