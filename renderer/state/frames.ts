import type { Frame } from "../../protocol/desktop/index.ts";
import { applyLiveChange } from "../../protocol/desktop/live.ts";
import type { Escalation } from "../../protocol/objects/escalation.ts";
import type { Event } from "../../protocol/objects/event.ts";
import type { AppState } from "./app-store.ts";

/** Older ones can be read in the history. */
const CLOSED_KEPT = 50;

/** What a batch of frames told, for those who hold more than the live state. */
export interface Happened {
  readonly events: readonly Event[];
  /** Events may be missing: read everything again. */
  readonly all: boolean;
}

type Framed = Pick<AppState, "live" | "desktop" | "closed">;

/** The state after several frames, in one step: the changes between are never shown. */
export function applyFrames(state: Framed, frames: readonly Frame[]): { next: Framed; happened: Happened } {
  let { live, desktop, closed } = state;
  let all = false;
  const events: Event[] = [];
  for (const frame of frames) {
    desktop = frame.desktop ?? desktop;
    for (const change of frame.changes) {
      const before = live;
      live = applyLiveChange(live, change);
      if (change.kind === "events") events.push(...change.events);
      if (change.kind === "questions") closed = withClosed(closed, change.closed, change.put);
      if (change.kind === "reset" || (live.link.state === "live" && before.link.state !== "live")) all = true;
    }
  }
  return { next: { live, desktop, closed }, happened: { events, all } };
}

/** A question may come back: its answer was withdrawn. */
function withClosed(
  kept: AppState["closed"],
  closed: readonly Escalation[],
  reopened: readonly Escalation[],
): AppState["closed"] {
  const returned = new Set(reopened.map(({ id }) => id));
  if (closed.length === 0 && !Object.keys(kept).some((id) => returned.has(id))) return kept;
  const entries = Object.values(kept).filter(({ id }) => !returned.has(id));
  return Object.fromEntries([...entries, ...closed].slice(-CLOSED_KEPT).map((question) => [question.id, question]));
}
