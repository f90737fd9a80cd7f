import type { Page } from "@playwright/test";
import type { World } from "../../../renderer/testing/world.ts";
import { type Beginning, test as base, expect, inWorld, violations } from "./pages.ts";

export { expect };

/** How a spec opens a view of the main window and reaches the world behind it. */
export interface View {
  readonly page: Page;
  /** Opens e.g. `/tasks/web-shop`, and waits for the view's heading. */
  open(route: string, beginning?: Omit<Beginning, "at">): Promise<void>;
  /** Runs in the page, with the world. It is sent as text, so it can use nothing but its arguments. */
  world<T, A>(run: (world: World, argument: A) => T, argument?: A): Promise<T>;
  /** Names of the calls the page has made since it was asked last. */
  calls(): Promise<readonly string[]>;
  /** Finds no violation of accessibility rules in the page as it is. */
  expectAccessible(): Promise<void>;
}

export const test = base.extend<{ view: View }>({
  view: async ({ page, open }, use) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await use({
      page,
      async open(route, beginning = {}) {
        // The same address with another hash would not load the page again.
        await page.goto("about:blank");
        await open("index", { theme: "light", ...beginning, at: route.slice(1) });
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      },
      world: (run, argument) => inWorld(page, run, argument),
      calls: () => inWorld(page, (world) => world.calls.splice(0).map(({ name }) => name)),
      async expectAccessible() {
        expect(await violations(page)).toEqual([]);
      },
    });
  },
});
