// Loaded before anything else of an app: whoever imports or requires "electron", in ESM or CommonJS, gets the stand-in.
import { registerHooks } from "node:module";

const standIn = new URL("./electron.ts", import.meta.url).href;
const names = new Set(["electron", "electron/main", "electron/common"]);

registerHooks({
  resolve: (specifier, context, next) =>
    names.has(specifier) ? { url: standIn, format: "module-typescript", shortCircuit: true } : next(specifier, context),
});
