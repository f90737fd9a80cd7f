import { VIEWS } from "../../protocol/desktop/names.ts";
import { expect, test, violations } from "./support/pages.ts";

// One spec for a theme and a kind of data, going from view to view: starting the page is what takes the time.
for (const theme of ["light", "dark"] as const) {
  for (const world of ["team", "empty"] as const) {
    test(`no view breaks an accessibility rule in ${theme} with ${world} data`, async ({ page, open }) => {
      test.setTimeout(180_000);
      await open("index", { theme, world });
      for (const view of VIEWS) {
        await test.step(view, async () => {
          await page.evaluate((name) => location.assign(`#/${name}`), view);
          await expect(page.getByRole("navigation").locator("[aria-current=page]")).toHaveAttribute(
            "href",
            `#/${view}`,
          );
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
          expect(await violations(page)).toEqual([]);
        });
      }
    });
  }

  test(`neither a question nor what lies over a view breaks an accessibility rule in ${theme}`, async ({
    page,
    open,
  }) => {
    test.setTimeout(180_000);
    await open("index", { theme });
    for (const id of ["esc_choice", "esc_answered", "esc_expired"]) {
      await page.evaluate((question) => location.assign(`#/inbox/web-shop/${question}`), id);
      await expect(page.getByText("What happened")).toBeVisible();
      expect(await violations(page)).toEqual([]);
    }
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Search or do something" })).toBeFocused();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  test(`the answer window breaks no accessibility rule in ${theme}`, async ({ page, open }) => {
    await page.setViewportSize({ width: 480, height: 560 });
    for (const world of ["team", "empty"] as const) {
      await open("answer", { theme, world });
      await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
      expect(await violations(page)).toEqual([]);
    }
  });
}

test("settings of a browser tab break no accessibility rule", async ({ page, open }) => {
  await open("index", { host: "browser", at: "settings" });
  await expect(page.getByText("This one")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
