import type { Texts } from "../catalogue.ts";
import type { en } from "../en/index.ts";
import { activity } from "./activity.ts";
import { common } from "./common.ts";

export const de: Texts<typeof en> = { ...common, ...activity };
