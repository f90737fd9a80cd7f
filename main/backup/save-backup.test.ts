import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { backupName, saveBackup } from "./save-backup.ts";

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

it("has its name once it is whole, and is for its owner alone", async () => {
  const file = join(temporaryFolder(), "backup.db");
  writeFileSync(`${file}.partial`, "left over");
  expect(await saveBackup(file, pieces("one ", "two"))).toEqual({ file, bytes: 7 });
  expect(readFileSync(file, "utf8")).toBe("one two");
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, ".."))).toEqual(["backup.db"]);
});

it("that breaks off leaves the earlier one", async () => {
  const file = join(temporaryFolder(), "backup.db");
  writeFileSync(file, "earlier");
  async function* broken() {
    yield Buffer.from("half");
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  }
  await expect(saveBackup(file, broken())).rejects.toMatchObject({
    code: "INTERNAL",
    details: { reason: "disk_full", file },
  });
  expect(readFileSync(file, "utf8")).toBe("earlier");
  expect(readdirSync(join(file, ".."))).toEqual(["backup.db"]);
});

it("that cannot be written says why", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "there"));
  const file = join(folder, "nowhere", "backup.db");
  await expect(saveBackup(file, pieces("x"))).rejects.toThrow(/cannot be written \(ENOENT\)/);
});

it("is named by the day", () => {
  expect(backupName(Date.UTC(2026, 0, 31, 23))).toBe("agent-intercom-2026-01-31.db");
});
