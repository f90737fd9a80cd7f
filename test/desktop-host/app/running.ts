// What is alive in this app. `app.quit` walks over it; windows and utility processes enter and leave by themselves.

export interface OpenWindow {
  close(): void;
  destroy(): void;
  isDestroyed(): boolean;
}

export const running = {
  windows: new Set<OpenWindow>(),
  utilityProcesses: new Set<{ kill(): boolean }>(),
  /** Awaited before the process ends. */
  beforeExit: [] as (() => Promise<void>)[],
};
