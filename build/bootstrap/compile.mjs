// Compiles the sources to dist/, and only when one of them has changed. dist/ is updated in place and swept afterwards:
// a daemon that is running from it never finds its folder empty.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fingerprintOf, ownFiles, readJson, writeJson } from "./files.mjs";
import { environment } from "./node-runtime.mjs";
import { capture } from "./npm.mjs";
import { buildStamp, bundleFolders, distDir, root } from "./paths.mjs";
import { SetupError, step } from "./report.mjs";
import { binFile } from "./run.mjs";

/** The folders that end up in the published package; tsconfig.build.json names the same. */
const rooms = ["protocol", "client", "daemon", "cli", "connect", "harness", "adapters", "conformance"];
const settings = ["tsconfig.json", "tsconfig.build.json", "package.json"];

/** Source files to compile, and everything else in those folders that the code may read at run time. */
function inputs() {
  const files = rooms.flatMap((room) => ownFiles(root, room));
  const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  return { sources, assets: files.filter((file) => !/\.(ts|tsx|md)$/.test(file)) };
}

function fingerprint() {
  const { sources, assets } = inputs();
  return fingerprintOf(root, [...settings, ...sources, ...assets]);
}

export function buildIsCurrent() {
  return readJson(buildStamp)?.inputs === fingerprint();
}

/** @param {{ path: string, version: string }} node */
export async function compile(node) {
  // Taken before compiling: a file saved meanwhile must make the next run compile again.
  const before = fingerprint();
  const { sources, assets } = inputs();
  if (sources.length === 0) return;
  await step("build", async () => {
    rmSync(buildStamp, { force: true });
    const words = ["-p", "tsconfig.build.json", "--listEmittedFiles", "--pretty", "false"];
    const done = await capture(node.path, [binFile("tsc"), ...words], { cwd: root, env: environment(node.path) });
    const errors = done.output.split("\n").filter((line) => !line.startsWith("TSFILE: "));
    for (const asset of assets) copyToDist(asset);
    sweep(new Set([...sources.flatMap(outputsOf), ...assets]));
    if (done.code !== 0) {
      throw new SetupError("the sources do not compile.", {
        command: `tsc ${words.slice(0, 2).join(" ")}`,
        output: errors.join("\n"),
        advice: "correct the lines named above; npm run types checks them all",
      });
    }
    writeJson(buildStamp, { inputs: before });
  });
}

/** @param {string} source */
function outputsOf(source) {
  const stem = source.replace(/\.ts$/, "");
  return [`${stem}.js`, `${stem}.js.map`, `${stem}.d.ts`];
}

/** @param {string} asset */
function copyToDist(asset) {
  const target = join(distDir, asset);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(root, asset), target);
}

/** Removes what no input makes any more, so that a deleted source cannot live on in the package.
 * @param {Set<string>} expected */
function sweep(expected) {
  if (!existsSync(distDir)) return;
  for (const file of ownFiles(distDir)) {
    const bundled = bundleFolders.some((folder) => file.startsWith(`${folder}/`));
    if (!bundled && !file.startsWith(".") && !expected.has(file)) rmSync(join(distDir, file));
  }
  removeEmpty(distDir);
}

/** @param {string} folder */
function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
