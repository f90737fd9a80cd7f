import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";

export interface PageBundle {
  /** Folder of the pages `index.html` and `answer.html`. */
  readonly root: string;
  readonly outDir: string;
  /** Off where a stack must be readable. */
  readonly minify: boolean;
}

/** Bundles pages the way they ship: for the content security policy they are served with. */
export async function bundlePages({ root, outDir, minify }: PageBundle): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    clearScreen: false,
    root,
    base: "./",
    plugins: [react()],
    build: {
      target: "es2024",
      outDir,
      emptyOutDir: true,
      minify,
      // Inlined assets would need an exception in the policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: { index: join(root, "index.html"), answer: join(root, "answer.html") } },
    },
  });
}
