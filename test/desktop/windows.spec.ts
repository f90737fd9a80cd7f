import type { Desktop } from "../support/desktop.ts";
import { isStandIn } from "../support/desktop.ts";
import { choose, expect, test } from "./asking.ts";
import { bridge } from "./fixture.ts";

type Standing = "hidden" | "visible" | "minimized" | "gone";

/** How the main window stands. */
async function standing({ app }: Desktop): Promise<Standing> {
  return app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((each) => each.webContents.getURL().includes("/index.html"));
    if (!window) return "gone";
    if (window.isMinimized()) return "minimized";
    return window.isVisible() ? "visible" : "hidden";
  });
}

/** Closes the main window as the human would, once it is there to be closed. */
async function close(desktop: Desktop): Promise<void> {
  await expect.poll(() => standing(desktop)).toBe("visible");
  await desktop.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()
      .find((each) => each.webContents.getURL().includes("/index.html"))
      ?.close();
  });
}

test("closing the window hides it where the bar has an icon, and the menu brings it back", async ({ desktop }) => {
  const { page } = await bridge(desktop);
  await page.evaluate("globalThis.mark = 1");
  await expect
    .poll(() => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null))
    .toBe(true);
  await close(desktop);
  await expect.poll(() => standing(desktop)).toBe("hidden");
  await choose(desktop, "inbox");
  await expect
    .poll(() => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null))
    .toBe(true);
  expect(await page.evaluate("globalThis.mark")).toBe(1);
});

test.describe("without a bar for icons", () => {
  test.skip(!isStandIn, "needs a desktop that shows none");
  const env = { DBUS_SESSION_BUS_ADDRESS: "", XDG_RUNTIME_DIR: "" };

  test("closing asks, and what changes least is the answer to Escape", async ({ launchDesktop }) => {
    const desktop = await launchDesktop({ env });
    const page = await bridge(desktop);
    const tray = async () => {
      const answer = await page.invoke("attach", {});
      return answer.ok ? answer.result.desktop.tray : undefined;
    };
    await expect.poll(tray).toBe("absent");
    await desktop.app.evaluate(() => desktopHost.dialogs.answer("showMessageBox", { response: 2 }));
    await close(desktop);
    const asked = () => desktop.app.evaluate(() => desktopHost.recordings.of("dialog", "showMessageBox").length);
    await expect.poll(asked).toBe(1);
    expect(await standing(desktop)).toBe("visible");
    await desktop.app.evaluate(() => desktopHost.dialogs.answer("showMessageBox", { response: 0 }));
    await close(desktop);
    await expect.poll(() => standing(desktop)).toBe("minimized");
    const [[, options] = []] = await desktop.app.evaluate(() => desktopHost.recordings.of("dialog", "showMessageBox"));
    expect(options).toMatchObject({
      buttons: ["Minimise the window", "Quit", "Cancel"],
      defaultId: 0,
      cancelId: 2,
    });
  });

  test("it can be quit from the dialog", async ({ launchDesktop }) => {
    const desktop = await launchDesktop({ env });
    const page = await bridge(desktop);
    await expect
      .poll(async () => {
        const answer = await page.invoke("attach", {});
        return answer.ok && answer.result.desktop.tray;
      })
      .toBe("absent");
    const ended = desktop.app.waitForEvent("close");
    await desktop.app.evaluate(() => desktopHost.dialogs.answer("showMessageBox", { response: 1 }));
    await close(desktop).catch(() => undefined);
    await ended;
  });
});

test("the window comes back where it was", async ({ launchDesktop }) => {
  test.skip(!isStandIn, "moves a window that no window manager holds");
  const first = await launchDesktop();
  await bridge(first);
  const bounds = { x: 100, y: 90, width: 900, height: 600 };
  await first.app.evaluate(({ BrowserWindow }, wanted) => {
    const window = BrowserWindow.getAllWindows().find((each) => each.webContents.getURL().includes("/index.html"));
    window?.setBounds(wanted);
  }, bounds);
  const ended = first.app.waitForEvent("close");
  await first.app.evaluate(({ app }) => app.quit()).catch(() => undefined);
  await ended;
  const second = await launchDesktop({ home: first.home });
  await bridge(second);
  const restored = await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((each) => each.webContents.getURL().includes("/index.html"))
      ?.getBounds(),
  );
  expect(restored).toEqual(bounds);
});

test("the menu of the window can quit", async ({ desktop }) => {
  await bridge(desktop);
  const items = await desktop.app.evaluate(({ Menu }) => {
    const ids = ["app.quit", "app.settings", "app.logs", "app.documentation"];
    return ids.map((id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.label);
  });
  expect(items).toEqual(["Quit Agent Intercom", "Settings…", "Show logs", "Documentation"]);
});
