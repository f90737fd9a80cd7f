// Takes pictures of the fake pages to look at: `node test/ui/support/look.ts OUT_FOLDER PAGE...`, where a page is what follows
// the server's address, e.g. "index.html?theme=dark#/inbox". Each is taken at 1200x800 and at 900x640,
// the answer window at its own size. Keys to press first follow after a space, as in "index.html#/inbox Control+k".
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { chromium } from "@playwright/test";
import { findChromium } from "../../../build/bootstrap/chromium.mjs";
import { buildPages, pagesFolder } from "./build-pages.ts";
import { servePages } from "./serve.ts";

const SIZES = [
  { width: 1200, height: 800 },
  { width: 900, height: 640 },
] as const;

const [folder = ".tools/pictures", ...pages] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const server = await servePages(await buildPages(`${pagesFolder}-look`));
const executablePath = findChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const page = await browser.newPage();
  page.on("console", (message) => console.log(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => console.log(error.stack ?? error.message));
  for (const wanted of pages) {
    const [address = "", ...keys] = wanted.split(" ");
    for (const size of address.startsWith("answer") ? [{ width: 480, height: 560 }] : SIZES) {
      await page.setViewportSize(size);
      await page.goto("about:blank");
      await page.goto(`${server.url}/${address}`);
      await page.waitForTimeout(700);
      for (const key of keys) {
        await page.keyboard.press(key);
        await page.waitForTimeout(300);
      }
      const name = wanted.replaceAll(/[^a-z0-9]+/gi, "-");
      await page.screenshot({ path: join(folder, `${name}-${size.width}.png`) });
    }
  }
} finally {
  await browser.close();
  await server.close();
}
