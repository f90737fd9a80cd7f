import { common } from "./common.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";

/** Every text, by key. English is the source: other catalogues have exactly its keys. */
export const en = {
  ...common,
  ...shell,
  ...signIn,
} as const;
