import { expect, test } from "./support/view-test.ts";

test("in the desktop a program is added with a button, which says what it did and what is next", async ({ view }) => {
  await view.open("/connect");
  const codex = view.page.getByRole("listitem").filter({ has: view.page.getByRole("heading", { name: "Codex" }) });
  await expect(codex).toContainText("Not connected");
  await codex.getByRole("button", { name: "Add to Codex" }).click();
  await expect(codex).toContainText("Connected");
  await expect(codex.getByRole("status").first()).toContainText("Added agent-intercom to its configuration.");
  await expect(codex).toContainText("Restart the program.");
  await codex.getByRole("button", { name: "Undo in Codex" }).click();
  await expect(codex).toContainText("Removed agent-intercom from its configuration.");
  await expect(codex.getByRole("button", { name: "Add to Codex" })).toBeVisible();
});

test("the entry can be copied instead", async ({ view }) => {
  await view.open("/connect");
  const claude = view.page
    .getByRole("listitem")
    .filter({ has: view.page.getByRole("heading", { name: "Claude Code" }) });
  await claude.getByText("Entry to paste by hand").click();
  await claude.getByRole("button", { name: /^Copy/ }).click();
  await expect(claude.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await view.calls()).toContain("copyText");
});

test("when programs cannot be looked for, that is said and can be tried again", async ({ view }) => {
  await view.open("/inbox");
  await view.world((world) => world.broken.add("listClients"));
  await view.page.getByRole("link", { name: "Connect" }).click();
  await expect(view.page.getByText("The programs could not be looked for")).toBeVisible();
  await view.world((world) => world.broken.clear());
  await view.page.getByRole("button", { name: "Try again" }).click();
  await expect(view.page.getByRole("heading", { name: "Codex" })).toBeVisible();
});

test("in a browser tab there are commands, and the reason for them", async ({ view }) => {
  await view.open("/connect", { host: "browser" });
  await expect(view.page.getByText(/may not change files of your computer/)).toBeVisible();
  await expect(view.page.getByText("agent-intercom connect claude-code")).toBeVisible();
  await expect(view.page.getByText("agent-intercom mcp", { exact: true })).toBeVisible();
});

for (const theme of ["light", "dark"] as const) {
  test(`it is accessible in the ${theme} theme`, async ({ view }) => {
    await view.open("/connect", { theme });
    await expect(view.page.getByRole("heading", { name: "Codex" })).toBeVisible();
    await view.page.getByText("Entry to paste by hand").first().click();
    await view.expectAccessible();
    await view.open("/connect", { theme, host: "browser" });
    await view.expectAccessible();
  });
}
