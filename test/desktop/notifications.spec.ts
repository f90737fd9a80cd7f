import type { NotificationState } from "../desktop-host/desktop/notification.ts";
import type { Desktop } from "../support/desktop.ts";
import { answerPage, choose, expect, noticesOf, test } from "./asking.ts";

function notifications({ app }: Desktop): Promise<NotificationState[]> {
  return app.evaluate(() => desktopHost.notifications.all());
}

async function shown(desktop: Desktop): Promise<string[]> {
  return (await notifications(desktop)).filter(({ isShown }) => isShown).map(({ body }) => body);
}

test("a question is told of, answered in its notification, and the agent that waits gets it", async ({
  desktop,
  asking,
}) => {
  const question = await asking.ask({ question: "Which port?" });
  await expect.poll(() => shown(desktop)).toEqual(["Which port?"]);
  await desktop.app.evaluate(() => desktopHost.notifications.reply("8080"));
  expect(await asking.answered(question)).toMatchObject({ answer: "8080", resolution: { surface: "notification" } });
  await expect.poll(() => shown(desktop)).toEqual([]);
  await expect
    .poll(() => noticesOf(asking, question))
    .toEqual(expect.arrayContaining(["notification shown", "notification withdrawn"]));
});

test("it is withdrawn when it was answered elsewhere", async ({ desktop, asking }) => {
  const question = await asking.ask({ question: "Which port?" });
  await expect.poll(() => shown(desktop)).toEqual(["Which port?"]);
  await asking.scope.resolveEscalation({ escalationId: question.id, answer: "1", surface: "cli" });
  await expect.poll(() => shown(desktop)).toEqual([]);
});

test("a click opens the question in the answer window", async ({ desktop, asking }) => {
  await answerPage(desktop);
  await asking.ask({ question: "Which port?" });
  await expect.poll(() => shown(desktop)).toEqual(["Which port?"]);
  await desktop.app.evaluate(() => desktopHost.notifications.click());
  const focused = () =>
    desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow()?.webContents.getURL() ?? "");
  await expect.poll(focused).toContain("/answer.html");
});

test("many questions at once are one notification", async ({ desktop, asking }) => {
  const questions = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => asking.ask({ question: `Question ${n}?` })));
  await expect
    .poll(async () => (await notifications(desktop)).filter(({ isShown }) => isShown).map(({ title }) => title))
    .toEqual([expect.stringMatching(/^\d questions from 1 agent$/)]);
  await Promise.all(questions.map(({ id }) => asking.scope.resolveEscalation({ escalationId: id, answer: "yes" })));
  await expect.poll(() => shown(desktop)).toEqual([]);
});

test("a pause keeps quiet but not what is urgent", async ({ desktop, asking }) => {
  await choose(desktop, "pause.halfHour");
  const calm = await asking.ask({ question: "Which port?" });
  await expect.poll(() => noticesOf(asking, calm)).toContain("notification suppressed_paused");
  await asking.ask({ question: "The disk is full?", urgency: "high" });
  await expect.poll(() => shown(desktop)).toEqual(["The disk is full?"]);
});

test("what the system refuses is recorded and said", async ({ desktop, asking }) => {
  await desktop.app.evaluate(() => desktopHost.notifications.failWith("HRESULT: 0x803E0111"));
  const question = await asking.ask({ question: "Which port?" });
  await expect.poll(() => noticesOf(asking, question)).toContain("notification os_denied");
});
