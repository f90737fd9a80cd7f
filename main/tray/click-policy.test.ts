import { expect, it } from "vitest";
import { clickPolicy } from "./click-policy.ts";
import { trayImage } from "./tray-icons.ts";

it.each([
  ["darwin", "attached", false],
  ["win32", "on-right-click", true],
  ["linux", "attached", true],
] as const)("on %s the menu is %s", (platform, menu, clickOpens) => {
  expect(clickPolicy(platform)).toEqual({ menu, clickOpens });
});

it.each([
  ["darwin", true, 2, "/r/tray/darwin/needs-youTemplate.png", true],
  ["win32", true, 1, "/r/tray/win32/needs-you-dark.ico", false],
  ["win32", false, 1, "/r/tray/win32/needs-you-light.ico", false],
  ["linux", true, 1, "/r/tray/linux/needs-you-22.png", false],
  ["linux", true, 1.5, "/r/tray/linux/needs-you-44.png", false],
  ["linux", false, 4, "/r/tray/linux/needs-you-66.png", false],
] as const)("on %s with a dark bar %s and scale %d it is %s", (platform, isBarDark, scaleFactor, file, isTemplate) => {
  expect(trayImage("/r", "needs-you", { platform, isBarDark, scaleFactor })).toEqual({ file, isTemplate });
});
