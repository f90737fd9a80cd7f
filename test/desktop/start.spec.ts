import { bridge, expect, supervised, test } from "./fixture.ts";

test("starts a daemon of its own, which a window may talk to and which ends with the app", async ({
  launchDesktop,
}) => {
  const desktop = await launchDesktop();
  const page = await bridge(desktop);
  const { supervisor } = await supervised(page, ({ state }) => state === "ready");
  expect(supervisor.owner).toBe("desktop");
  expect(supervisor.pid).not.toBe(desktop.app.process().pid);

  const scopes = await page.invoke("call", { operation: "overview", input: {} });
  expect(scopes).toMatchObject({ ok: true, result: { scopes: [{ scopeId: "default", linkPolicy: "open" }] } });
});
