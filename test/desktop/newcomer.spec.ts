// The first minutes with the product: the app, two demo agents beside it, and their question answered from the tray.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { MAIN } from "../support/cli.ts";
import { choose, expect, test, trayOf } from "./asking.ts";
import { bridge, snapshot, supervised } from "./fixture.ts";

test("two demo agents are seen, read, and answered from the tray's menu", async ({ desktop }) => {
  const main = await bridge(desktop);
  await supervised(main, ({ state }) => state === "ready");
  const { page } = main;
  await expect(page.getByText("agent-intercom demo --keep")).toBeVisible();

  const { home } = desktop;
  const env = {
    PATH: process.env.PATH,
    AGENT_INTERCOM_DATA_DIR: home.dataDir,
    AGENT_INTERCOM_RUNTIME_DIR: home.runtimeDir,
  };
  const demo = spawn(process.execPath, [MAIN, "demo", "--keep"], { env, stdio: ["ignore", "pipe", "ignore"] });
  let said = "";
  demo.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(demo, "exit");
  try {
    await expect(page.getByText("Ship anyway?").first()).toBeVisible();
    await main.invoke("openMain", { view: "messages" });
    await page.getByText("planner and reviewer").first().click();
    await expect(page.getByText("Can you review it before we ship?").first()).toBeVisible();

    const [id = ""] = Object.keys((await snapshot(main)).live.questions);
    expect((await trayOf(desktop)).toolTip).toBe("Agent Intercom: 1 question for you");
    await choose(desktop, `${id}.option.1`);
    await expect.poll(() => said).toContain('"Fix it first", recorded with you as who gave it, and tray as where');
    await expect.poll(async () => (await trayOf(desktop)).toolTip).toBe("Agent Intercom");
  } finally {
    demo.kill("SIGINT");
  }
  expect(await ended).toEqual([0, null]);
});
