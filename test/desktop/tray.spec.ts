import { choose, expect, noticesOf, test, trayOf } from "./asking.ts";
import { bridge } from "./fixture.ts";

test("a question is answered from the tray's menu, and the agent that waits gets it", async ({ desktop, asking }) => {
  const question = await asking.ask({ question: "Which colour & shape?", options: ["red & round", "blue"] });
  const waiting = asking.answered(question);
  await expect.poll(async () => (await trayOf(desktop)).toolTip).toBe("Agent Intercom: 1 question for you");
  const labels = (await trayOf(desktop)).menu?.map(({ label }) => label);
  expect(labels).toContain("Show inbox (1)");
  expect(labels).toContain("Builder (builder): Which colour && shape?");

  await choose(desktop, `${question.id}.option.0`);
  expect(await waiting).toMatchObject({
    status: "resolved",
    answer: "red & round",
    resolution: { by: "human", surface: "tray", late: false },
  });
  await expect.poll(async () => (await trayOf(desktop)).toolTip).toBe("Agent Intercom");
  expect((await trayOf(desktop)).menu?.map(({ label }) => label)).toContain("No questions for you");
  const badges = await desktop.app.evaluate(() => desktopHost.recordings.of("app", "setBadgeCount"));
  expect(badges).toEqual([[1], [0]]);
  expect(await noticesOf(asking, question)).toContain("tray shown");
});

test("a permission is refused from the menu, whose first item never grants it", async ({ desktop, asking }) => {
  const question = await asking.ask({ question: "Delete the branch?", kind: "permission" });
  await expect
    .poll(async () => (await trayOf(desktop)).menu?.some(({ id }) => id === `question.${question.id}`))
    .toBe(true);
  const item = (await trayOf(desktop)).menu?.find(({ id }) => id === `question.${question.id}`);
  expect(item?.submenu?.filter(({ enabled, type }) => enabled && type === "normal").map(({ label }) => label)).toEqual([
    "Answer…",
    "Deny",
    "Allow",
  ]);
  await choose(desktop, `${question.id}.option.0`);
  expect(await asking.answered(question)).toMatchObject({ answer: "deny" });
});

test("a question that is put off leaves the count, and the agent is told until when", async ({ desktop, asking }) => {
  const question = await asking.ask({ question: "Which port?" });
  await choose(desktop, `${question.id}.later.hour`);
  await expect.poll(async () => (await trayOf(desktop)).toolTip).toBe("Agent Intercom");
  const { status, deferredUntil } = await asking.agent.getEscalation({ escalationId: question.id });
  expect([status, typeof deferredUntil]).toEqual(["pending", "string"]);
});

test("the icon changes with what there is to say", async ({ desktop, asking }) => {
  const picture = async (): Promise<string> => (await trayOf(desktop)).image.png;
  const idle = await picture();
  const seen = new Set([idle]);
  // The picture may follow the words a little later.
  const another = async (): Promise<void> => {
    await expect.poll(async () => seen.has(await picture())).toBe(false);
    seen.add(await picture());
  };
  await choose(desktop, "pause.halfHour");
  await expect.poll(async () => (await trayOf(desktop)).toolTip).toBe("Agent Intercom: notifications paused");
  await another();
  const question = await asking.ask({ question: "Which port?" });
  await expect.poll(async () => (await trayOf(desktop)).toolTip).toContain("1 question");
  await another();
  await asking.scope.resolveEscalation({ escalationId: question.id, answer: "8080" });
  await choose(desktop, "pause.resume");
  await expect.poll(picture).toBe(idle);
});

test("the menu leads to every part of the app", async ({ desktop }) => {
  await bridge(desktop);
  await choose(desktop, "settings");
  const isShown = () =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.webContents.getURL() ?? "");
  await expect.poll(isShown).toContain("/index.html");
  await choose(desktop, "logs");
  await expect.poll(() => desktop.app.evaluate(() => desktopHost.recordings.of("shell", "openPath").length)).toBe(1);
});
