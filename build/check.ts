// `npm run check`: every check that is not a test. Goes on after a failure, shows what failed, and closes with one line.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import manifest from "../package.json" with { type: "json" };

/** The npm scripts that check, in the order of how fast they answer. */
const checks = ["imports", "format", "lint", "types", "types:renderer", "types:specs", "knip"] as const;

const root = join(import.meta.dirname, "..");
let failed = 0;
for (const name of checks) {
  const startedAt = performance.now();
  // The scripts all read "node build/bootstrap.mjs ...": run as they are, only without npm in between.
  const words = manifest.scripts[name].split(" ").slice(1);
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (status === 0) console.log(`${name}: ok (${seconds} s)`);
  else {
    failed += 1;
    console.log(`${name}: FAILED (${seconds} s), again with: npm run ${name}\n${stdout}${stderr}`);
  }
}
console.log(`${checks.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
