import { expect, test } from "./support/view-test.ts";

test("tasks stand in the column of their state", async ({ view }) => {
  await view.open("/tasks/web-shop");
  const column = (name: string) => view.page.getByRole("listbox", { name }).getByRole("option");
  await expect(column("Blocked")).toHaveCount(2);
  await expect(column("Blocked").first()).toContainText("Release 2.0");
  await expect(column("Claimed")).toContainText(["Payment form", "Drop legacy_orders"]);
  await expect(column("Done")).toContainText(["Payment interface"]);
  await expect(column("Cancelled")).toContainText(["Support for cheques"]);
});

test("the keyboard moves over the board and opens a task, and Escape closes it", async ({ view }) => {
  await view.open("/tasks/web-shop");
  await view.page.getByRole("listbox", { name: "Blocked" }).focus();
  await view.page.keyboard.press("ArrowRight");
  await expect(view.page.getByRole("listbox", { name: "Claimed" })).toBeFocused();
  await view.page.keyboard.press("ArrowDown");
  await view.page.keyboard.press("Enter");
  const detail = view.page.getByRole("complementary", { name: "Task" });
  await expect(detail.getByRole("heading", { level: 2 })).toHaveText("Payment form");
  await detail.getByRole("button", { name: "Edit" }).focus();
  await view.page.keyboard.press("Escape");
  await expect(detail).toBeHidden();
});

test("a task is added, and one that waits for it is not ready", async ({ view }) => {
  await view.open("/tasks/web-shop");
  await view.page.getByRole("button", { name: "New task" }).click();
  const dialog = view.page.getByRole("dialog", { name: "New task" });
  await dialog.getByRole("button", { name: "Add task" }).click();
  await expect(dialog.getByText("A task needs a title.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Title" }).fill("Announce the release");
  await dialog.getByRole("searchbox", { name: "Find a task to wait for" }).fill("release 2");
  await view.page.keyboard.press("Enter");
  await expect(dialog.getByText("Release 2.0")).toBeVisible();
  await dialog.getByRole("button", { name: "Add task" }).click();
  await expect(dialog).toBeHidden();
  await expect(view.page.getByRole("listbox", { name: "Blocked" })).toContainText("Announce the release");
});

test("what was typed into the form outlives closing it", async ({ view }) => {
  await view.open("/tasks/web-shop");
  await view.page.getByRole("button", { name: "New task" }).click();
  await view.page.getByRole("textbox", { name: "Title" }).fill("Half a thought");
  await view.page.keyboard.press("Escape");
  await view.page.getByRole("button", { name: "New task" }).click();
  await expect(view.page.getByRole("textbox", { name: "Title" })).toHaveValue("Half a thought");
});

test("an edit that comes too late is explained", async ({ view }) => {
  await view.open("/tasks/web-shop/tsk_form");
  await view.page.getByRole("button", { name: "Edit" }).click();
  await view.world((world) => {
    const task = world.tasks.get("tsk_form");
    if (task) world.tasks.set(task.id, { ...task, status: "done" });
  });
  await view.page.getByRole("textbox", { name: "Title" }).fill("Payment form, second try");
  await view.page.getByRole("button", { name: "Save" }).click();
  await expect(view.page.getByText(/finished, cancelled or changed meanwhile/)).toBeVisible();
  await expect(view.page.getByRole("textbox", { name: "Title" })).toHaveValue("Payment form, second try");
});

test("a task is cancelled with a reason, after it was said what that does", async ({ view }) => {
  await view.open("/tasks/web-shop/tsk_drop");
  await view.page.getByRole("button", { name: "More for this task" }).click();
  await view.page.getByRole("menuitem", { name: "Cancel task" }).click();
  const dialog = view.page.getByRole("dialog");
  await expect(dialog).toContainText("cannot be taken back");
  await dialog.getByRole("textbox").fill("Not this year");
  await dialog.getByRole("button", { name: "Cancel the task" }).click();
  await expect(view.page.getByRole("complementary", { name: "Task" })).toContainText("Not this year");
  await view.page.getByRole("button", { name: "Close the task" }).click();
  await view.page.getByRole("listbox", { name: "Blocked" }).getByText("Release 2.0").click();
  await expect(view.page.getByText("A task it depends on was cancelled.")).toBeVisible();
});

test("the graph is walked with the arrow keys, focused and read as a list", async ({ view }) => {
  await view.open("/tasks/web-shop");
  await view.page.getByRole("button", { name: "Graph" }).click();
  const graph = view.page.getByRole("listbox", { name: /Tasks and what they wait for/ });
  await graph.getByRole("option", { name: /^Payment form/ }).focus();
  await view.page.keyboard.press("ArrowRight");
  await expect(graph.getByRole("option", { name: /^End-to-end tests/ })).toBeFocused();
  await view.page.keyboard.press("f");
  await expect(view.page.getByText(/^What End-to-end tests of the checkout waits for/)).toBeVisible();
  await expect(graph.getByRole("option")).toHaveCount(5);
  await view.page.keyboard.press("Enter");
  await expect(view.page.getByRole("complementary", { name: "Task" }).getByRole("heading", { level: 2 })).toHaveText(
    "End-to-end tests of the checkout",
  );
  await view.page.getByText("As a list").click();
  await expect(view.page.getByText("first: Payment form, Payment interface")).toBeVisible();
});

test("a task of 2,000 is found by typing", async ({ view }) => {
  await view.open("/tasks/factory", { world: "large" });
  await view.page.getByRole("searchbox", { name: "Filter tasks" }).fill("Task 1999:");
  await expect(view.page.getByRole("option")).toHaveCount(1);
});

for (const theme of ["light", "dark"] as const) {
  test(`board and task are accessible in the ${theme} theme`, async ({ view }) => {
    await view.open("/tasks/web-shop/tsk_form", { theme });
    await expect(
      view.page.getByRole("complementary", { name: "Task" }).getByRole("heading", { level: 2 }),
    ).toBeVisible();
    await view.expectAccessible();
  });

  test(`graph and form are accessible in the ${theme} theme`, async ({ view }) => {
    await view.open("/tasks/web-shop", { theme });
    await view.page.getByRole("button", { name: "Graph" }).click();
    await expect(view.page.getByRole("listbox", { name: /Tasks and what/ })).toBeVisible();
    await view.expectAccessible();
    await view.page.getByRole("button", { name: "New task" }).click();
    await expect(view.page.getByRole("dialog")).toBeVisible();
    await view.expectAccessible();
  });
}
