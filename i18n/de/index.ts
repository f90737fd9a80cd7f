import type { Texts } from "../catalogue.ts";
import type { en } from "../en/index.ts";
import { common } from "./common.ts";
import { notify } from "./notify.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { tray } from "./tray.ts";
import { windows } from "./windows.ts";

export const de: Texts<typeof en> = { ...common, ...notify, ...shell, ...signIn, ...tray, ...windows };
