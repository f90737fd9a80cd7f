// Bundles the desktop and the pages to dist/desktop/ and dist/ui/, and only when one of their sources has changed.
import { rmSync } from "node:fs";
import { fingerprintOf, ownFiles, readJson, writeJson } from "./files.mjs";
import { environment } from "./node-runtime.mjs";
import { capture } from "./npm.mjs";
import { bundleStamp, root } from "./paths.mjs";
import { SetupError, step } from "./report.mjs";

const script = "build/desktop.ts";
/** Folders whose files end up in the bundles. */
const rooms = [
  ...["main", "preload", "renderer", "i18n", "protocol", "client", "daemon", "connect", "resources"],
  // Of this one only what reads the evidence.
  "harness",
];

function fingerprint() {
  const files = rooms.flatMap((room) => ownFiles(root, room)).filter((file) => !/\.(test\.tsx?|md)$/.test(file));
  return fingerprintOf(root, [script, "build/page-bundle.ts", "package.json", "package-lock.json", ...files]);
}

export function bundlesAreCurrent() {
  return readJson(bundleStamp)?.inputs === fingerprint();
}

/** @param {{ path: string, version: string }} node */
export async function bundle(node) {
  // Taken before bundling: a file saved meanwhile must make the next run bundle again.
  const before = fingerprint();
  await step("desktop and pages", async () => {
    rmSync(bundleStamp, { force: true });
    const done = await capture(node.path, [script], { cwd: root, env: environment(node.path) });
    if (done.code !== 0) {
      throw new SetupError("the desktop could not be bundled.", {
        command: `node ${script}`,
        output: done.output,
        advice: "correct what is named above; npm run types and npm run types:renderer check the sources",
      });
    }
    writeJson(bundleStamp, { inputs: before });
  });
}
