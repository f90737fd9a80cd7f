import { expect, test } from "./support/view-test.ts";

const log = "Messages, oldest first";

test("conversations are listed, and one is read from oldest to newest", async ({ view }) => {
  await view.open("/messages/web-shop");
  const conversations = view.page.getByRole("listbox", { name: "Conversations" }).getByRole("option");
  await expect(conversations).toHaveCount(4);
  await conversations.filter({ hasText: "builder and reviewer" }).click();
  const messages = view.page.getByRole("log", { name: log }).getByRole("article");
  await expect(messages).toHaveCount(2);
  await expect(messages.first()).toContainText("The new payment form is on branch checkout-2");
  await expect(messages.first()).toContainText("Answered");
  await expect(messages.last()).toContainText("Response");
});

test("a message says how far it has come, and one set aside gets another chance", async ({ view }) => {
  await view.open("/messages/web-shop/msg_5");
  await expect(view.page.getByText(/Waits: tester has not been reachable since/)).toBeVisible();
  await view.open("/messages/web-shop/msg_6");
  await expect(view.page.getByText(/Set aside by tester/)).toBeVisible();
  await expect(view.page.getByText("The refund tests are not mine.")).toBeVisible();
  await view.page.getByRole("button", { name: "Give this message another chance" }).click();
  await expect(view.page.getByText(/Waits: tester has not been reachable since/)).toBeVisible();
});

test("the human writes with the keyboard alone; the words outlive a look elsewhere and a failure", async ({ view }) => {
  await view.open("/messages/web-shop/msg_4");
  const area = view.page.getByRole("textbox", { name: "Write to builder" });
  await area.fill("How is it going?");
  await view.page.getByRole("link", { name: "Tasks" }).click();
  await view.page.getByRole("link", { name: "Messages" }).click();
  await expect(area).toHaveValue("How is it going?");

  await view.world((world) => world.broken.add("sendHumanMessage"));
  await area.press("Control+Enter");
  await expect(view.page.getByText("The message was not sent.").first()).toBeVisible();
  await expect(area).toHaveValue("How is it going?");

  await view.world((world) => world.broken.clear());
  await area.press("Control+Enter");
  await expect(area).toHaveValue("");
  await expect(view.page.getByRole("log").getByRole("article").last()).toContainText("How is it going?");
});

test("what was on screen counts as read, in one call", async ({ view }) => {
  await view.open("/messages/web-shop/msg_4");
  await expect(view.page.getByText(/^Read ·/)).toBeVisible();
  expect((await view.calls()).filter((name) => name === "acknowledgeHumanMessages")).toHaveLength(1);
});

test("a search finds messages and says how far it has looked", async ({ view }) => {
  await view.open("/messages/web-shop");
  await view.page.getByRole("searchbox", { name: "Search messages" }).fill("REFUND");
  await expect(view.page.getByText("1 message found in all messages")).toBeVisible();
  await view.page.getByRole("option").click();
  await expect(view.page.getByRole("log").getByText("And the refund tests as well.")).toBeVisible();
  await view.page.getByRole("searchbox", { name: "Search messages" }).fill("no such words");
  await expect(view.page.getByText("No message holds “no such words”.")).toBeVisible();
});

test("older pages come while one scrolls back, and the place is kept", async ({ view }) => {
  await view.open("/messages/factory", { world: "large" });
  await view.world((world) => {
    for (let n = 0; n < 300; n += 1) {
      const [sample] = world.messages;
      if (sample) {
        const createdAt = new Date(Date.now() - (300 - n) * 1000).toISOString();
        world.messages.push({
          ...sample,
          id: `long_${n}`,
          from: "ada",
          to: "bob",
          fromKind: "agent",
          body: `Line ${n}`,
          createdAt,
        });
      }
    }
    world.tell("factory", "message.accepted", "long_299", { from: "ada", to: "bob" });
  });
  await view.page.getByRole("option", { name: /ada and bob/ }).click();
  const thread = view.page.getByRole("log");
  await expect(thread.getByText("Line 299")).toBeVisible();
  await thread.focus();
  for (let page = 0; page < 12; page += 1) await view.page.keyboard.press("PageUp");
  await expect(thread.getByText("Line 299")).toBeHidden();
  const reads = (await view.calls()).filter((name) => name === "listMessages");
  expect(reads.length).toBeGreaterThan(1);
  expect(reads.length).toBeLessThan(12);
  expect(await thread.getByRole("article").count()).toBeLessThan(40);
  await view.page.getByRole("button", { name: "To the newest" }).click();
  await expect(thread.getByText("Line 299")).toBeVisible();
});

test("hostile words are text and nothing else", async ({ view }) => {
  await view.open("/messages/web-shop");
  await view.world((world) => {
    const [sample] = world.messages;
    const body = '<img src=x onerror="document.title=1"> [link](javascript:1) \u202egnihton\u200b';
    if (sample) world.messages.push({ ...sample, id: "msg_evil", body, createdAt: new Date().toISOString() });
    world.tell("web-shop", "message.accepted", "msg_evil", { from: "builder", to: "reviewer" });
  });
  await view.page.getByRole("option", { name: /builder and reviewer/ }).click();
  const message = view.page.getByRole("article").last();
  await expect(message).toContainText("<img src=x");
  await expect(message).toContainText("U+202E");
  await expect(message.locator("img, a")).toHaveCount(0);
});

for (const theme of ["light", "dark"] as const) {
  test(`it is accessible in the ${theme} theme`, async ({ view }) => {
    await view.open("/messages/web-shop/msg_4", { theme });
    await expect(view.page.getByRole("log").getByRole("article")).toHaveCount(2);
    await view.expectAccessible();
  });
}
