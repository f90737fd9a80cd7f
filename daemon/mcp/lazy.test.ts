import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { scanImports } from "../../build/import-scan.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Packages that loading a file loads, through everything it imports at once. */
function packagesOf(file: string, seen = new Set<string>(), packages = new Set<string>()): Set<string> {
  if (seen.has(file)) return packages;
  seen.add(file);
  const source = readFileSync(file, "utf8");
  const later = new Set([...source.matchAll(/\bimport\(\s*"([^"]+)"/g)].map((match) => match[1]));
  for (const { specifier, typeOnly } of scanImports(source)) {
    if (typeOnly || later.has(specifier)) continue;
    if (specifier.startsWith(".")) packagesOf(join(dirname(file), specifier), seen, packages);
    else packages.add(specifier);
  }
  return packages;
}

test("starting the daemon does not load the MCP SDK", () => {
  const packages = packagesOf(join(ROOT, "daemon/index.ts"));
  expect(packages).toContain("better-sqlite3");
  expect([...packages].filter((name) => name.startsWith("@modelcontextprotocol/"))).toEqual([]);
});

test("answering MCP does", () => {
  expect(packagesOf(join(ROOT, "daemon/mcp/serving.ts"))).toContain("@modelcontextprotocol/server");
});
