export type Level = "ok" | "fixed" | "warn" | "fail";

/** One thing the doctor looked at. */
export interface Finding {
  /** Stable name for programs. */
  readonly check: string;
  readonly level: Level;
  /** What was found, in a sentence. */
  readonly found: string;
  /** What it means. */
  readonly meaning?: string;
  /** What to do about it. */
  readonly action?: string;
}

export function ok(check: string, found: string): Finding {
  return { check, level: "ok", found };
}

/** Something was wrong and no longer is. */
export function fixed(check: string, found: string): Finding {
  return { check, level: "fixed", found };
}

export function warn(check: string, found: string, meaning: string, action: string): Finding {
  return { check, level: "warn", found, meaning, action };
}

export function fail(check: string, found: string, meaning: string, action: string): Finding {
  return { check, level: "fail", found, meaning, action };
}
