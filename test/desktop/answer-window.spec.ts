import type { Desktop } from "../support/desktop.ts";
import { answerPage, choose, expect, test } from "./asking.ts";

interface Facts {
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  readonly isAlwaysOnTop: boolean;
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

function answerWindows({ app }: Desktop): Promise<Facts[]> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((each) => each.webContents.getURL().includes("/answer.html"))
      .map((each) => ({
        isVisible: each.isVisible(),
        isFocused: each.isFocused(),
        isAlwaysOnTop: each.isAlwaysOnTop(),
        bounds: each.getBounds(),
      })),
  );
}

async function answerWindow(desktop: Desktop): Promise<Facts | undefined> {
  return (await answerWindows(desktop))[0];
}

test("it is there before anybody asks, and opens near the icon, above all others", async ({ desktop, asking }) => {
  await answerPage(desktop);
  expect(await answerWindows(desktop)).toMatchObject([{ isVisible: false }]);
  const question = await asking.ask({ question: "Which port?" });
  await choose(desktop, `${question.id}.write`);
  await expect
    .poll(() => answerWindow(desktop))
    .toMatchObject({ isVisible: true, isFocused: true, isAlwaysOnTop: true });
  const { bounds } = (await answerWindow(desktop)) as Facts;
  // The stand-in's icon is in the upper right corner of its one display, 1280 by 800.
  expect(bounds.x + bounds.width).toBeLessThanOrEqual(1280);
  expect(bounds.x).toBeGreaterThan(640);
  expect(bounds.y).toBeLessThan(100);
});

test("its page hides it, and it is not on top of anything then", async ({ desktop }) => {
  const page = await answerPage(desktop);
  await desktop.app.evaluate(() => desktopHost.tray.click());
  await page.waitForFunction("'intercom' in globalThis");
  await desktop.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((each) => each.webContents.getURL().includes("/answer.html"))
      ?.show();
  });
  await page.evaluate("globalThis.intercom.invoke('hideWindow', {})");
  expect(await answerWindow(desktop)).toMatchObject({ isVisible: false, isAlwaysOnTop: false });
});

test("a page that crashes is replaced, and shown again if it was", async ({ desktop, asking }) => {
  const page = await answerPage(desktop);
  const question = await asking.ask({ question: "Which port?" });
  await choose(desktop, `${question.id}.write`);
  await expect.poll(() => answerWindow(desktop)).toMatchObject({ isVisible: true });
  const crashed = page.waitForEvent("crash");
  await desktop.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((each) => each.webContents.getURL().includes("/answer.html"));
    window?.webContents.forcefullyCrashRenderer();
  });
  await crashed;
  await expect.poll(() => answerWindows(desktop)).toMatchObject([{ isVisible: true }]);
});
