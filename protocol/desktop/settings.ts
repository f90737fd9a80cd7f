import { z } from "zod";
import { flag, oneOf } from "../fields.ts";
import { text } from "../text.ts";
import { LOCALES, RETENTION_DAYS, THEMES, UPDATE_CHANNELS } from "./names.ts";

/**
 * What the human sets in the desktop. Every field has a default, so that a file of an older version is complete. Unknown
 * fields are refused: they are a slip or come from a newer version.
 */
export const desktopSettings = z.strictObject({
  theme: oneOf(THEMES).default("system"),
  /** `system` takes the first language of the operating system there is a catalogue for. */
  locale: oneOf(["system", ...LOCALES]).default("system"),
  startAtLogin: flag.default(false),
  /** Closing the window leaves the tray running; without a tray it asks, whatever is set here. */
  closeToTray: flag.default(true),
  notifications: z
    .strictObject({
      enabled: flag.default(true),
      /** Urgent questions are shown although notifications are paused. */
      urgentBreaksPause: flag.default(true),
      sound: flag.default(true),
      /** Text of questions in notifications, which a locked screen may show. */
      showContent: flag.default(true),
    })
    .prefault({}),
  /** Opens the answer window from anywhere; null for none. An accelerator as Electron writes it. */
  shortcut: text(64).nullable().default("CommandOrControl+Shift+I"),
  retentionDays: z.literal([...RETENTION_DAYS], { error: `expected one of ${RETENTION_DAYS.join(", ")}` }).default(0),
  updates: z
    .strictObject({ check: flag.default(true), channel: oneOf(UPDATE_CHANNELS).default("latest") })
    .prefault({}),
});
export type DesktopSettings = z.output<typeof desktopSettings>;

/** The fields to change; those left out stay as they are. Nested ones are replaced one by one, too. */
export const desktopSettingsPatch = z
  .strictObject({
    theme: desktopSettings.shape.theme.unwrap(),
    locale: desktopSettings.shape.locale.unwrap(),
    startAtLogin: flag,
    closeToTray: flag,
    notifications: z.strictObject({ enabled: flag, urgentBreaksPause: flag, sound: flag, showContent: flag }).partial(),
    shortcut: text(64).nullable(),
    retentionDays: desktopSettings.shape.retentionDays.unwrap(),
    updates: z.strictObject({ check: flag, channel: oneOf(UPDATE_CHANNELS) }).partial(),
  })
  .partial();
export type DesktopSettingsPatch = z.output<typeof desktopSettingsPatch>;
