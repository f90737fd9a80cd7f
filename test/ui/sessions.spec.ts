import { expect, test } from "./support/view-test.ts";

test("agents stand in groups, those who need the human first", async ({ view }) => {
  await view.open("/sessions");
  const rows = view.page.getByRole("listbox", { name: "Agents" }).getByRole("option");
  await expect(rows).toHaveCount(5);
  await expect(rows.first()).toContainText("Needs you 4");
  await expect(rows.first()).toContainText("builder");
  await expect(rows.last()).toContainText("Offline 1");
  await expect(rows.last()).toContainText("tester");
});

test("a filter narrows the list, and says what it looks at when nothing is left", async ({ view }) => {
  await view.open("/sessions");
  const filter = view.page.getByRole("searchbox", { name: "Filter agents" });
  await filter.fill("opencode");
  await expect(view.page.getByRole("option")).toHaveCount(1);
  await filter.fill("nobody is called so");
  await expect(view.page.getByRole("heading", { name: "No agent matches" })).toBeVisible();
  await view.page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(view.page.getByRole("option")).toHaveCount(5);
});

test("the keyboard reaches an agent and what it is about", async ({ view }) => {
  await view.open("/sessions");
  await view.page.keyboard.press("j");
  await expect(view.page.getByRole("heading", { level: 2 })).toContainText("builder");
  await expect(view.page.getByText("Nobody has checked these.")).toBeVisible();
  await expect(view.page.getByText("claude-code 2.1.0")).toBeVisible();
  await expect(view.page.getByRole("link", { name: "Payment form" })).toBeVisible();
  await view.page.keyboard.press("j");
  await expect(view.page.getByRole("heading", { level: 2 })).not.toContainText("builder");
});

test("who asks for a link is seen, and answered", async ({ view }) => {
  await view.open("/sessions/web-shop/builder");
  await view.world((world) => {
    world.linkRequests.push({
      id: "lreq_1",
      scopeId: "web-shop",
      from: "migrator",
      to: "builder",
      reason: "I need your schema",
      status: "pending",
      createdAt: new Date().toISOString(),
    });
    world.tell("web-shop", "link.requested", "lreq_1", { from: "migrator", to: "builder", status: "pending" });
  });
  await expect(view.page.getByText("I need your schema")).toBeVisible();
  await view.page.getByRole("button", { name: "Accept" }).click();
  await expect(view.page.getByText("Accepted: migrator and builder can write to each other")).toBeVisible();
  await expect(view.page.getByRole("button", { name: "Accept" })).toBeHidden();
});

test("an agent is taken off the list only after it was said what stays", async ({ view }) => {
  await view.open("/sessions/web-shop/tester");
  await view.page.getByRole("button", { name: "More about tester" }).click();
  await view.page.getByRole("menuitem", { name: "Take off the list" }).click();
  const dialog = view.page.getByRole("dialog");
  await expect(dialog).toContainText("history stay");
  await view.page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(await view.calls()).not.toContain("removeAgent");

  await view.page.getByRole("button", { name: "More about tester" }).click();
  await view.page.getByRole("menuitem", { name: "Take off the list" }).click();
  await dialog.getByRole("button", { name: "Take off the list" }).click();
  await expect(view.page.getByText("tester is off the list")).toBeVisible();
  await expect(view.page.getByRole("option", { name: /tester/ })).toBeHidden();
});

test("from an agent one comes to writing to it", async ({ view }) => {
  await view.open("/sessions/web-shop/reviewer");
  await view.page.getByRole("button", { name: "Write to it" }).click();
  await expect(view.page.getByRole("textbox", { name: "Write to reviewer" })).toBeVisible();
});

test("without agents the view says how they come", async ({ view }) => {
  await view.open("/sessions", { world: "empty" });
  await expect(view.page.getByText("agent-intercom demo --keep")).toBeVisible();
  await view.page.getByRole("button", { name: "Connect an agent" }).click();
  await expect(view.page.getByRole("heading", { name: "Connect", level: 1 })).toBeVisible();
});

for (const theme of ["light", "dark"] as const) {
  test(`it is accessible in the ${theme} theme`, async ({ view }) => {
    await view.open("/sessions/web-shop/builder", { theme });
    await expect(view.page.getByRole("heading", { name: "What happened" })).toBeVisible();
    await view.expectAccessible();
  });
}
