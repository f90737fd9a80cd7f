import type { ErrorValue } from "../errors.ts";
import type { DesktopSettings } from "./settings.ts";

/** Where the supervisor of the daemon stands. */
export const SUPERVISOR_STATES = [
  "stopped",
  "adopting",
  "starting",
  "ready",
  "unresponsive",
  "backing-off",
  "failed",
  "stopping",
  "incompatible",
] as const;
export type SupervisorState = (typeof SUPERVISOR_STATES)[number];

/** What is known of the daemon this desktop looks after or has found running. */
export interface SupervisorView {
  readonly state: SupervisorState;
  /** RFC 3339 instant at which this state began. */
  readonly since: string;
  /** Who started the daemon; only one that is `desktop` ends together with the app. */
  readonly owner?: "desktop" | "cli" | "service";
  readonly pid?: number;
  readonly address?: string;
  readonly version?: string;
  /** Starts that failed one after the other. */
  readonly failures: number;
  /** When the next start is tried, while `backing-off`. */
  readonly nextAttemptAt?: string;
  /** Why it is not ready, in words for a human, with what to do; the last lines of its log come along. */
  readonly problem?: ErrorValue & { readonly advice?: string; readonly log?: readonly string[] };
}

/** Something the human should know once, such as a settings file that could not be read. */
export interface DesktopNotice {
  readonly id: string;
  readonly code: "settings-moved-aside" | "shortcut-taken" | "no-tray" | "notifications-denied" | "disk-full";
  /** Facts for the message of that code, e.g. `{file}`. */
  readonly values: Readonly<Record<string, string>>;
}

/** What the windows of the desktop know beyond the daemon's own state. A browser tab has none of it. */
export interface DesktopState {
  readonly platform: "darwin" | "linux" | "win32";
  readonly version: string;
  /** Language in use, after `system` was looked up. */
  readonly locale: "en" | "de";
  readonly supervisor: SupervisorView;
  readonly settings: DesktopSettings;
  /** No notifications until then, unless a question is urgent. */
  readonly pausedUntil?: string;
  readonly tray: "available" | "absent";
  readonly dataDir: string;
  readonly logDir: string;
  readonly notices: readonly DesktopNotice[];
}
