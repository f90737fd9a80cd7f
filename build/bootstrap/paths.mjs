// Where things are in a checkout, in one place, so that no script depends on the directory it was called from.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's top folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Programs the bootstrap fetched; never committed, safe to delete. */
export const toolsDir = join(root, ".tools");
/** Remembers for which lock file, Node and platform node_modules was made. It dies with node_modules, as it must. */
export const setupStamp = join(root, "node_modules", ".agent-intercom-setup.json");
export const distDir = join(root, "dist");
/** Remembers from which sources dist/ was made. */
export const buildStamp = join(distDir, ".build.json");
