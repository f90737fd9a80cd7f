import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import type { World } from "../../../renderer/testing/world.ts";
import { buildPages, pagesFolder } from "./build-pages.ts";
import { servePages } from "./serve.ts";

export { expect } from "@playwright/test";

/** How a spec opens a view and reaches the world behind it. */
export interface View {
  readonly page: Page;
  /** Opens e.g. `/tasks/web-shop`, with `?theme=dark` and the like as `query`, and waits for the view's heading. */
  open(route: string, query?: Readonly<Record<string, string>>): Promise<void>;
  /** Runs in the page, with the world. */
  world<T, A>(run: (world: World, argument: A) => T, argument?: A): Promise<T>;
  /** Names of the calls the page has made since it was asked last. */
  calls(): Promise<readonly string[]>;
  /** Finds no violation of accessibility rules in the page as it is. */
  expectAccessible(): Promise<void>;
}

/** Bundled once for all workers of a run: the first one builds, the others wait for it. */
async function built(): Promise<void> {
  const mark = join(pagesFolder, `../ui-pages-${process.ppid}`);
  const done = join(mark, "done");
  try {
    await mkdir(join(mark, ".."), { recursive: true });
    await mkdir(mark);
  } catch {
    while (!existsSync(done)) await sleep(100);
    return;
  }
  await buildPages();
  await writeFile(done, "");
}

export const test = base.extend<{ view: View }, { address: string }>({
  address: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it which fixtures are wanted
    async ({}, use) => {
      await built();
      const server = await servePages(pagesFolder);
      await use(server.url);
      await server.close();
    },
    { scope: "worker" },
  ],
  view: async ({ page, address }, use) => {
    const defects: string[] = [];
    page.on("pageerror", (error) => defects.push(error.message));
    await page.emulateMedia({ reducedMotion: "reduce" });
    const view: View = {
      page,
      async open(route, query = {}) {
        // The same address with another hash would not load the page again.
        await page.goto("about:blank");
        await page.goto(`${address}/index.html?${new URLSearchParams({ theme: "light", ...query })}#${route}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      },
      world: (run, argument) =>
        page.evaluate(
          ([source, value]) => {
            const { world } = globalThis as unknown as { world: World };
            // The function comes as text: it is written in the spec, and runs in the page.
            return new Function(`return (${source})`)()(world, value);
          },
          [run.toString(), argument] as const,
        ),
      async calls() {
        return await view.world((world) => world.calls.splice(0).map(({ name }) => name));
      },
      async expectAccessible() {
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n  ")}`)).toEqual([]);
      },
    };
    await use(view);
    expect(defects).toEqual([]);
  },
});
