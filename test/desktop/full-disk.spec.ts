import { join } from "node:path";
import { LIMITS } from "../../protocol/limits.ts";
import { agentOf } from "./asking.ts";
import { bridge, expect, snapshot, supervised, test } from "./fixture.ts";
import { makeSmallDisk } from "./small-disk.ts";

const SLOW_MS = 120_000;

test("a full disk is said, loses nothing, and all goes on once there is room", async ({ freshHome, launchDesktop }) => {
  test.setTimeout(SLOW_MS);
  const disk = makeSmallDisk();
  test.skip(!disk, "this user may not make a small disk");
  if (!disk) return;
  try {
    const home = { ...freshHome(), userData: join(disk.folder, "user"), dataDir: join(disk.folder, "data") };
    const desktop = await launchDesktop({ home });
    const page = await bridge(desktop);
    await supervised(page, ({ state }) => state === "ready");
    const { ask, answered } = await agentOf(desktop);
    const question = await ask({ question: "Shall I go on?" });
    await expect.poll(async () => question.id in (await snapshot(page)).live.questions).toBe(true);

    disk.fill();
    const settings = await page.invoke("changeSettings", { theme: "dark" });
    expect(settings).toMatchObject({ ok: false, error: { details: { reason: "disk_full" } } });
    const { desktop: state } = await snapshot(page);
    expect(state.settings.theme).toBe("system");
    expect(state.notices.map(({ code }) => code)).toContain("disk-full");
    // Long enough to need more pages than the database still has.
    const input = { escalationId: question.id, answer: "y".repeat(LIMITS.answerBytes), surface: "window" as const };
    const answer = () => page.invoke("call", { operation: "resolveEscalation", scopeId: question.scopeId, input });
    await expect.poll(async () => (await answer()).ok).toBe(false);
    expect(await answer()).toMatchObject({
      ok: false,
      error: { code: "INTERNAL", details: { reason: "storage_full" } },
    });
    expect((await snapshot(page)).live.questions[question.id]?.status).toBe("pending");

    disk.free();
    await expect.poll(async () => (await answer()).ok, { timeout: 30_000 }).toBe(true);
    expect((await answered(question)).answer).toBe(input.answer);
    expect(await page.invoke("changeSettings", { theme: "dark" })).toMatchObject({ ok: true });
  } finally {
    disk.remove();
  }
});
