import type { DesktopState } from "../../protocol/desktop/index.ts";

export interface ClickPolicy {
  /**
   * `attached`: the system opens the menu, which has to be set anew after each change. `on-right-click`: we open it, so that a
   * click can do something else.
   */
  readonly menu: "attached" | "on-right-click";
  /** Whether a click opens what is asked first. It never is the only way there: some bars do not tell of clicks. */
  readonly clickOpens: boolean;
}

/** What the mouse does to the icon, by platform. */
export function clickPolicy(platform: DesktopState["platform"]): ClickPolicy {
  switch (platform) {
    // An attached menu opens with either button, and there are no clicks to hear of.
    case "darwin":
      return { menu: "attached", clickOpens: false };
    case "win32":
      return { menu: "on-right-click", clickOpens: true };
    case "linux":
      return { menu: "attached", clickOpens: true };
  }
}
