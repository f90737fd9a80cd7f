import type { Texts } from "../catalogue.ts";
import type { en } from "../en/index.ts";
import { activity } from "./activity.ts";
import { common } from "./common.ts";
import { connect } from "./connect.ts";
import { messages } from "./messages.ts";
import { sessions } from "./sessions.ts";
import { shell } from "./shell.ts";
import { tasks } from "./tasks.ts";

export const de: Texts<typeof en> = {
  ...activity,
  ...common,
  ...connect,
  ...messages,
  ...sessions,
  ...tasks,
  ...shell,
};
