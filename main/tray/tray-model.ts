import type { Translator } from "../../i18n/index.ts";
import type { DesktopState, LiveState } from "../../protocol/desktop/index.ts";
import { clockTime } from "../human/later.ts";
import { nextReturn, waitingQuestions } from "../human/waiting.ts";
import {
  type AgentCounts,
  agentCounts,
  type DaemonCondition,
  daemonCondition,
  isDown,
  LOST_GRACE_MS,
} from "./condition.ts";
import { actionItem, type MenuItem, separator, submenu, textItem } from "./menu.ts";
import { questionMenu } from "./question-menu.ts";

/** Told apart by shape, not by colour. */
export const TRAY_ICONS = ["idle", "working", "needs-you", "paused", "down"] as const;
export type TrayIcon = (typeof TRAY_ICONS)[number];

const MAX_QUESTIONS = 5;

export interface TrayState {
  readonly live: LiveState;
  readonly desktop: DesktopState;
}

export interface TrayModel {
  readonly icon: TrayIcon;
  readonly tooltip: string;
  /** Text beside the icon, which only macOS has. */
  readonly title: string;
  /** Questions that wait for the human. */
  readonly count: number;
  readonly menu: readonly MenuItem[];
  /** When time alone changes any of this, in milliseconds of the wall clock; infinite if never. */
  readonly refreshAt: number;
}

/** All there is to see in the tray. The menu is the same on every platform. */
export function trayModel(
  { live, desktop }: TrayState,
  platform: DesktopState["platform"],
  t: Translator,
  now: number,
): TrayModel {
  const waiting = waitingQuestions(live.questions, now);
  const condition = daemonCondition(live, desktop, now);
  const counts = agentCounts(live);
  const pausedUntil = pauseEnd(desktop, now);
  const icon = iconOf(condition, waiting.length, counts, pausedUntil);
  const options = { agents: live.agents, t, canAnswer: condition === "ready" };
  const count = waiting.length;
  return {
    icon,
    tooltip: tooltipOf(icon, count, counts, t),
    title: platform === "darwin" && count > 0 ? String(count) : "",
    count,
    menu: [
      actionItem("inbox", t("tray.inbox", { count }), { do: "open", destination: { view: "inbox" } }),
      separator,
      ...(count === 0 ? [textItem("noQuestions", t("tray.noQuestions"))] : []),
      ...waiting.slice(0, MAX_QUESTIONS).map((question) => questionMenu(question, options)),
      ...more(count - MAX_QUESTIONS, t),
      separator,
      actionItem("agents", t("tray.agents", { ...counts }), { do: "open", destination: { view: "sessions" } }),
      pauseMenu(pausedUntil, t, now),
      separator,
      actionItem("connect", t("tray.connect"), { do: "open", destination: { view: "connect" } }),
      actionItem("settings", t("tray.settings"), { do: "open", destination: { view: "settings" } }),
      actionItem("logs", t("tray.logs"), { do: "openLogs" }),
      separator,
      ...daemonItems(condition, t),
      separator,
      actionItem("quit", t("tray.quit"), { do: "quit" }),
    ],
    refreshAt: Math.min(
      nextReturn(live.questions, now) ?? Number.POSITIVE_INFINITY,
      pausedUntil ?? Number.POSITIVE_INFINITY,
      lostAt(live, now),
    ),
  };
}

/** When the pause of notifications ends; undefined while there is none. */
function pauseEnd({ pausedUntil }: DesktopState, now: number): number | undefined {
  if (pausedUntil === undefined) return undefined;
  const end = Date.parse(pausedUntil);
  return end > now ? end : undefined;
}

function iconOf(
  condition: DaemonCondition,
  count: number,
  { working }: AgentCounts,
  pausedUntil: number | undefined,
): TrayIcon {
  if (isDown(condition)) return "down";
  if (count > 0) return "needs-you";
  if (pausedUntil !== undefined) return "paused";
  return working > 0 ? "working" : "idle";
}

function tooltipOf(icon: TrayIcon, count: number, { working }: AgentCounts, t: Translator): string {
  switch (icon) {
    case "down":
      return t("tray.tooltip.down");
    case "needs-you":
      return t("tray.tooltip.needsYou", { count });
    case "paused":
      return t("tray.tooltip.paused");
    case "working":
      return t("tray.tooltip.working", { count: working });
    case "idle":
      return t("tray.tooltip.idle");
  }
}

function more(count: number, t: Translator): MenuItem[] {
  return count > 0
    ? [actionItem("more", t("tray.more", { count }), { do: "open", destination: { view: "inbox" } })]
    : [];
}

function pauseMenu(pausedUntil: number | undefined, t: Translator, now: number): MenuItem {
  const label =
    pausedUntil === undefined ? t("tray.pause") : t("tray.paused", { until: clockTime(pausedUntil, now, t.locale) });
  return submenu("pause", label, [
    actionItem("pause.halfHour", t("tray.pause.halfHour"), { do: "pause", delay: "halfHour" }),
    actionItem("pause.tomorrow", t("tray.pause.tomorrow"), { do: "pause", delay: "tomorrow" }),
    separator,
    actionItem("pause.resume", t("tray.pause.resume"), { do: "pause", delay: null }, pausedUntil !== undefined),
  ]);
}

const DAEMON_TEXTS = {
  adopting: "tray.daemon.adopting",
  "backing-off": "tray.daemon.backingOff",
  failed: "tray.daemon.failed",
  incompatible: "tray.daemon.incompatible",
  lost: "tray.daemon.lost",
  ready: "tray.daemon.ready",
  refused: "tray.daemon.refused",
  starting: "tray.daemon.starting",
  stopped: "tray.daemon.stopped",
  stopping: "tray.daemon.stopping",
  unresponsive: "tray.daemon.unresponsive",
} as const satisfies Record<DaemonCondition, string>;

function daemonItems(condition: DaemonCondition, t: Translator): MenuItem[] {
  const line = textItem("daemon", t(DAEMON_TEXTS[condition]));
  return isDown(condition) ? [line, actionItem("restart", t("tray.restart"), { do: "restartDaemon" })] : [line];
}

function lostAt({ link }: LiveState, now: number): number {
  const at = Date.parse(link.since) + LOST_GRACE_MS;
  return link.state === "lost" && at > now ? at : Number.POSITIVE_INFINITY;
}
