import { running } from "../app/running.ts";
import { Chromium } from "./launch.ts";

let started: Promise<Chromium> | undefined;

/** The app's Chromium; the first call starts it. It is closed when the app ends. */
export function sharedChromium(): Promise<Chromium> {
  if (!started) {
    started = Chromium.launch();
    const closing = started;
    running.beforeExit.push(async () => {
      const chromium = await closing.catch(() => undefined);
      await chromium?.close();
    });
  }
  return started;
}
