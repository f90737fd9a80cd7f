import { expect, test } from "vitest";
import { findChromium } from "./chromium.mjs";

const only =
  (...there: string[]) =>
  (path: string) =>
    there.includes(path);

test.each([
  ["what the environment names first", { DESKTOP_HOST_CHROMIUM: "/a", CHROMIUM: "/b" }, [], "/a"],
  ["what the environment names", { CHROMIUM: "/b", PATH: "/usr/bin" }, ["/usr/bin/chromium"], "/b"],
  [
    "Chromium without windows before all others",
    { PATH: "/usr/bin" },
    ["/usr/lib/chromium/chromium", "/usr/lib/chromium/chromium-headless-shell"],
    "/usr/lib/chromium/chromium-headless-shell",
  ],
  [
    "one with windows when they are to be looked at",
    { PATH: "/usr/bin", DESKTOP_HOST_HEADFUL: "1" },
    ["/usr/lib/chromium/chromium", "/usr/lib/chromium/chromium-headless-shell"],
    "/usr/lib/chromium/chromium",
  ],
  [
    "Debian's program, not its wrapper",
    { PATH: "/usr/bin" },
    ["/usr/bin/chromium", "/usr/lib/chromium/chromium"],
    "/usr/lib/chromium/chromium",
  ],
  ["Chrome on PATH", { PATH: "/usr/bin:/opt/bin" }, ["/opt/bin/google-chrome"], "/opt/bin/google-chrome"],
  [
    "Chrome on macOS",
    { PATH: "/usr/bin" },
    ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  ["nothing", { PATH: "/usr/bin" }, [], undefined],
])("finds %s", (_what, env, there, expected) => {
  expect(findChromium(env, only(...there))).toBe(expected);
});
