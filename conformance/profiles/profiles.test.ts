import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { profileNamed, profiles, suggestedProfiles } from "./index.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "conformance.md"), "utf8");

describe.each(profiles)("$name", ({ name, about, checks }) => {
  test("names each of its checks once, and says what it proves in one sentence", () => {
    expect(new Set(checks.map((check) => check.name)).size).toBe(checks.length);
    for (const check of checks) {
      expect(check.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(check.proves).toMatch(/^[^\n|]{20,160}\.$/);
    }
  });

  test("is documented with all of its checks, and no others", () => {
    const section = page.split(/^## /m).find((each) => each.startsWith(`\`${name}\``)) ?? "";
    expect(section).toContain(about);
    const rows = section.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows).toEqual(checks.map((check) => `| \`${check.name}\` | ${check.proves} |`));
  });
});

test("local-0.1 and mcp-adapter-0.1 have as many checks as October Bus 0.1", () => {
  expect(profileNamed("local-0.1")?.checks).toHaveLength(23);
  expect(profileNamed("mcp-adapter-0.1")?.checks).toHaveLength(15);
});

test("what a target calls itself decides which profiles suit it", () => {
  const chosen = (names: string[], hasAdapter: boolean) => suggestedProfiles(names, hasAdapter).map(({ name }) => name);
  expect(chosen(["agent-intercom"], false)).toEqual(["agent-intercom-1"]);
  expect(chosen(["october-bus"], false)).toEqual(["local-0.1"]);
  expect(chosen(["somebody-else"], true)).toEqual(["local-0.1", "mcp-adapter-0.1"]);
  expect(chosen(["agent-intercom", "october-bus"], false)).toEqual(["local-0.1", "agent-intercom-1"]);
});
