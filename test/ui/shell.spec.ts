import { callsOf, expect, inWorld, test } from "./support/pages.ts";

test("every view is reached by its keys, and no letter is taken from who types", async ({ page, open }) => {
  await open("index");
  for (const [key, title] of [
    ["s", "Sessions"],
    ["t", "Tasks"],
    [",", "Settings"],
    ["i", "Inbox"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  }
  const field = page.getByRole("textbox", { name: /note for the agent/i });
  await field.focus();
  await page.keyboard.type("gs?");
  await expect(field).toHaveValue("gs?");
  await expect(page.getByRole("heading", { level: 1, name: "Inbox" })).toBeVisible();
});

test("the palette finds what to do, and the focus returns when it closes", async ({ page, open }) => {
  await open("index", { theme: "light" });
  const opener = page.getByRole("button", { name: /Search or do/ });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Search or do something" })).toBeFocused();
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(opener).toBeFocused();
});

test("a daemon that could not be started is said, with what to do", async ({ page, open }) => {
  await open("index");
  await inWorld(page, (world) => {
    if (!world.desktop) return;
    const problem = { code: "INTERNAL", message: "Port 4100 is taken.", advice: "Stop the other program." } as const;
    const since = new Date().toISOString();
    world.apply([], { ...world.desktop, supervisor: { state: "failed", since, failures: 5, problem } });
  });
  await expect(page.getByText("The daemon could not be started.")).toBeVisible();
  await expect(page.getByText("Stop the other program.")).toBeVisible();
  await page.getByRole("button", { name: "Restart daemon" }).click();
  await expect(page.getByText("The daemon is starting")).toBeVisible();
});

test("settings are changed by keyboard, a shortcut by pressing it", async ({ page, open }) => {
  await open("index", { at: "settings" });
  await page.getByRole("switch", { name: "Sound" }).focus();
  await page.keyboard.press("Space");
  await expect(page.getByRole("switch", { name: "Sound" })).not.toBeChecked();
  await page.getByRole("button", { name: /Change the shortcut/ }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Alt+KeyA");
  await expect
    .poll(() => callsOf(page, "changeSettings"))
    .toEqual([{ notifications: { sound: false } }, { shortcut: "CommandOrControl+Alt+A" }]);
});

test("words of an agent are text, whatever is in them", async ({ page, open }) => {
  await open("index", { at: "inbox/handbook/esc_input" });
  await inWorld(page, (world) => {
    const question = world.questions.get("esc_input");
    const text = "<img src=x onerror=alert(1)> \u202eevil https://evil.example";
    if (question) world.putQuestion({ ...question, question: text }, "escalation.created");
  });
  const detail = page.getByRole("region", { name: "Question" });
  await expect(detail.getByText("U+202E")).toBeVisible();
  await expect(detail.locator("img, a")).toHaveCount(0);
});

test("with reduced motion nothing moves, and forced colours show where one is", async ({ page, open }) => {
  await page.emulateMedia({ reducedMotion: "reduce", forcedColors: "active" });
  await open("index");
  const current = page.locator("[aria-current=page]");
  const style = await current.evaluate((element) => {
    const { outlineStyle } = getComputedStyle(element);
    return { outlineStyle, quick: getComputedStyle(document.documentElement).getPropertyValue("--quick") };
  });
  expect(style).toEqual({ outlineStyle: "solid", quick: "0ms" });
});

test("the answer window has the focus where the answer goes, and Escape hides it", async ({ page, open }) => {
  await page.setViewportSize({ width: 480, height: 560 });
  await open("answer", { at: "inbox/handbook/esc_input" });
  const field = page.getByRole("textbox", { name: "Your answer" });
  await expect(field).toBeFocused();
  await page.keyboard.type("Returns");
  await page.keyboard.press("Escape");
  await expect.poll(() => callsOf(page, "hideWindow")).toHaveLength(1);
  await expect(field).toHaveValue("Returns");
  expect(await callsOf(page, "showing")).toContainEqual({ escalationId: "esc_input" });
});
