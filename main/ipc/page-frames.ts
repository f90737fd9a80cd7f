import type { Timers } from "../../client/index.ts";
import { Lane } from "../../client/live/lane.ts";
import type {
  DesktopState,
  Destination,
  IpcPushes,
  LiveChange,
  LiveState,
  Snapshot,
} from "../../protocol/desktop/index.ts";
import type { AppUpdate } from "../shell.ts";

/** A page renders no more often than this, whatever happens. */
export const FRAME_INTERVAL_MS = 100;

export interface PageFramesOptions {
  readonly timers: Timers;
  send<P extends keyof IpcPushes>(push: P, value: IpcPushes[P]): void;
  read(): { readonly live: LiveState; readonly desktop: DesktopState };
}

/** What one page is told: a snapshot when it attaches, then numbered frames of what has changed, many changes in one. */
export class PageFrames {
  readonly #options: PageFramesOptions;
  readonly #lane: Lane;
  #sequence = 0;
  #isAttached = false;
  #changes: LiveChange[] = [];
  #desktop: DesktopState | undefined;
  #destination: Destination | undefined;

  constructor(options: PageFramesOptions) {
    this.#options = options;
    this.#lane = new Lane(options.timers, FRAME_INTERVAL_MS, async () => this.#flush());
  }

  get isAttached(): boolean {
    return this.#isAttached;
  }

  /** Also what a page does that has missed a frame, or was loaded anew. */
  attach(): Snapshot {
    this.#isAttached = true;
    this.#changes = [];
    this.#desktop = undefined;
    const destination = this.#destination;
    this.#destination = undefined;
    return { sequence: this.#sequence, ...this.#options.read(), ...(destination ? { destination } : {}) };
  }

  add({ changes, desktop }: AppUpdate): void {
    if (!this.#isAttached) return;
    for (const change of changes) {
      // A whole picture makes what came before it superfluous; what has happened, has happened.
      if (change.kind === "reset") this.#changes = this.#changes.filter(({ kind }) => kind === "events");
      this.#changes.push(change);
    }
    this.#desktop = desktop ?? this.#desktop;
    this.#lane.request();
  }

  go(destination: Destination): void {
    if (this.#isAttached) this.#options.send("destination", destination);
    else this.#destination = destination;
  }

  /** The page is loaded anew: it attaches again. */
  detach(): void {
    this.#isAttached = false;
  }

  close(): void {
    this.#isAttached = false;
    this.#lane.close();
  }

  #flush(): void {
    const changes = this.#changes;
    const desktop = this.#desktop;
    if (!this.#isAttached || (changes.length === 0 && !desktop)) return;
    this.#changes = [];
    this.#desktop = undefined;
    this.#sequence += 1;
    this.#options.send("frame", { sequence: this.#sequence, changes, ...(desktop ? { desktop } : {}) });
  }
}
