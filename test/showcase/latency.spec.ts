// How long a question takes to the human, and an answer back, in the real app with a real daemon: `npm run bench:desktop`.
// It prints and judges nothing: machines differ. The times are those of one clock, of all processes together.
import type { Page } from "@playwright/test";
import { percentile } from "../../bench/lib/statistics.ts";
import { GUARD_MS } from "../../renderer/features/answer/guard.ts";
import { expect, test } from "../desktop/asking.ts";
import { bridge } from "../desktop/fixture.ts";

const ROUNDS = 60;
/** A card that has just appeared takes no clicks for a moment. */
const AFTER_GUARD_MS = GUARD_MS + 50;
/** Changes that come close together are shown together; a question by itself is what is measured. */
const APART_MS = 500;

test("a question's way to the human, and the answer's way back", async ({ desktop, asking }) => {
  test.setTimeout(300_000);
  const { page, invoke } = await bridge(desktop);
  await invoke("openMain", { view: "inbox" });
  await noteShown(page);
  await desktop.app.evaluate(({ Tray }) => {
    const times: Record<string, number> = {};
    Object.assign(globalThis, { trayTimes: times });
    const { setContextMenu } = Tray.prototype;
    Tray.prototype.setContextMenu = function (menu) {
      const text = JSON.stringify(
        menu?.items.map(({ label, submenu }) => [label, submenu?.items.map((item) => item.label)]),
      );
      for (const [round] of text?.matchAll(/Round \d+/g) ?? []) times[round] ??= Date.now();
      return setContextMenu.call(this, menu);
    };
  });
  const taken = { tray: [] as number[], window: [] as number[], answer: [] as number[] };
  for (let round = 1; round <= ROUNDS; round++) {
    const name = `Round ${round}`;
    await page.waitForTimeout(APART_MS);
    const question = await asking.ask({ question: `${name}: go on?`, options: ["Yes", "No"] });
    const accepted = Date.now();
    const answered = asking.answered(question).then(() => Date.now());
    const shown = await page.waitForFunction((key) => window.shownTimes?.[key], name);
    const inTray = async () => desktop.app.evaluate((_electron, key) => globalThis.trayTimes?.[key] ?? 0, name);
    await expect.poll(inTray).toBeGreaterThan(0);
    taken.window.push(((await shown.jsonValue()) ?? Number.NaN) - accepted);
    taken.tray.push((await inTray()) - accepted);
    await page.waitForTimeout(AFTER_GUARD_MS);
    const clicked = await page.evaluate(() => {
      const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent?.startsWith("Yes"));
      button?.click();
      return Date.now();
    });
    taken.answer.push((await answered) - clicked);
  }
  for (const [what, times] of Object.entries(taken)) {
    const [half, most] = [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => Math.round(ms));
    console.log(`${labels[what as keyof typeof labels]}: median ${half} ms, p95 ${most} ms (${times.length} rounds)`);
  }
});

const labels = {
  tray: "question accepted -> in the tray's menu",
  window: "question accepted -> in the window",
  answer: "click on an answer -> at the agent that waits",
};

declare global {
  var trayTimes: Record<string, number> | undefined;
  interface Window {
    shownTimes?: Record<string, number>;
  }
}

/** Notes in the page when the name of a round is first there to be read. */
async function noteShown(page: Page): Promise<void> {
  await page.evaluate(() => {
    const times: Record<string, number> = {};
    window.shownTimes = times;
    const look = (): void => {
      for (const [round] of (document.body.textContent ?? "").matchAll(/Round \d+/g)) times[round] ??= Date.now();
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}
