import { LONGEST_TIMER_MS, type Timers } from "../../client/timers.ts";
import type { DesktopNotice, DesktopState } from "../../protocol/desktop/index.ts";

/** What the windows know beyond the daemon's own state, and when that ends by itself. */
export class DesktopModel {
  readonly #timers: Timers;
  readonly #onChange: (state: DesktopState) => void;
  #state: DesktopState;
  #pauseTimer: unknown;

  constructor(initial: DesktopState, timers: Timers, onChange: (state: DesktopState) => void) {
    this.#state = initial;
    this.#timers = timers;
    this.#onChange = onChange;
  }

  get state(): DesktopState {
    return this.#state;
  }

  update(part: Partial<Omit<DesktopState, "pausedUntil" | "notices">>): void {
    this.#set({ ...this.#state, ...part });
  }

  /** Pauses notifications until that instant; null, and an instant that is over, end the pause. */
  pause(until: string | null): void {
    this.#timers.clearTimeout(this.#pauseTimer);
    const { pausedUntil: _, ...rest } = this.#state;
    const leftMs = until === null ? 0 : Date.parse(until) - this.#timers.now();
    if (until === null || leftMs <= 0) {
      this.#set(rest);
      return;
    }
    // Looks again at the end, because the clock may have been set meanwhile and timers have an upper limit.
    this.#pauseTimer = this.#timers.setTimeout(() => this.pause(until), Math.min(leftMs, LONGEST_TIMER_MS));
    if (this.#state.pausedUntil !== until) this.#set({ ...rest, pausedUntil: until });
  }

  /** Adds a notice, in place of one of the same id. */
  notice(notice: DesktopNotice): void {
    this.#set({ ...this.#state, notices: [...this.#state.notices.filter(({ id }) => id !== notice.id), notice] });
  }

  dismissNotice(id: string): void {
    const notices = this.#state.notices.filter((notice) => notice.id !== id);
    if (notices.length < this.#state.notices.length) this.#set({ ...this.#state, notices });
  }

  #set(state: DesktopState): void {
    this.#state = state;
    this.#onChange(state);
  }
}
