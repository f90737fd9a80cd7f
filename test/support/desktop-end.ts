// Ends an app for good: politely first, then by force, and then whatever it left running.
import { join } from "node:path";
import process from "node:process";
import type { ElectronApplication } from "@playwright/test";
import { readRunFile } from "../../daemon/runtime/run-file.ts";

/** How long an app may take to close by itself, ms. */
const PATIENCE_MS = 8000;

/** @param runtimeDir where the daemon of this app left its run file, if it is still there */
export async function endApp(app: ElectronApplication, runtimeDir: string): Promise<void> {
  const main = processOf(app);
  if (main && main.exitCode === null && main.signalCode === null) {
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    // Closing fails when the app is just ending by itself: that is all right.
    await Promise.race([app.close().catch(() => undefined), impatience]);
    clearTimeout(timer);
    // Playwright gives each app a process group of its own: Chromium and utility processes are in it.
    if (main.pid !== undefined) kill(-main.pid);
  }
  const run = readRunFile(join(runtimeDir, "run.json"));
  if (run.state === "present") kill(run.run.pid);
}

/** Undefined once the app is closed: Playwright forgets the process then. */
function processOf(app: ElectronApplication): ReturnType<ElectronApplication["process"]> | undefined {
  try {
    return app.process();
  } catch {
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
