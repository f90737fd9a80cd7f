import type { Texts } from "../catalogue.ts";
import type { en } from "../en/index.ts";
import { answer } from "./answer.ts";
import { common } from "./common.ts";
import { inbox } from "./inbox.ts";
import { shell } from "./shell.ts";

export const de: Texts<typeof en> = {
  ...answer,
  ...common,
  ...inbox,
  ...shell,
};
