import { expect, test } from "./support/view-test.ts";

const list = "Events, newest first";

test("what happens comes in at the top, as a sentence with links", async ({ view }) => {
  await view.open("/activity/web-shop");
  await view.world((world) => world.tell("web-shop", "task.claimed", "tsk_tests", { claimedBy: "reviewer" }));
  const newest = view.page.getByRole("list", { name: list }).getByRole("listitem").first();
  await expect(newest).toContainText("reviewer claimed “End-to-end tests of the checkout”");
  await newest.getByRole("link", { name: /End-to-end/ }).click();
  await expect(view.page.getByRole("complementary", { name: "Task" })).toBeVisible();
});

test("whoever reads is not pushed about: new ones wait and are counted", async ({ view }) => {
  await view.open("/activity/factory", { world: "large" });
  const scroll = view.page.getByRole("list", { name: list }).locator("..");
  await scroll.evaluate((element) => element.scrollTo(0, 2000));
  const before = await scroll.evaluate((element) => element.scrollTop);
  await view.world((world) => {
    for (let n = 0; n < 12; n += 1) world.tell("factory", "task.updated", `tsk_0000${n % 9}`, { status: "open" });
  });
  const button = view.page.getByRole("button", { name: "12 new events" });
  await expect(button).toBeVisible();
  expect(await scroll.evaluate((element) => element.scrollTop)).toBe(before);
  await button.click();
  await expect(view.page.getByRole("list", { name: list }).getByRole("listitem").first()).toContainText("was changed");
  await expect(button).toBeHidden();
});

test("filters narrow the stream, and can be taken away", async ({ view }) => {
  await view.open("/activity/web-shop");
  await view.page.getByRole("combobox", { name: "About" }).click();
  await view.page.getByRole("option", { name: "Questions" }).click();
  await expect(view.page.getByRole("list", { name: list }).getByRole("listitem")).toHaveCount(5);
  await view.page.getByRole("combobox", { name: "Agent" }).click();
  await view.page.getByRole("option", { name: "builder" }).click();
  await expect(view.page.getByRole("list", { name: list }).getByRole("listitem")).toHaveCount(2);
  await view.page.getByRole("combobox", { name: "About" }).click();
  await view.page.getByRole("option", { name: "Credentials" }).click();
  await expect(view.page.getByRole("heading", { name: "No event matches" })).toBeVisible();
  await view.page.getByRole("button", { name: "Show everything again" }).click();
  await expect(view.page.getByRole("list", { name: list }).getByRole("listitem")).not.toHaveCount(0);
});

test("details are there on demand, by keyboard", async ({ view }) => {
  await view.open("/activity/web-shop");
  const first = view.page.getByRole("button", { name: /^Details of/ }).first();
  await first.focus();
  await view.page.keyboard.press("ArrowDown");
  const second = view.page.getByRole("button", { name: /^Details of/ }).nth(1);
  await expect(second).toBeFocused();
  await view.page.keyboard.press("Enter");
  await expect(second).toHaveAttribute("aria-expanded", "true");
  await expect(view.page.getByText("escalation.created")).toBeVisible();
  await view.page.getByRole("button", { name: "Only events about this" }).click();
  await expect(view.page.getByRole("list", { name: list }).getByRole("listitem")).toHaveCount(1);
});

test("older events are read while one scrolls", async ({ view }) => {
  await view.open("/activity/factory", { world: "large" });
  await expect(view.page.getByRole("list", { name: list }).getByRole("listitem").first()).toBeVisible();
  await view.calls();
  const scroll = view.page.getByRole("list", { name: list }).locator("..");
  await scroll.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect.poll(() => view.calls()).toContain("listEventsPage");
  expect(await view.page.getByRole("list", { name: list }).getByRole("listitem").count()).toBeLessThan(60);
});

for (const theme of ["light", "dark"] as const) {
  test(`it is accessible in the ${theme} theme`, async ({ view }) => {
    await view.open("/activity/web-shop", { theme });
    await view.page
      .getByRole("button", { name: /^Details of/ })
      .first()
      .click();
    await view.expectAccessible();
  });
}
