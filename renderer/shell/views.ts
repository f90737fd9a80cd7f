import {
  Activity,
  Cable,
  Inbox,
  Info,
  ListTodo,
  type LucideIcon,
  MessagesSquare,
  Settings,
  UsersRound,
} from "lucide-react";
import type { ComponentType } from "react";
import type { View } from "../../protocol/desktop/names.ts";

export interface ViewEntry {
  readonly icon: LucideIcon;
  /** Pressed after `g`. */
  readonly key: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** Every view, in the order of the sidebar. Each is a file of its own. */
export const views: Readonly<Record<View, ViewEntry>> = {
  inbox: { icon: Inbox, key: "i", load: () => import("../features/inbox/index.tsx") },
  sessions: { icon: UsersRound, key: "s", load: () => import("../features/sessions/index.tsx") },
  messages: { icon: MessagesSquare, key: "m", load: () => import("../features/messages/index.tsx") },
  tasks: { icon: ListTodo, key: "t", load: () => import("../features/tasks/index.tsx") },
  activity: { icon: Activity, key: "a", load: () => import("../features/activity/index.tsx") },
  connect: { icon: Cable, key: "c", load: () => import("../features/connect/index.tsx") },
  settings: { icon: Settings, key: ",", load: () => import("../features/settings/index.tsx") },
  about: { icon: Info, key: "b", load: () => import("../features/about/index.tsx") },
};
