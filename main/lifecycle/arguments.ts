import { HIDDEN_FLAG } from "../settings/login-item.ts";
import { type DeepLink, deepLinkIn } from "./deep-link.ts";

/** Shows the window although the app is started to be hidden, or runs already. */
export const SHOW_FLAG = "--show";

/** What a start of the app asks for. */
export interface LaunchRequest {
  /** Only the tray, as at login. */
  readonly hidden: boolean;
  readonly link: DeepLink | undefined;
}

/** Reads the arguments of a start. What is not ours belongs to Electron or Chromium and is left alone. */
export function parseLaunch(args: readonly string[]): LaunchRequest {
  return { hidden: args.includes(HIDDEN_FLAG) && !args.includes(SHOW_FLAG), link: deepLinkIn(args) };
}
