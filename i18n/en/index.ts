import { answer } from "./answer.ts";
import { common } from "./common.ts";
import { inbox } from "./inbox.ts";
import { shell } from "./shell.ts";

/** Every text, by key. English is the source: other catalogues have exactly its keys. */
export const en = {
  ...answer,
  ...common,
  ...inbox,
  ...shell,
} as const;
