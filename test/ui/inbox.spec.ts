import type { Page } from "@playwright/test";
import { GUARD_MS } from "../../renderer/features/answer/guard.ts";
import { callsOf, expect, inWorld, test } from "./support/pages.ts";

/** The guard against stolen clicks must have let go. */
async function settled(page: Page): Promise<void> {
  const form = page.getByRole("region", { name: "Answer", exact: true });
  await expect(form).toBeVisible();
  // Time of the page's own, which is what the guard goes by.
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), GUARD_MS + 50);
}

/** What the page says in passing; for screen readers it says everything a second time. */
const said = (page: Page, words: string | RegExp) =>
  page.getByRole("region", { name: "Notices" }).getByText(words).first();

const answers = (page: Page) => callsOf(page, "resolveEscalation");

test("questions are answered one after the other by keyboard alone", async ({ page, open }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await open("index");
  await expect(page.getByRole("heading", { name: "migrator" })).toBeVisible();
  await settled(page);
  await page.keyboard.press("r");
  await page.keyboard.type("Not before Friday.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: /^builder/ })).toBeVisible();
  await settled(page);
  await page.keyboard.press("2");
  await expect(page.getByRole("heading", { name: /^writer/ })).toBeVisible();
  await settled(page);
  await page.keyboard.press("r");
  await page.keyboard.type("Returns");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { name: "Nobody waits for you" })).toBeVisible();
  expect(await answers(page)).toEqual([
    { escalationId: "esc_permission", answer: "deny", surface: "window", note: "Not before Friday." },
    { escalationId: "esc_choice", answer: "Embedded in the shop", surface: "window" },
    { escalationId: "esc_input", answer: "Returns", surface: "window" },
  ]);
});

test("a key whose answer is out of sight shows it, and the next one decides", async ({ page, open }) => {
  await page.setViewportSize({ width: 1200, height: 420 });
  await open("index", { at: "inbox/web-shop/esc_choice" });
  await settled(page);
  await page.keyboard.press("3");
  await expect(page.getByText("Press the key again to answer.")).toBeVisible();
  expect(await answers(page)).toEqual([]);
  await page.keyboard.press("3");
  await expect.poll(() => answers(page)).toHaveLength(1);
});

test("an answer is taken back while the agent has not read it, with what was written", async ({ page, open }) => {
  await open("index", { at: "inbox/handbook/esc_input" });
  await settled(page);
  await page.keyboard.press("r");
  await page.keyboard.type("Retuns");
  await page.keyboard.press("Control+Enter");
  await expect(said(page, "Answered writer")).toBeVisible();
  await page.keyboard.press("u");
  await expect(said(page, "The answer was taken back. writer has not seen it.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Your answer" })).toHaveValue("Retuns");
});

test("an answer that was read cannot be taken back, and that is said", async ({ page, open }) => {
  await open("index", { at: "inbox/handbook/esc_input" });
  await settled(page);
  await page.keyboard.press("r");
  await page.keyboard.type("Returns");
  await page.keyboard.press("Control+Enter");
  await expect(said(page, "Answered writer")).toBeVisible();
  await inWorld(page, (world) => {
    const question = world.questions.get("esc_input");
    if (question) world.questions.set("esc_input", { ...question, answerReadAt: new Date().toISOString() });
  });
  await page.keyboard.press("u");
  await expect(said(page, "writer has already read the answer")).toBeVisible();
});

test("who loses the race is told by whom, and keeps the words", async ({ page, open }) => {
  await open("index", { at: "inbox/handbook/esc_input" });
  await settled(page);
  await page.keyboard.press("r");
  await page.keyboard.type("Returns");
  await inWorld(page, (world) => {
    const question = world.questions.get("esc_input");
    const at = new Date().toISOString();
    const resolution = { by: "human", surface: "tray", at, late: false } as const;
    // The page has not heard of it yet.
    if (question) world.questions.set("esc_input", { ...question, status: "resolved", resolvedAt: at, resolution });
  });
  await page.keyboard.press("Control+Enter");
  await expect(said(page, /Already answered at .* from the tray menu/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Your answer" })).toHaveValue("Returns");
});

test("neither a click nor a key that comes too early answers", async ({ page, open }) => {
  await open("index", { at: "inbox/web-shop/esc_choice" });
  const option = page.getByRole("button", { name: "Redirect to the bank" });
  await settled(page);
  // The card is replaced under the pointer, and clicked at once.
  await page.evaluate(() => {
    location.assign("#/inbox/web-shop/esc_permission");
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  await expect(option).toHaveCount(0);
  await page.evaluate(() => {
    location.assign("#/inbox/web-shop/esc_choice");
    const press = () => {
      const button = [...document.querySelectorAll("button")].find((one) => one.textContent?.startsWith("Redirect"));
      if (!button) return requestAnimationFrame(press);
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
    };
    press();
  });
  await settled(page);
  expect(await answers(page)).toEqual([]);
  await option.click();
  await expect.poll(() => answers(page)).toHaveLength(1);
});

test("what is typed outlives a lost daemon and a reload", async ({ page, open }) => {
  await open("index", { at: "inbox/handbook/esc_input" });
  await settled(page);
  const field = page.getByRole("textbox", { name: "Your answer" });
  await field.fill("Half a sent");
  await inWorld(page, (world) => {
    world.broken.add("*");
    world.apply([{ kind: "link", link: { state: "lost", since: new Date().toISOString() } }]);
  });
  await expect(page.getByText("Connection lost")).toBeVisible();
  await page.keyboard.press("Control+Enter");
  await expect(said(page, "The answer was not sent. What you wrote is kept")).toBeVisible();
  await expect(field).toHaveValue("Half a sent");
  await page.reload();
  await expect(field).toHaveValue("Half a sent");
});

test("a question that is put off waits in its own place and comes back", async ({ page, open }) => {
  await open("index", { at: "inbox/handbook/esc_input" });
  await settled(page);
  await page.keyboard.press("l");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^Put off until/).first()).toBeVisible();
  expect(await callsOf(page, "deferEscalation")).toHaveLength(1);
  await page.getByRole("tab", { name: /Put off/ }).click();
  await expect(page.getByRole("option")).toHaveCount(2);
  await page.getByRole("option", { name: /chapter about returns/ }).click();
  await page.getByRole("button", { name: "Bring back now" }).click();
  await page.getByRole("tab", { name: /Waiting/ }).click();
  await expect(page.getByRole("option")).toHaveCount(3);
});

test("the history is searched, and an expired question can still be answered", async ({ page, open }) => {
  await open("index");
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByRole("option")).toHaveCount(3);
  await page.getByRole("searchbox", { name: "Search questions and answers" }).fill("card number");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.getByRole("option").click();
  await expect(page.getByText("You can still answer.")).toBeVisible();
  await settled(page);
  await page.getByRole("textbox", { name: "Your answer" }).fill("4242");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(/answer went to the agent as a late one/).first()).toBeVisible();
});

test("a new question is announced, and what is on screen stays", async ({ page, open }) => {
  await open("index", { at: "inbox/web-shop/esc_choice" });
  await expect(page.getByRole("heading", { name: /^builder/ })).toBeVisible();
  await inWorld(page, (world) => {
    const like = world.questions.get("esc_permission");
    if (like) world.putQuestion({ ...like, id: "esc_new", question: "Really?" }, "escalation.created");
  });
  await expect(page.locator("[data-announcer=urgent]")).toHaveText("Urgent question from migrator: Really?");
  await expect(page.getByRole("option")).toHaveCount(4);
  await expect(page.getByRole("heading", { name: /^builder/ })).toBeVisible();
});
