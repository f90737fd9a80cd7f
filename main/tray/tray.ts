import type { Menu, NativeImage, Rectangle, Tray } from "electron";
import { Lane } from "../../client/live/lane.ts";
import type { Translator } from "../../i18n/index.ts";
import type { AppContext } from "../shell.ts";
import { clickPolicy } from "./click-policy.ts";
import type { TrayAction } from "./menu.ts";
import { nativeMenu } from "./native-menu.ts";
import { trayImage } from "./tray-icons.ts";
import { type TrayModel, trayModel } from "./tray-model.ts";

/** A question is in the menu at once, many of them together. */
const RENDER_INTERVAL_MS = 100;
/** Pictures that follow each other faster than this are lost by some bars. */
export const IMAGE_INTERVAL_MS = 200;

/**
 * The one icon, for as long as the process lives: a tray that nobody refers to is collected, and bars of Linux show only the
 * first that an app makes.
 */
let kept: Tray | undefined;

type Part = "image" | "tooltip" | "title" | "menu";

export interface DesktopTrayOptions {
  readonly context: Pick<
    AppContext,
    "electron" | "timers" | "files" | "logger" | "live" | "desktop" | "subscribe" | "isQuitting"
  >;
  readonly translator: () => Translator;
  readonly perform: (action: TrayAction) => void;
  /** The human has clicked the icon itself, where that is told. */
  readonly onClick: () => void;
  /** Hears of what is shown, after each change of it. */
  readonly onShown: (model: TrayModel) => void;
}

/** Draws the model, and all of it in one place. */
export class DesktopTray {
  readonly #options: DesktopTrayOptions;
  readonly #lane: Lane;
  readonly #imageLane: Lane;
  readonly #images = new Map<string, NativeImage>();
  readonly #unsubscribe: () => void;
  #tray: Tray | undefined;
  #menu: Menu | undefined;
  readonly #shown = new Map<Part, string>();
  #icon: TrayModel["icon"] | undefined;
  #refresh: unknown;

  constructor(options: DesktopTrayOptions) {
    this.#options = options;
    const { context } = options;
    this.#lane = new Lane(context.timers, RENDER_INTERVAL_MS, async () => this.#render());
    this.#imageLane = new Lane(context.timers, IMAGE_INTERVAL_MS, async () => this.#showImage());
    const { nativeTheme, screen, powerMonitor } = context.electron;
    const request = (): void => this.#lane.request();
    nativeTheme.on("updated", request);
    for (const event of ["display-added", "display-removed", "display-metrics-changed"] as const) {
      screen.on(event as "display-added", request);
    }
    powerMonitor.on("resume", request);
    this.#unsubscribe = context.subscribe(request);
    request();
  }

  /** Where the icon is; undefined where the bar does not tell. */
  get bounds(): Rectangle | undefined {
    const bounds = this.#tray?.getBounds();
    return bounds && bounds.width > 0 && bounds.height > 0 ? bounds : undefined;
  }

  /** Leaves the icon alone from now on: the system takes it away with the process, and touching it then can crash. */
  close(): void {
    this.#unsubscribe();
    this.#lane.close();
    this.#imageLane.close();
    this.#options.context.timers.clearTimeout(this.#refresh);
  }

  #render(): void {
    const { context, translator, onShown } = this.#options;
    if (context.isQuitting()) return;
    const now = context.timers.now();
    const desktop = context.desktop();
    const model = trayModel({ live: context.live(), desktop }, desktop.platform, translator(), now);
    this.#icon = model.icon;
    this.#imageLane.request();
    const tray = this.#tray;
    if (!tray) return;
    if (this.#changes("tooltip", model.tooltip)) tray.setToolTip(model.tooltip);
    if (desktop.platform === "darwin" && this.#changes("title", model.title)) tray.setTitle(model.title);
    this.#showMenu(tray, model);
    this.#refreshAt(model.refreshAt, now);
    onShown(model);
  }

  /** True when it is something else than what is shown, which it then counts as. */
  #changes(part: Part, value: string): boolean {
    const isNew = this.#shown.get(part) !== value;
    this.#shown.set(part, value);
    return isNew;
  }

  #showImage(): void {
    const { context } = this.#options;
    const icon = this.#icon;
    if (icon === undefined || context.isQuitting()) return;
    const { nativeTheme, screen } = context.electron;
    const { file, isTemplate } = trayImage(context.files.resources, icon, {
      platform: context.desktop().platform,
      isBarDark: nativeTheme.shouldUseDarkColorsForSystemIntegratedUI,
      scaleFactor: Math.max(1, ...screen.getAllDisplays().map(({ scaleFactor }) => scaleFactor)),
    });
    if (!this.#changes("image", file)) return;
    const image = this.#images.get(file) ?? this.#load(file, isTemplate);
    if (this.#tray) this.#tray.setImage(image);
    else this.#create(image);
  }

  #load(file: string, isTemplate: boolean): NativeImage {
    const { context } = this.#options;
    const image = context.electron.nativeImage.createFromPath(file);
    if (image.isEmpty()) context.logger.error("an image of the tray cannot be read", { file });
    image.setTemplateImage(isTemplate);
    this.#images.set(file, image);
    return image;
  }

  /** With its picture: an icon that begins without one shows as "..." in some bars for ever. */
  #create(image: NativeImage): void {
    const { context, onClick } = this.#options;
    const { menu, clickOpens } = clickPolicy(context.desktop().platform);
    kept ??= new context.electron.Tray(image);
    const tray = kept;
    this.#tray = tray;
    // A second click is not another command.
    tray.setIgnoreDoubleClickEvents(true);
    if (clickOpens) tray.on("click", onClick);
    if (menu === "on-right-click") tray.on("right-click", () => tray.popUpContextMenu(this.#menu));
  }

  #showMenu(tray: Tray, { menu }: TrayModel): void {
    if (!this.#changes("menu", JSON.stringify(menu))) return;
    const { context, perform } = this.#options;
    this.#menu = context.electron.Menu.buildFromTemplate(nativeMenu(menu, perform));
    // Bars of Linux take a menu as it is when it is set: changes of its items do not reach them.
    if (clickPolicy(context.desktop().platform).menu === "attached") tray.setContextMenu(this.#menu);
  }

  #refreshAt(at: number, now: number): void {
    const { timers } = this.#options.context;
    timers.clearTimeout(this.#refresh);
    this.#refresh = Number.isFinite(at) ? timers.setTimeout(() => this.#lane.request(), at - now) : undefined;
  }
}
