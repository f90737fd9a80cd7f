import { VIEWS } from "../../protocol/desktop/names.ts";
import { expect, test, violations } from "./support/pages.ts";

for (const theme of ["light", "dark"] as const) {
  for (const view of VIEWS) {
    for (const world of ["team", "empty"] as const) {
      test(`${view} breaks no accessibility rule in ${theme} with ${world} data`, async ({ page, open }) => {
        await open("index", { theme, world, at: view });
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.getByRole("status", { name: "Loading" })).toHaveCount(0);
        expect(await violations(page)).toEqual([]);
      });
    }
  }

  for (const at of ["inbox/web-shop/esc_choice", "inbox/web-shop/esc_answered", "inbox/web-shop/esc_expired"]) {
    test(`the question ${at} breaks no accessibility rule in ${theme}`, async ({ page, open }) => {
      await open("index", { theme, at });
      await expect(page.getByText("What happened")).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  }

  test(`what lies over a view breaks no accessibility rule in ${theme}`, async ({ page, open }) => {
    await open("index", { theme });
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });

  for (const world of ["team", "empty"] as const) {
    test(`the answer window breaks no accessibility rule in ${theme} with ${world} data`, async ({ page, open }) => {
      await page.setViewportSize({ width: 480, height: 560 });
      await open("answer", { theme, world });
      await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  }
}

test("settings of a browser tab break no accessibility rule", async ({ page, open }) => {
  await open("index", { host: "browser", at: "settings" });
  await expect(page.getByText("Signed-in browsers")).toBeVisible();
  await expect(page.getByText("This one")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
