import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { isNewEnough, pinnedNodes } from "./node-runtime.mjs";

test.each([
  ["v20.20.2", false],
  ["22.17.1", false],
  ["22.18.0", true],
  ["23.5.0", false],
  ["23.6.0", true],
  ["24.21.0", true],
  ["26.0.0", true],
])("Node %s runs the sources: %s", (version, enough) => {
  expect(isNewEnough(version)).toBe(enough);
});

test("every pinned Node is an exact version that fits what package.json asks for", () => {
  expect(manifest.engines.node).toBe(">=22.18");
  for (const { version } of Object.values(pinnedNodes)) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(isNewEnough(version)).toBe(true);
  }
});
