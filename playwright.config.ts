import process from "node:process";
import { defineConfig } from "@playwright/test";
import { findChromium } from "./build/bootstrap/chromium.mjs";

// Wherever the specs run, pages show the same dates.
process.env.TZ = "UTC";

const chromium = findChromium();
/** Pictures for the documentation are made when they are asked for, not with every run of the specs. */
const showcase = process.env.SHOWCASE === "1" ? [{ name: "showcase", testDir: "test/showcase" }] : [];

export default defineConfig({
  // Kept out of the checkout's own folders; what a failed test leaves is looked at here.
  outputDir: ".tools/playwright",
  fullyParallel: true,
  workers: 2,
  // A spec that needs a second try is a defect, in the spec or in the app.
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["./build/playwright-reporter.ts"]],
  // A trace of every spec would take a third of the time, to be thrown away: `--trace on` makes one where it is looked at.
  use: { locale: "en-US", timezoneId: "UTC", screenshot: "only-on-failure" },
  projects: [
    ...showcase,
    { name: "desktop-host", testDir: "test/desktop-host/specs" },
    { name: "desktop", testDir: "test/desktop" },
    { name: "pages", testDir: "test/ui/support", testMatch: "pages.setup.ts" },
    {
      name: "browser",
      testDir: "test/ui",
      dependencies: ["pages"],
      use: {
        browserName: "chromium",
        launchOptions: chromium === undefined ? {} : { executablePath: chromium },
      },
    },
  ],
});
