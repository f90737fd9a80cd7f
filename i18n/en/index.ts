import { about } from "./about.ts";
import { activity } from "./activity.ts";
import { answer } from "./answer.ts";
import { common } from "./common.ts";
import { connect } from "./connect.ts";
import { inbox } from "./inbox.ts";
import { messages } from "./messages.ts";
import { notify } from "./notify.ts";
import { palette } from "./palette.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { shell } from "./shell.ts";
import { signIn } from "./sign-in.ts";
import { tasks } from "./tasks.ts";
import { tray } from "./tray.ts";
import { windows } from "./windows.ts";

/** Every text, by key. English is the source: other catalogues have exactly its keys. */
export const en = {
  ...about,
  ...activity,
  ...answer,
  ...common,
  ...connect,
  ...inbox,
  ...messages,
  ...notify,
  ...palette,
  ...sessions,
  ...settings,
  ...shell,
  ...signIn,
  ...tasks,
  ...tray,
  ...windows,
} as const;
