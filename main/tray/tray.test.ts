import { EventEmitter } from "node:events";
import type { MenuItemConstructorOptions } from "electron";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { translator } from "../../i18n/index.ts";
import type { DesktopState } from "../../protocol/desktop/index.ts";
import { FakeContext } from "../../test/support/desktop-context.ts";
import { desktopState, instantAt, liveState, NOW, question } from "../../test/support/desktop-state.ts";
import type { Electron } from "../ports/electron.ts";
import { Badge } from "./badge.ts";
import type { TrayAction } from "./menu.ts";
import { type DesktopTray, IMAGE_INTERVAL_MS } from "./tray.ts";
import type { TrayModel } from "./tray-model.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  // The icon is kept for as long as the module lives.
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
});

class FakeTray extends EventEmitter {
  static made = 0;
  readonly calls: [method: string, value: unknown][] = [];

  constructor(image: unknown) {
    super();
    FakeTray.made += 1;
    this.calls.push(["constructor", image]);
  }

  #called(method: string): (value: unknown) => void {
    return (value) => void this.calls.push([method, value]);
  }

  readonly setImage = this.#called("setImage");
  readonly setToolTip = this.#called("setToolTip");
  readonly setTitle = this.#called("setTitle");
  readonly setContextMenu = this.#called("setContextMenu");
  readonly popUpContextMenu = this.#called("popUpContextMenu");
  readonly setIgnoreDoubleClickEvents = this.#called("setIgnoreDoubleClickEvents");
  bounds = { x: 10, y: 0, width: 24, height: 24 };
  getBounds() {
    return this.bounds;
  }

  of(method: string): unknown[] {
    return this.calls.filter(([name]) => name === method).map(([, value]) => value);
  }
}

async function stage(platform: DesktopState["platform"]) {
  const { DesktopTray: FreshTray } = (await import("./tray.ts")) as { DesktopTray: typeof DesktopTray };
  const context = new FakeContext({ desktop: desktopState({ platform }) });
  let tray: FakeTray | undefined;
  const nativeTheme = Object.assign(new EventEmitter(), { shouldUseDarkColorsForSystemIntegratedUI: true });
  const screen = Object.assign(new EventEmitter(), { getAllDisplays: () => [{ scaleFactor: 1 }, { scaleFactor: 2 }] });
  const electron = {
    Tray: class extends FakeTray {
      constructor(image: unknown) {
        super(image);
        tray = this;
      }
    },
    Menu: { buildFromTemplate: (template: MenuItemConstructorOptions[]) => template },
    nativeImage: { createFromPath: (file: string) => ({ file, isEmpty: () => false, setTemplateImage: () => {} }) },
    nativeTheme,
    screen,
    powerMonitor: new EventEmitter(),
  };
  const t = translator("en");
  const performed: TrayAction[] = [];
  const models: TrayModel[] = [];
  let clicks = 0;
  const desktopTray = new FreshTray({
    context: { ...context, electron: electron as unknown as Electron },
    translator: () => t,
    perform: (action) => performed.push(action),
    onClick: () => {
      clicks += 1;
    },
    onShown: (model) => models.push(model),
  });
  if (!tray) throw new Error("no tray was made");
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(IMAGE_INTERVAL_MS);
  return { context, tray, nativeTheme, desktopTray, performed, models, settle, clicks: () => clicks };
}

function ask(context: FakeContext, count: number): void {
  const questions = Array.from({ length: count }, (_, index) => question({ id: `q${index}` }));
  context.change({ live: liveState({ questions }) });
}

