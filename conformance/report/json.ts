import type { Failure, Outcome } from "../core/run.ts";
import type { Report } from "../core/runner.ts";

/** The report as data for programs. */
export interface JsonReport {
  readonly profile: string;
  readonly protocolVersion: string;
  readonly runtimeVersion: string;
  readonly startedAt: string;
  readonly completedAt: string;
  readonly passed: readonly string[];
  readonly failed: readonly ({ readonly check: string } & Failure)[];
  readonly skipped: readonly { readonly check: string; readonly reason: string }[];
  readonly leftovers: readonly string[];
}

export function toJson(report: Report): JsonReport {
  const { outcomes, leftovers, ...head } = report;
  return {
    ...head,
    passed: ofState(outcomes, "passed").map(({ check }) => check),
    failed: ofState(outcomes, "failed").map(({ state: _, tookMs: __, ...failed }) => failed),
    skipped: ofState(outcomes, "skipped").map(({ check, reason }) => ({ check, reason })),
    leftovers,
  };
}

/** The outcomes of one kind. */
export function ofState<S extends Outcome["state"]>(
  outcomes: readonly Outcome[],
  state: S,
): Extract<Outcome, { state: S }>[] {
  return outcomes.filter((outcome): outcome is Extract<Outcome, { state: S }> => outcome.state === state);
}
