import { Circle, CircleDashed, CircleDot, CircleDotDashed, CircleOff, CirclePause, Hand } from "lucide-react";
import type { Agent, Lifecycle } from "../../../protocol/objects/agent.ts";
import { cx } from "../../lib/cx.ts";
import type { Tone } from "../../ui/badge.tsx";
import styles from "./sessions.module.css";

/** What is shown of an agent's state: what it says, unless it cannot be heard any more or takes nothing. */
export type Presence = Lifecycle | "unreachable" | "busy";

export function presenceOf({ lifecycle, reachable, ready }: Agent): Presence {
  if (!reachable) return lifecycle === "offline" ? "offline" : "unreachable";
  if (!ready && (lifecycle === "ready" || lifecycle === "idle")) return "busy";
  return lifecycle;
}

/** States differ by shape; colour only repeats it. */
const SHAPES = {
  starting: CircleDotDashed,
  ready: Circle,
  working: CircleDot,
  idle: Circle,
  needs_input: Hand,
  offline: CircleOff,
  unreachable: CircleDashed,
  busy: CirclePause,
} as const;

const TONES: Partial<Record<Presence, Tone>> = {
  working: "good",
  ready: "good",
  starting: "good",
  needs_input: "accent",
};

export function toneOf(presence: Presence): Tone {
  return TONES[presence] ?? "neutral";
}

export function PresenceIcon({ presence }: { readonly presence: Presence }) {
  const Shape = SHAPES[presence];
  return <Shape aria-hidden="true" className={cx(styles.presence, styles[toneOf(presence)])} />;
}
