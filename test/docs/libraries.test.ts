import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { LIBRARIES } from "../../renderer/features/about/libraries.ts";

test.each(LIBRARIES)("%s is under the licence that is named: %s", async (name, licence) => {
  const manifest = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8")) as { license: string };
  expect(manifest.license).toBe(licence);
});
