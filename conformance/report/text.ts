import type { Failure, Outcome } from "../core/run.ts";
import type { Report } from "../core/runner.ts";
import { ofState } from "./json.ts";

/** One check, as a line; a failure is followed by what it is about. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.state) {
    case "passed":
      return `PASS ${outcome.check}`;
    case "skipped":
      return `SKIP ${outcome.check}: ${outcome.reason}`;
    case "failed":
      return [`FAIL ${outcome.check}: ${outcome.error}`, ...failureLines(outcome).map((line) => `     ${line}`)].join(
        "\n",
      );
  }
}

/** What a failure is about, one fact a line. */
export function failureLines({ request, expected, got, because }: Failure): string[] {
  if (because !== undefined) return [];
  const body = request?.body === undefined ? "" : ` ${JSON.stringify(request.body)}`;
  return [
    ...(request ? [`request:  ${request.method} ${request.path}${body}`] : []),
    `expected: ${JSON.stringify(expected)}`,
    `got:      ${JSON.stringify(got)}`,
  ];
}

/** The last lines of a report. */
export function summaryText(report: Report): string {
  const { profile, outcomes, leftovers, protocolVersion, runtimeVersion, startedAt, completedAt } = report;
  const count = (state: Outcome["state"]) => ofState(outcomes, state).length;
  const skipped = count("skipped") > 0 ? `, ${count("skipped")} skipped` : "";
  const seconds = ((Date.parse(completedAt) - Date.parse(startedAt)) / 1000).toFixed(1);
  const target = `protocol ${protocolVersion || "unknown"}, runtime ${runtimeVersion || "unknown"}`;
  return [
    ...leftovers.map((problem) => `LEFT ${problem}`),
    `${profile}: ${count("passed")} passed, ${count("failed")} failed${skipped} in ${seconds} s (${target})`,
  ].join("\n");
}
