import { common } from "./common.ts";
import { shell } from "./shell.ts";

/** Every text, by key. English is the source: other catalogues have exactly its keys. */
export const en = {
  ...common,
  ...shell,
} as const;
