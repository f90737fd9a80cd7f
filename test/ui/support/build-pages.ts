// Bundles the pages over a fake world (renderer/testing) to .tools/ui-pages/, as the real pages are, but not minified: a stack in
// a failed spec can be read.
import { join } from "node:path";
import { bundlePages } from "../../../build/page-bundle.ts";

const root = join(import.meta.dirname, "../../..");

/** Where they are unless told otherwise. */
export const pagesFolder = join(root, ".tools/ui-pages");

/** Builds them and returns where they are; `folder` keeps builds that run at the same time apart. */
export async function buildPages(folder = pagesFolder): Promise<string> {
  await bundlePages({ root: join(root, "renderer/testing"), outDir: folder, minify: false });
  return folder;
}
