import { join } from "node:path";
import type { DesktopState } from "../../protocol/desktop/index.ts";
import type { TrayIcon } from "./tray-model.ts";

/** Sizes of the pictures for Linux: the bar takes one and scales it, so it gets one that is drawn for the densest display. */
export const LINUX_SIZES = [22, 44, 66] as const;

export interface TrayAppearance {
  readonly platform: DesktopState["platform"];
  /** Of the bar with the icons, which on Windows is not that of windows. */
  readonly isBarDark: boolean;
  /** Largest among the displays. */
  readonly scaleFactor: number;
}

export interface TrayImage {
  readonly file: string;
  /** macOS draws it in the colour of its menu bar. */
  readonly isTemplate: boolean;
}

/** The picture of a state, in the folder of images that ship with the app. */
export function trayImage(
  resources: string,
  icon: TrayIcon,
  { platform, isBarDark, scaleFactor }: TrayAppearance,
): TrayImage {
  const file = (name: string): string => join(resources, "tray", platform, name);
  switch (platform) {
    // The system finds `@2x` beside it, by name.
    case "darwin":
      return { file: file(`${icon}Template.png`), isTemplate: true };
    // The file holds all sizes; the name says which bar it is for.
    case "win32":
      return { file: file(`${icon}-${isBarDark ? "dark" : "light"}.ico`), isTemplate: false };
    case "linux":
      return { file: file(`${icon}-${linuxSize(scaleFactor)}.png`), isTemplate: false };
  }
}

function linuxSize(scaleFactor: number): number {
  return LINUX_SIZES.find((size) => size >= LINUX_SIZES[0] * scaleFactor) ?? LINUX_SIZES[LINUX_SIZES.length - 1] ?? 66;
}
