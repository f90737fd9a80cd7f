import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import styles from "./badge.module.css";

export type Tone = "neutral" | "accent" | "good" | "warn" | "bad";

interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** A state in a word. The colour only repeats what the word says. */
export function Badge({ tone = "neutral", icon, children }: BadgeProps) {
  return (
    <span className={cx(styles.badge, styles[tone])}>
      {icon}
      {children}
    </span>
  );
}

/** A number beside a name. */
export function Count({ value, tone = "neutral" }: { readonly value: number; readonly tone?: Tone }) {
  return <span className={cx(styles.count, styles[tone])}>{value > 999 ? "999+" : value}</span>;
}
