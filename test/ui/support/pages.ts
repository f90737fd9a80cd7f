import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import type { World } from "../../../renderer/testing/world.ts";
import { pagesFolder } from "./build-pages.ts";
import { type PageServer, servePages } from "./serve.ts";

/** How a page begins; see `renderer/testing/entry.tsx`. */
export interface Beginning {
  readonly world?: "empty" | "team" | "large";
  readonly host?: "desktop" | "browser";
  readonly theme?: "light" | "dark";
  readonly locale?: "en" | "de";
  /** The page's address behind `#/`, e.g. `inbox/web-shop/esc_choice`. */
  readonly at?: string;
}

interface Fixtures {
  /** Opens a page of the app over a fake world, and fails the spec in the end when the page had a problem of its own. */
  readonly open: (file: "index" | "answer", beginning?: Beginning) => Promise<void>;
}

export const test = base.extend<Fixtures, { server: PageServer }>({
  server: [
    async ({ browserName: _browserName }, use) => {
      const server = await servePages(pagesFolder);
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],
  open: async ({ page, server }, use) => {
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
    // What the policy forbids is said here, and so is what React has to complain about.
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
    });
    await use(async (file, { at = "inbox", ...wanted } = {}) => {
      const query = new URLSearchParams(Object.entries(wanted));
      await page.goto(`${server.url}/${file}.html?${query}#/${at}`);
      await expect(page.locator("#root > *").first()).toBeVisible();
    });
    expect(problems).toEqual([]);
  },
});

export { expect };

/** Does something to the world behind the page. */
export function inWorld<T, A>(page: Page, action: (world: World, argument: A) => T, argument?: A): Promise<T> {
  // The function is sent as text, so it can use nothing but its arguments.
  return page.evaluate(`(${action.toString()})(window.world, ${JSON.stringify(argument)})`) as Promise<T>;
}

/** Inputs of the calls of one name that the page has made. */
export function callsOf(page: Page, name: string): Promise<unknown[]> {
  return inWorld(
    page,
    (world, wanted) => world.calls.filter((call) => call.name === wanted).map(({ input }) => input),
    name,
  );
}

/** What the accessibility rules find wrong on the page, in words that say where. */
export async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} at ${target.join(" ")}`));
}
