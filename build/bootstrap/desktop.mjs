// Builds the desktop app's bundles and the pages of its user interface (dist/desktop, dist/ui), and only when one of their
// sources has changed. How they are built is build/desktop.ts; without that file there is nothing to build.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf, ownFiles, readJson, writeJson } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { environment } from "./node-runtime.mjs";
import { capture } from "./npm.mjs";
import { distDir, root } from "./paths.mjs";
import { SetupError, step } from "./report.mjs";

const builder = "build/desktop.ts";
const stamp = join(distDir, "desktop", ".build.json");
/** Folders whose files end up in a bundle. */
const rooms = ["main", "preload", "renderer", "daemon", "client", "protocol", "connect", "harness"];

function fingerprint() {
  const files = rooms.flatMap((room) => ownFiles(root, room)).filter((file) => !/\.(test\.tsx?|md)$/.test(file));
  return fingerprintOf(root, [builder, "package.json", "package-lock.json", "tsconfig.json", ...files]);
}

function isCurrent() {
  return readJson(stamp)?.inputs === fingerprint();
}

/** @param {{ path: string, version: string }} node */
export async function desktopReady(node) {
  if (!existsSync(join(root, builder)) || isCurrent()) return;
  await withLock("desktop", async () => {
    if (isCurrent()) return;
    // Taken before building: a file saved meanwhile must make the next run build again.
    const before = fingerprint();
    await step("desktop build", async () => {
      rmSync(stamp, { force: true });
      const done = await capture(node.path, [builder], { cwd: root, env: environment(node.path) });
      if (done.code !== 0) {
        throw new SetupError("the desktop app could not be built.", {
          command: `node ${builder}`,
          output: done.output,
          advice: "correct what is named above, then run the same command again",
        });
      }
      writeJson(stamp, { inputs: before });
    });
  });
}
