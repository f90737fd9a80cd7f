// Bundles the pages over a fake world (renderer/testing) to .tools/ui-pages/: the same sources and options as the real pages,
// only without minifying, so that a stack in a failed spec can be read.
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";

const root = join(import.meta.dirname, "../../..");

/** Where they are unless told otherwise. */
export const pagesFolder = join(root, ".tools/ui-pages");

/** Builds them and returns where they are; `folder` keeps builds that run at the same time apart. */
export async function buildPages(folder = pagesFolder): Promise<string> {
  await build({
    configFile: false,
    logLevel: "warn",
    clearScreen: false,
    root: join(root, "renderer/testing"),
    base: "./",
    plugins: [react()],
    build: {
      target: "es2024",
      outDir: folder,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      minify: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          index: join(root, "renderer/testing/index.html"),
          answer: join(root, "renderer/testing/answer.html"),
        },
      },
    },
  });
  return folder;
}
