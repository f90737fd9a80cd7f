import type {
  DesktopState,
  Destination,
  Frame,
  IpcChannel,
  IpcRequest,
  IpcResponse,
  LiveState,
  UiOperation,
} from "../protocol/desktop/index.ts";
import type { OperationInput, OperationResult } from "../protocol/index.ts";

/** What a window hears of. */
export interface HostListener {
  frame(frame: Frame): void;
  destination(destination: Destination): void;
}

/** What a window begins with. In a browser tab there is no desktop. */
export interface Beginning {
  readonly live: LiveState;
  readonly desktop: DesktopState | undefined;
  readonly destination?: Destination;
}

/** Channels that exist in the desktop alone. */
export type DesktopChannel = Exclude<IpcChannel, "attach" | "call">;

/** Where a page runs: in a window of the desktop, or in a browser tab. Views know only this. */
export interface Host {
  readonly kind: "desktop" | "browser";
  /** Begins the flow of changes. What comes before this resolves is not lost: it is in what it resolves with. */
  attach(listener: HostListener): Promise<Beginning>;
  /**
   * Performs an operation as the human, in a scope where it is one of a scope's.
   * @throws {IntercomError}
   */
  call<N extends UiOperation>(operation: N, input: OperationInput<N>, scopeId?: string): Promise<OperationResult<N>>;
  /** What only the desktop can do; undefined in a tab. */
  readonly desktop: DesktopHost | undefined;
  /** What only a tab can do; undefined in the desktop. */
  readonly browser: BrowserHost | undefined;
}

export interface DesktopHost {
  /** @throws {IntercomError} */
  ask<C extends DesktopChannel>(channel: C, request: IpcRequest<C>): Promise<IpcResponse<C>>;
}

/** A signed-in browser, as the settings list it. */
export interface UiSession {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly userAgent: string;
  readonly current: boolean;
}

export interface BrowserHost {
  /** @throws {IntercomError} */
  listSessions(): Promise<readonly UiSession[]>;
  /** @throws {IntercomError} */
  endSession(id: string): Promise<void>;
  /** Ends this tab's session and shows how to sign in again. */
  signOut(): Promise<void>;
  /** A backup of the daemon's data, for the browser to save. */
  backup(): Promise<Blob>;
}
