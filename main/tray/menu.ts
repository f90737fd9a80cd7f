import type { Destination } from "../../protocol/desktop/index.ts";
import type { Delay } from "../human/later.ts";

/** What choosing an item does. Items name what they act on, so a menu that is out of date never acts on something else. */
export type TrayAction =
  | { readonly do: "open"; readonly destination: Destination }
  | { readonly do: "openAnswer"; readonly escalationId: string }
  | {
      readonly do: "answer";
      readonly scopeId: string;
      readonly escalationId: string;
      readonly answer: string;
    }
  | { readonly do: "defer"; readonly scopeId: string; readonly escalationId: string; readonly delay: Delay }
  /** Null ends the pause. */
  | { readonly do: "pause"; readonly delay: Delay | null }
  | { readonly do: "restartDaemon" }
  | { readonly do: "openLogs" }
  | { readonly do: "quit" };

/** Labels are ready for the operating system: `&` is doubled, and texts of agents are made harmless. */
export type MenuItem =
  | { readonly kind: "separator" }
  /** Only to be read. */
  | { readonly kind: "text"; readonly id: string; readonly label: string }
  | {
      readonly kind: "action";
      readonly id: string;
      readonly label: string;
      readonly action: TrayAction;
      readonly enabled: boolean;
    }
  | { readonly kind: "submenu"; readonly id: string; readonly label: string; readonly items: readonly MenuItem[] };

export const separator: MenuItem = { kind: "separator" };

export function textItem(id: string, label: string): MenuItem {
  return { kind: "text", id, label };
}

export function actionItem(id: string, label: string, action: TrayAction, enabled = true): MenuItem {
  return { kind: "action", id, label, action, enabled };
}

export function submenu(id: string, label: string, items: readonly MenuItem[]): MenuItem {
  return { kind: "submenu", id, label, items };
}
