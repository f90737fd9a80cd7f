import { about } from "./about.ts";
import { answer } from "./answer.ts";
import { common } from "./common.ts";
import { inbox } from "./inbox.ts";
import { notify } from "./notify.ts";
import { palette } from "./palette.ts";
import { settings } from "./settings.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { tray } from "./tray.ts";
import { windows } from "./windows.ts";

/** Every text, by key. English is the source: other catalogues have exactly its keys. */
export const en = {
  ...about,
  ...answer,
  ...common,
  ...inbox,
  ...notify,
  ...palette,
  ...settings,
  ...shell,
  ...signIn,
  ...tray,
  ...windows,
} as const;
