import type { DesktopSettings } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";

/** What a window of ours is and shows at the moment. */
export interface WindowView {
  readonly kind: "main" | "answer";
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  /** The question it shows. */
  readonly escalationId?: string | undefined;
}

/** A notification of the last minutes. */
export interface ShownNotice {
  /** Milliseconds of the wall clock. */
  readonly at: number;
}

export interface PolicyInput {
  readonly question: Escalation;
  /** Milliseconds of the wall clock. */
  readonly now: number;
  readonly settings: DesktopSettings["notifications"];
  /** RFC 3339 instant. */
  readonly pausedUntil: string | undefined;
  readonly windows: readonly WindowView[];
  readonly recent: readonly ShownNotice[];
  /** Questions that are new at the same moment, this one among them. */
  readonly together: number;
}

export type Decision =
  /** Shown on its own. `again` is when to remind of it once, in milliseconds. */
  | { readonly verdict: "shown"; readonly isSilent: boolean; readonly again: number | undefined }
  /** Told of together with others, in one notification. */
  | { readonly verdict: "digest"; readonly isSilent: boolean }
  | { readonly verdict: "suppressed_visible" | "suppressed_paused" | "suppressed_disabled" };

/** Whether the human hears of it, alone or together with others. */
export function isTold(decision: Decision): decision is Extract<Decision, { isSilent: boolean }> {
  return decision.verdict === "shown" || decision.verdict === "digest";
}

/** So many notifications in {@link BURST_MS} are as many as anyone reads one by one. */
const BURST = 3;
export const BURST_MS = 60_000;
/** An urgent question that still waits is told of once more: later, not louder. */
export const AGAIN_MS = 5 * 60_000;

/** What becomes of telling the human of a question that is new or has come back. */
export function decide(input: PolicyInput): Decision {
  const { question, now, settings, windows, recent, together } = input;
  if (!settings.enabled) return { verdict: "suppressed_disabled" };
  if (windows.some((window) => isOnScreen(window, question))) return { verdict: "suppressed_visible" };
  const isUrgent = question.urgency === "high";
  if (isPaused(input) && !(isUrgent && settings.urgentBreaksPause)) return { verdict: "suppressed_paused" };
  // Whoever works in one of our windows sees the count rise there, and need not be made to start.
  const isSilent = !settings.sound || question.urgency === "low" || windows.some(({ isFocused }) => isFocused);
  // An agent that calls everything urgent is no exception: one that shouts is told of as one that talks.
  const shownLately = recent.filter(({ at }) => now - at < BURST_MS).length;
  if (together > BURST || shownLately >= BURST) return { verdict: "digest", isSilent };
  return { verdict: "shown", isSilent, again: isUrgent ? now + AGAIN_MS : undefined };
}

/** Whether the reminder of an urgent question is due to be shown. A deferral takes it away, as an answer does. */
export function decideAgain(input: Omit<PolicyInput, "together" | "recent">): boolean {
  return decide({ ...input, together: 1, recent: [] }).verdict === "shown";
}

/** The small window is above all others. The large one may lie below them, unless it is the one that is worked in. */
function isOnScreen({ kind, isVisible, isFocused, escalationId }: WindowView, { id }: Escalation): boolean {
  return isVisible && escalationId === id && (kind === "answer" || isFocused);
}

function isPaused({ pausedUntil, now }: Pick<PolicyInput, "pausedUntil" | "now">): boolean {
  return pausedUntil !== undefined && Date.parse(pausedUntil) > now;
}
