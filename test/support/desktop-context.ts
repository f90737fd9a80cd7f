import { systemTimers } from "../../client/timers.ts";
import { silentLogger } from "../../daemon/runtime/index.ts";
import type { AppUpdate } from "../../main/shell.ts";
import type { DesktopNotice, DesktopState, LiveState } from "../../protocol/desktop/index.ts";
import { desktopState, liveState } from "./desktop-state.ts";

/** A call of an operation, as the main process would make it. */
export interface RecordedCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly scopeId: string | undefined;
}

/**
 * What parts of the main process get of it, without Electron and without a daemon. Its timers are the system's: use vitest's
 * fake ones.
 */
export class FakeContext {
  readonly timers = systemTimers;
  readonly logger = silentLogger;
  readonly files = { preload: "/app/preload.cjs", resources: "/app/resources" };
  readonly calls: RecordedCall[] = [];
  readonly notices: DesktopNotice[] = [];
  /** What a call gives or throws. */
  respond: (call: RecordedCall) => unknown = () => ({});
  quitting = false;
  quits = 0;
  #live: LiveState;
  #desktop: DesktopState;
  readonly #listeners = new Set<(update: AppUpdate) => void>();

  constructor({ live = liveState(), desktop = desktopState() }: { live?: LiveState; desktop?: DesktopState } = {}) {
    this.#live = live;
    this.#desktop = desktop;
  }

  readonly live = (): LiveState => this.#live;
  readonly desktop = (): DesktopState => this.#desktop;
  readonly isQuitting = (): boolean => this.quitting;

  readonly quit = async (): Promise<void> => {
    this.quits += 1;
  };

  readonly subscribe = (listener: (update: AppUpdate) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly notice = (notice: DesktopNotice): void => {
    this.notices.push(notice);
  };

  readonly call = async (operation: string, input: object, scopeId?: string): Promise<never> => {
    const call: RecordedCall = { operation, input: { ...input }, scopeId };
    this.calls.push(call);
    return (await this.respond(call)) as never;
  };

  /** Something has changed, and everybody hears of it. */
  change({ live = this.#live, desktop = this.#desktop }: { live?: LiveState; desktop?: DesktopState }): void {
    this.#live = live;
    this.#desktop = desktop;
    for (const listener of this.#listeners) listener({ changes: [], desktop });
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Inputs of the calls of one operation. */
  inputsOf(operation: string): Readonly<Record<string, unknown>>[] {
    return this.calls.filter((call) => call.operation === operation).map(({ input }) => input);
  }
}
