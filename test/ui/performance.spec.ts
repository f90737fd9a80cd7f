// With more than anyone has: 300 agents, 200 questions, 10,000 messages, 2,000 tasks. Times are printed and not judged: what
// is judged are requests, rows in the page and renders, which are the same on every machine.
import { expect, test, type View } from "./support/view-test.ts";

/** Rows that may be in the page at a time. */
const MOST_ELEMENTS = 3000;

const routes = {
  sessions: "Sessions",
  messages: "Messages",
  tasks: "Tasks",
  activity: "Activity",
} as const;

/** From the click until the view has drawn what it shows, ms. The text runs in the page. */
async function switchTo(view: View, title: string): Promise<number> {
  return await view.page.evaluate(`(async () => {
    const name = ${JSON.stringify(title)};
    const frame = () => new Promise(requestAnimationFrame);
    const begin = performance.now();
    document.querySelector(\`nav a[title="\${name}"]\`).click();
    while (document.querySelector("h1")?.textContent !== name) await frame();
    await frame();
    return performance.now() - begin;
  })()`);
}

/** Counts from now on how often the page changes: each commit of React that changes something is one delivery of records. */
const COUNT_CHANGES = `
  window.changes = 0;
  new MutationObserver(() => { window.changes += 1; })
    .observe(document.getElementById("root"), { subtree: true, childList: true, attributes: true, characterData: true });
`;

test("views switch without reading what they have", async ({ view }) => {
  await view.open("/sessions", { world: "large" });
  // The first visit loads code and data.
  for (const title of Object.values(routes)) await switchTo(view, title);
  await expect(
    view.page.getByRole("list", { name: "Events, newest first" }).getByRole("listitem").first(),
  ).toBeVisible();
  await view.calls();
  for (const title of Object.values(routes)) {
    const milliseconds = await switchTo(view, title);
    const elements = await view.page.locator("*").count();
    console.log(`${title}: ${milliseconds.toFixed(0)} ms, ${elements} elements`);
    expect(elements).toBeLessThan(MOST_ELEMENTS);
  }
  expect(await view.calls()).toEqual([]);
});

test("a first visit asks for pages and never for rows", async ({ view }) => {
  await view.open("/sessions", { world: "large" });
  await view.calls();
  await switchTo(view, "Tasks");
  await expect(view.page.getByRole("option").first()).toBeVisible();
  const calls = await view.calls();
  expect(calls.every((name) => name === "listTasksPage")).toBe(true);
  expect(calls.length).toBeLessThanOrEqual(8);
  await switchTo(view, "Messages");
  await expect(view.page.getByRole("option").first()).toBeVisible();
  expect(new Set(await view.calls())).toEqual(new Set(["listConversations"]));
});

test("a storm of events is few requests and few renders, and typing goes on", async ({ view }) => {
  await view.open("/tasks/factory", { world: "large" });
  await expect(view.page.getByRole("option").first()).toBeVisible();
  await view.calls();
  await view.page.evaluate(COUNT_CHANGES);
  const seconds = 3;
  await view.world(async (world, forMs) => {
    const until = performance.now() + forMs;
    const storm = setInterval(() => {
      for (let n = 0; n < 20; n += 1) {
        const id = `tsk_${String(Math.floor(Math.random() * 2000)).padStart(5, "0")}`;
        world.tell("factory", "task.progress_added", id, { agentId: "agent-001", kind: "note", sequence: "1" });
      }
      if (performance.now() > until) clearInterval(storm);
    }, 20);
  }, seconds * 1000);
  const field = view.page.getByRole("searchbox", { name: "Filter tasks" });
  await field.pressSequentially("module 12 to", { delay: 30 });
  await expect(field).toHaveValue("module 12 to");
  await view.page.waitForFunction((ms) => performance.now() > ms, 1000 * (seconds + 2));
  const calls = await view.calls();
  const changes = await view.page.evaluate<number>("window.changes");
  console.log(`${calls.length} calls, ${changes} changes of the page in ${seconds} s of 1,000 events a second`);
  // Rounds of at most four pages, one each quarter of a second at the most.
  expect(calls.every((name) => name === "listTasksPage" || name === "getTask")).toBe(true);
  expect(calls.length).toBeLessThanOrEqual(seconds * 4 * 8);
});

test("what is held stays below 150 MB", async ({ view }) => {
  await view.open("/sessions", { world: "large" });
  for (const title of Object.values(routes)) await switchTo(view, title);
  const session = await view.page.context().newCDPSession(view.page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  console.log(
    `heap: ${(usedSize / 1e6).toFixed(0)} MB, the fake daemon of ${10_000} messages in the same page included`,
  );
  expect(usedSize).toBeLessThan(150e6);
});
