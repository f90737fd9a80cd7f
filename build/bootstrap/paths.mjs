// Where things are in a checkout, in one place, so that no script depends on the directory it was called from.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's top folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Programs the bootstrap fetched; never committed, safe to delete. */
export const toolsDir = join(root, ".tools");
/** The agent programs that test/harness drives, with a package.json and a lock file of their own. */
export const harnessDir = join(root, "test", "harness");
/** The official tools that examine MCP servers, likewise. */
export const mcpToolsDir = join(root, "test", "mcp-conformance", "official");
export const distDir = join(root, "dist");
/** Remembers from which sources dist/ was made. */
export const buildStamp = join(distDir, ".build.json");
/** What build/desktop.ts writes, folders of dist/ that the compiler leaves alone. */
export const bundleFolders = ["desktop", "ui"];
/** Remembers from which sources they were made. */
export const bundleStamp = join(distDir, ".bundles.json");
