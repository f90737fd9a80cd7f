// Makes the pictures in docs/images: every view of the window and the answer window, in both themes, of the real app with a
// real daemon. `npm run screenshots` runs it; no other suite does.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { View } from "../../protocol/desktop/index.ts";
import { adminOf } from "../desktop/asking.ts";
import { bridge, snapshot, supervised } from "../desktop/fixture.ts";
import { type Desktop, type DesktopHome, expect, test } from "../support/desktop.ts";
import { bringToLife, writeHistory } from "./world.ts";

const images = join(import.meta.dirname, "..", "..", "docs", "images");
const SIZE = { width: 1200, height: 800 };
const THEMES = ["light", "dark"] as const;

/** What to do in a view before its picture is taken. */
const prepare: Partial<Record<View, (page: Page) => Promise<void>>> = {
  inbox: (page) => page.getByText("Ship anyway?").first().click(),
  sessions: (page) => page.getByText("claude", { exact: true }).first().click(),
  messages: (page) => page.getByText("claude and codex").first().click(),
};
const pictured: readonly View[] = [
  "inbox",
  "sessions",
  "messages",
  "tasks",
  "activity",
  "connect",
  "settings",
  "about",
];

test("every view and the answer window, in both themes", async ({ launchDesktop }) => {
  test.setTimeout(300_000);
  mkdirSync(images, { recursive: true });
  const { home, remove } = homeWithHistory();
  try {
    await writeHistory(home.dataDir, home.runtimeDir);
    // Paths of whoever makes the pictures have no place in them.
    const desktop = await launchDesktop({ home, env: { HOME: home.userData, XDG_CONFIG_HOME: home.userData } });
    const main = await bridge(desktop);
    await supervised(main, ({ state }) => state === "ready");
    const sessions = await bringToLife(await adminOf(home));
    try {
      await picturesOf(desktop, main);
    } finally {
      await Promise.all(sessions.map((session) => session.close()));
    }
  } finally {
    remove();
  }
});

type Main = Awaited<ReturnType<typeof bridge>>;

async function picturesOf(desktop: Desktop, main: Main): Promise<void> {
  const { page } = main;
  await resize(desktop, page);
  // What the machine of the pictures has to say, such as that it has no tray.
  for (const { id } of (await snapshot(main)).desktop.notices) await main.invoke("dismissNotice", { id });
  for (const theme of THEMES) {
    await main.invoke("changeSettings", { theme });
    for (const view of pictured) {
      await main.invoke("openMain", { view });
      await prepare[view]?.(page);
      await settle(page);
      await page.screenshot({ path: join(images, `${view}-${theme}.png`), animations: "disabled" });
    }
    await main.invoke("openAnswer", {});
    const answer = await answerPage(desktop);
    await settle(answer);
    await answer.screenshot({ path: join(images, `answer-${theme}.png`), animations: "disabled" });
  }
}

async function answerPage({ app }: Desktop): Promise<Page> {
  const found = (): Page | undefined => app.windows().find((page) => page.url().includes("/answer.html"));
  await expect.poll(() => found() !== undefined, "the answer window").toBe(true);
  return found() as Page;
}

async function resize({ app }: Desktop, page: Page): Promise<void> {
  await (await app.browserWindow(page)).evaluate(
    (window, size) => window.setContentSize(size.width, size.height),
    SIZE,
  );
}

/** Everything is read and drawn: no part says that it is still being read. */
async function settle(page: Page): Promise<void> {
  await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
  await page.evaluate("document.fonts.ready.then(() => undefined)");
}

function homeWithHistory(): { readonly home: DesktopHome; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ai-")));
  const home = { userData: join(folder, "user"), dataDir: join(folder, "data"), runtimeDir: join(folder, "run") };
  mkdirSync(home.userData);
  return { home, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}
