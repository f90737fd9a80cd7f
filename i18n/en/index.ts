import { activity } from "./activity.ts";
import { common } from "./common.ts";
import { connect } from "./connect.ts";
import { messages } from "./messages.ts";
import { sessions } from "./sessions.ts";
import { shell } from "./shell.ts";
import { tasks } from "./tasks.ts";

/** Every text, by key. English is the source: other catalogues have exactly its keys. */
export const en = {
  ...activity,
  ...common,
  ...connect,
  ...messages,
  ...sessions,
  ...tasks,
  ...shell,
} as const;
