// The fixture app of this folder, started for one spec.
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { test as base, type Desktop, expect, isStandIn, type LaunchOptions } from "../../support/desktop.ts";
// For the types of what the app's process has in its global scope.
import type {} from "../fixture-app/main.ts";
import type {} from "../handle.ts";

interface Fixtures {
  /** Starts the fixture app and waits until it has started itself. */
  launchFixture: (options?: LaunchOptions) => Promise<Desktop>;
  desktop: Desktop;
  /** The fixture app's window, opened from the tray. */
  page: Page;
}

export const test = base.extend<Fixtures>({
  launchFixture: async ({ launchDesktop }, use) => {
    base.skip(!isStandIn, "is about the stand-in");
    await use(async (options) => {
      const desktop = await launchDesktop({ app: join(import.meta.dirname, "..", "fixture-app"), ...options });
      await expect.poll(() => desktop.app.evaluate(() => globalThis.fixture !== undefined)).toBe(true);
      return desktop;
    });
  },
  desktop: async ({ launchFixture }, use) => use(await launchFixture()),
  page: async ({ desktop }, use) => {
    await desktop.app.evaluate(() => desktopHost.tray.choose("open"));
    const page = await desktop.window("Fixture");
    await expect.poll(() => desktop.app.evaluate(() => globalThis.fixture.window?.isVisible())).toBe(true);
    await use(page);
  },
});

/** What the fixture app has noted, in order. */
export function seen({ app }: Desktop): Promise<string[]> {
  return app.evaluate(() => globalThis.fixture.seen);
}

export { expect };
