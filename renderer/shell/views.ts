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
import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import type { View } from "../../protocol/desktop/names.ts";

export interface ViewEntry {
  readonly icon: LucideIcon;
  /** Pressed after `g`. */
  readonly key: string;
  readonly Component: LazyExoticComponent<ComponentType>;
}

/** Every view, in the order of the sidebar. Each is loaded when it is first shown. */
export const views: Readonly<Record<View, ViewEntry>> = {
  inbox: { icon: Inbox, key: "i", Component: lazy(() => import("../features/inbox/index.tsx")) },
  sessions: { icon: UsersRound, key: "s", Component: lazy(() => import("../features/sessions/index.tsx")) },
  messages: { icon: MessagesSquare, key: "m", Component: lazy(() => import("../features/messages/index.tsx")) },
  tasks: { icon: ListTodo, key: "t", Component: lazy(() => import("../features/tasks/index.tsx")) },
  activity: { icon: Activity, key: "a", Component: lazy(() => import("../features/activity/index.tsx")) },
  connect: { icon: Cable, key: "c", Component: lazy(() => import("../features/connect/index.tsx")) },
  settings: { icon: Settings, key: ",", Component: lazy(() => import("../features/settings/index.tsx")) },
  about: { icon: Info, key: "b", Component: lazy(() => import("../features/about/index.tsx")) },
};
