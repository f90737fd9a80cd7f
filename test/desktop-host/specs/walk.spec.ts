import { axeViolations } from "../../support/axe.ts";
import { expect, seen, test } from "./fixture.ts";

test("from the tray's menu through window, bridge and IPC to the utility process and back", async ({ desktop }) => {
  const { app } = desktop;
  expect(app.windows()).toHaveLength(0);
  await app.evaluate(() => desktopHost.tray.choose("open"));
  const page = await desktop.window("Fixture");
  await page.getByRole("button", { name: "Ask the worker" }).click();
  await expect(page.locator("#reply")).toHaveText(
    '{"text":"worker heard hello","bytes":3,"at":"1970-01-01T00:00:00.000Z"}',
  );
  await expect(page.locator("#event")).toHaveText('{"at":"1970-01-01T00:00:00.000Z","text":"hello"}');
});

test("the bridge is there before the page's first script, and nothing else of Electron is", async ({ page }) => {
  await expect(page.locator("#start")).toHaveText(
    '{"bridge":"object","sum":5,"require":"undefined","process":"undefined","frozen":true}',
  );
});

test("a handler's error reaches the page in Electron's words", async ({ page }) => {
  await page.getByRole("button", { name: "Fail" }).click();
  await expect(page.locator("#reply")).toHaveText("Error: Error invoking remote method 'fail': TypeError: boom");
});

test("values of every kind survive the way through bridge and IPC", async ({ page }) => {
  const same = await page.evaluate(async () => {
    const { fixture } = globalThis as unknown as {
      fixture: { echo(value: unknown): Promise<Record<string, unknown>> };
    };
    const value = await fixture.echo({
      nothing: undefined,
      nan: Number.NaN,
      zero: -0,
      big: 12345678901234567890n,
      date: new Date(5),
      map: new Map([["a", new Set([1])]]),
      bytes: new Uint8Array([1, 2]),
      error: new RangeError("far"),
      deep: [{ list: [null, "text"] }],
    });
    const { nothing, nan, zero, big, date, map, bytes, error, deep } = value;
    return [
      "nothing" in value && nothing === undefined,
      Number.isNaN(nan),
      Object.is(zero, -0),
      big === 12345678901234567890n,
      date instanceof Date && date.getTime() === 5,
      map instanceof Map && (map.get("a") as Set<number>).has(1),
      bytes instanceof Uint8Array && bytes[1] === 2,
      error instanceof RangeError && error.message === "far",
      JSON.stringify(deep) === '[{"list":[null,"text"]}]',
    ];
  });
  expect(same).toEqual(Array(9).fill(true));
});

test("functions and promises cross the bridge, also inside of results", async ({ page }) => {
  const again = await page.evaluate(async () => {
    const { fixture } = globalThis as unknown as {
      fixture: { later(value: string): Promise<{ value: string; again(): string }> };
    };
    const { value, again: repeat } = await fixture.later("x");
    return [value, repeat()];
  });
  expect(again).toEqual(["x", "x"]);
});

test("a message without an answer arrives with the frame that sent it", async ({ desktop, page }) => {
  await page.evaluate("fixture.note('hi')");
  await expect.poll(() => seen(desktop)).toContain("note hi from app://ui/index.html");
});

test("a listener that was taken off hears nothing more", async ({ page }) => {
  const heard = await page.evaluate(async () => {
    const { fixture } = globalThis as unknown as {
      fixture: { onEvent(listener: () => void): () => void; ask(text: string): Promise<unknown> };
    };
    let count = 0;
    const off = fixture.onEvent(() => {
      count += 1;
    });
    await fixture.ask("one");
    off();
    await fixture.ask("two");
    return count;
  });
  expect(heard).toBe(1);
});

test("axe examines pages in the app, whatever their content policy", async ({ page }) => {
  expect(await axeViolations(page)).toEqual([]);
  await page.evaluate("document.querySelector('#ask').textContent = ''");
  expect(await axeViolations(page)).toEqual([expect.stringMatching(/^button-name .*#ask$/)]);
});
