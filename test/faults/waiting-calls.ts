import { Engine } from "../../daemon/engine/index.ts";

/**
 * Tells how many calls wait in the daemon that was started last in this process. Call before starting one. Asking the
 * daemon itself would take places away from those who wait.
 */
export function watchWaitingCalls(): () => number {
  let latest: Engine | undefined;
  const { start } = Engine.prototype;
  Engine.prototype.start = function (this: Engine): void {
    latest = this;
    start.call(this);
  };
  return () => latest?.hub.listening ?? 0;
}