describe("the icon in the bar", () => {
  it("is made once, with its picture, and has all there is to say from the beginning", async () => {
    const { tray } = await stage("linux");
    expect(tray.calls[0]).toMatchObject(["constructor", { file: "/app/resources/tray/linux/idle-44.png" }]);
    expect(tray.of("setToolTip")).toEqual(["Agent Intercom"]);
    expect(tray.of("setContextMenu")).toHaveLength(1);
  });

  it("shows a new question at once, and many together", async () => {
    const { context, tray, settle } = await stage("linux");
    await settle();
    ask(context, 1);
    expect(tray.of("setImage")).toMatchObject([{ file: expect.stringContaining("needs-you") }]);
    for (let count = 2; count <= 30; count += 1) ask(context, count);
    expect(tray.of("setToolTip")).toHaveLength(2);
    await settle();
    expect(tray.of("setToolTip").at(-1)).toBe("Agent Intercom: 30 questions for you");
    expect(tray.of("setToolTip")).toHaveLength(3);
    expect(tray.of("setImage")).toHaveLength(1);
  });

  it("touches nothing that is as it was", async () => {
    const { context, tray, settle } = await stage("linux");
    const before = tray.calls.length;
    for (let round = 0; round < 3; round += 1) {
      context.change({});
      await settle();
    }
    expect(tray.calls).toHaveLength(before);
  });

  it("follows the colour of the bar", async () => {
    const { tray, nativeTheme, settle } = await stage("win32");
    await settle();
    nativeTheme.shouldUseDarkColorsForSystemIntegratedUI = false;
    nativeTheme.emit("updated");
    expect(tray.of("setImage")).toMatchObject([{ file: "/app/resources/tray/win32/idle-light.ico" }]);
  });

  it("changes when time alone changes what there is to say", async () => {
    const { context, tray, settle } = await stage("linux");
    await settle();
    context.change({ live: liveState({ questions: [question({ deferredUntil: instantAt(60_000) })] }) });
    await vi.advanceTimersByTimeAsync(61_000);
    expect(tray.of("setToolTip").at(-1)).toBe("Agent Intercom: 1 question for you");
  });

  it("is left alone from the moment the app quits", async () => {
    const { context, tray, settle, desktopTray } = await stage("linux");
    await settle();
    context.quitting = true;
    const before = tray.calls.length;
    ask(context, 1);
    await settle();
    desktopTray.close();
    ask(context, 2);
    await settle();
    expect([tray.calls.length, context.listeners, vi.getTimerCount()]).toEqual([before, 0, 0]);
  });

  it("performs what was chosen", async () => {
    const { tray, performed } = await stage("linux");
    const [menu] = tray.of("setContextMenu") as MenuItemConstructorOptions[][];
    const item = menu?.find(({ id }) => id === "settings");
    (item?.click as (() => void) | undefined)?.();
    expect(performed).toEqual([{ do: "open", destination: { view: "settings" } }]);
  });

  it("has a count beside it on macOS, and its menu with either button", async () => {
    const { context, tray, settle } = await stage("darwin");
    await settle();
    ask(context, 2);
    expect(tray.of("setTitle")).toEqual(["", "2"]);
    expect([tray.listenerCount("click"), tray.listenerCount("right-click")]).toEqual([0, 0]);
  });

  it("opens its menu with the right button on Windows, and what waits with the left one", async () => {
    const { tray, clicks } = await stage("win32");
    expect([tray.of("setContextMenu"), tray.of("setTitle")]).toEqual([[], []]);
    tray.emit("right-click");
    expect(tray.of("popUpContextMenu")).toHaveLength(1);
    tray.emit("click");
    expect(clicks()).toBe(1);
  });

  it("says where it is, where the bar tells", async () => {
    const { tray, desktopTray } = await stage("linux");
    expect(desktopTray.bounds).toEqual({ x: 10, y: 0, width: 24, height: 24 });
    tray.bounds = { x: 0, y: 0, width: 0, height: 0 };
    expect(desktopTray.bounds).toBeUndefined();
  });
});

describe("the count on the app's icon", () => {
  function badge(platform: DesktopState["platform"]) {
    const calls: unknown[] = [];
    const electron = {
      app: { setBadgeCount: (count: number) => calls.push(count) },
      nativeImage: { createFromPath: (file: string) => file },
    } as unknown as Electron;
    const context = { ...new FakeContext({ desktop: desktopState({ platform }) }), electron };
    const window = (id: number) =>
      ({ id, setOverlayIcon: (...given: unknown[]) => calls.push([id, ...given]) }) as unknown as Parameters<
        Badge["show"]
      >[1];
    return { badge: new Badge(context), calls, window, t: translator("en") };
  }

  it("is a number where the system draws one, set when it changes", () => {
    const { badge: it, calls, t } = badge("linux");
    for (const count of [0, 1, 1, 3, 0]) it.show(count, undefined, t);
    expect(calls).toEqual([1, 3, 0]);
  });

  it("is a mark on the button of the window on Windows, on a new window anew", () => {
    const { badge: it, calls, window, t } = badge("win32");
    it.show(2, undefined, t);
    it.show(2, window(1), t);
    it.show(2, window(1), t);
    it.show(2, window(2), t);
    it.show(0, window(2), t);
    const mark = ["/app/resources/tray/win32/overlay.png", "Agent Intercom: 2 questions for you"];
    expect(calls).toEqual([
      [1, ...mark],
      [2, ...mark],
      [2, null, ""],
    ]);
  });
});
