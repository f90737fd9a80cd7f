// Bundles what the desktop and the browser tab run: dist/desktop/ holds the main process, the daemon it starts, the daemon's
// worker and the preload script; dist/ui/ holds the pages, which the daemon serves as well.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { build, type InlineConfig } from "vite";
import { bundlePages } from "./page-bundle.ts";

const root = join(import.meta.dirname, "..");
const desktop = join(root, "dist/desktop");
const pages = join(root, "dist/ui");

/** Electron's Node is at least this. */
const target = "node24";

const quiet: InlineConfig = { configFile: false, logLevel: "warn", clearScreen: false };

/** What Electron brings itself, and what is native. Everything else is bundled. */
const external = [/^electron(\/|$)/, "better-sqlite3", /^node:/];

async function buildProcesses(): Promise<void> {
  await build({
    ...quiet,
    root,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target,
      outDir: desktop,
      emptyOutDir: false,
      sourcemap: true,
      minify: false,
      rolldownOptions: {
        external,
        input: {
          main: join(root, "main/index.ts"),
          daemon: join(root, "daemon/hosts/utility.ts"),
          // Started by the daemon from the file beside it.
          worker: join(root, "daemon/background/worker.ts"),
        },
        output: { format: "es", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  });
}

/** One file in the old module format: a sandboxed preload script can load no other. */
async function buildPreload(): Promise<void> {
  await build({
    ...quiet,
    root,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target,
      outDir: desktop,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        external,
        input: { preload: join(root, "preload/index.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  });
}

await rm(desktop, { recursive: true, force: true });
const ui = { root: join(root, "renderer"), outDir: pages, minify: true };
await Promise.all([buildProcesses(), buildPreload(), bundlePages(ui)]);
