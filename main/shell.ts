import type { WebContents } from "electron";
import type { Timers } from "../client/index.ts";
import type { Logger } from "../daemon/runtime/index.ts";
import type {
  DesktopNotice,
  DesktopSettings,
  DesktopSettingsPatch,
  DesktopState,
  Destination,
  Link,
  LiveChange,
  LiveState,
  UiOperation,
} from "../protocol/desktop/index.ts";
import type { OperationInput, OperationResult } from "../protocol/index.ts";
import type { Electron } from "./ports/electron.ts";

/** One step of what the desktop knows; either part may be missing. */
export interface AppUpdate {
  readonly changes: readonly LiveChange[];
  /** The whole of it, when any of it has changed. */
  readonly desktop?: DesktopState;
}

/** What tray, notifications and windows get of the rest of the main process, and all they get. */
export interface AppContext {
  readonly electron: Electron;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly files: AppFiles;
  /** The picture of the daemon as it is now. */
  live(): LiveState;
  desktop(): DesktopState;
  /** Calls `listener` after each change, with the state already new. Returns what ends that. */
  subscribe(listener: (update: AppUpdate) => void): () => void;
  /**
   * Performs an operation as the human, as a window would.
   * @throws {IntercomError}
   */
  call<N extends UiOperation>(operation: N, input: OperationInput<N>, scopeId?: string): Promise<OperationResult<N>>;
  /** @throws {IntercomError} INVALID_ARGUMENT or CONFLICT where a setting cannot be had; nothing is changed then */
  changeSettings(patch: DesktopSettingsPatch): DesktopSettings;
  /** Pauses notifications until that instant (RFC 3339); null ends the pause. */
  pauseNotifications(until: string | null): void;
  /** Tells the human of something once. A notice of the same id is replaced. */
  notice(notice: DesktopNotice): void;
  setTray(tray: DesktopState["tray"]): void;
  restartDaemon(): Promise<void>;
  openLogs(): Promise<void>;
  /** Copies what helps to find a fault, without secrets and contents. */
  copyDiagnostics(): { readonly characters: number };
  /** @throws {IntercomError} NOT_FOUND where this build names no home page */
  openLink(link: Link): Promise<void>;
  /**
   * Makes a page one that may talk to the main process, until its web contents are destroyed. Call it before the page
   * loads; the page itself attaches when it has.
   */
  trust(contents: WebContents): TrustedPage;
  /** Ends everything in order; repeatable. */
  quit(): Promise<void>;
  /** True from the beginning of {@link quit}: windows then close instead of hiding, and the tray is left alone. */
  isQuitting(): boolean;
}

/** A page that may talk to the main process. */
export interface TrustedPage {
  /** Sends the page there, now or once it has attached. */
  go(destination: Destination): void;
  /** True once the page has taken its snapshot, so what it shows is real. */
  readonly isAttached: boolean;
}

export interface AppFiles {
  /** The preload script. */
  readonly preload: string;
  /** Folder of images that ship with the app. */
  readonly resources: string;
}

/** Addresses of the pages. */
export const PAGES = { main: "app://ui/index.html", answer: "app://ui/answer.html" } as const;

/** A failure of the main process itself, for the crash window. */
export interface CrashReport {
  readonly message: string;
  /** Ready to be copied; redacted. */
  readonly details: string;
}

/** What the human sees of the app: windows, tray and notifications. */
export interface Shell {
  /** Shows the main window, there if it is said where. */
  openMain(destination?: Destination): void;
  /** Shows the answer window, with this question first. */
  openAnswer(escalationId?: string): void;
  /** Hides the window with these web contents. */
  hide(contents: WebContents): void;
  /** What the window with these web contents shows at the moment, for the policy of notifications. */
  showing(contents: WebContents, escalationId: string | null): void;
  /** Shows a window of its own, which needs nothing of what has just failed. */
  crashed(report: CrashReport): Promise<"relaunch" | "quit">;
  /** Takes tray and notifications away; windows may close from now on. Called once, early in quitting. */
  close(): void;
}

export interface ShellOptions {
  /** Started without anything to show, as a login item is. */
  readonly hidden: boolean;
  /** Where a deep link or a start without `--hidden` leads at once. */
  readonly first?: { readonly escalationId: string };
}

/** `main/windows/shell.ts` exports one of these as `createShell`. Called once, after Electron is ready. */
export type CreateShell = (context: AppContext, options: ShellOptions) => Promise<Shell>;
