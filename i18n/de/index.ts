import type { Texts } from "../catalogue.ts";
import type { en } from "../en/index.ts";
import { common } from "./common.ts";
import { shell } from "./shell.ts";

export const de: Texts<typeof en> = {
  ...common,
  ...shell,
};
