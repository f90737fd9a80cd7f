import type { Outcome } from "../core/run.ts";
import type { Report } from "../core/runner.ts";
import { ofState } from "./json.ts";
import { failureLines } from "./text.ts";

/** Reports as one JUnit XML document, a suite for each, as CI systems read it. */
export function toJunit(reports: readonly Report[]): string {
  const suites = reports.map(suite);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("\n")}\n</testsuites>\n`;
}

function suite(report: Report): string {
  const { profile, outcomes, startedAt } = report;
  const attributes = attributesText({
    name: profile,
    tests: outcomes.length,
    failures: ofState(outcomes, "failed").length,
    errors: 0,
    skipped: ofState(outcomes, "skipped").length,
    time: seconds(outcomes.reduce((sum, { tookMs }) => sum + tookMs, 0)),
    // Several readers refuse a zone here.
    timestamp: startedAt.replace(/(\.\d+)?Z$/, ""),
  });
  return `  <testsuite${attributes}>\n${outcomes.map((outcome) => testcase(profile, outcome)).join("\n")}\n  </testsuite>`;
}

function testcase(profile: string, outcome: Outcome): string {
  const open = `    <testcase${attributesText({ name: outcome.check, classname: profile, time: seconds(outcome.tookMs) })}`;
  switch (outcome.state) {
    case "passed":
      return `${open}/>`;
    case "skipped":
      return `${open}>\n      <skipped${attributesText({ message: outcome.reason })}/>\n    </testcase>`;
    case "failed": {
      const type = outcome.because === undefined ? "failed" : "prerequisite";
      const attributes = attributesText({ message: outcome.error, type });
      const text = escapeXml(failureLines(outcome).join("\n"));
      return `${open}>\n      <failure${attributes}>${text}</failure>\n    </testcase>`;
    }
  }
}

function attributesText(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll("\n", "&#10;")}"`)
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
/** Everything but the characters that XML 1.0 allows. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

export function escapeXml(text: string): string {
  return text.replace(NOT_XML, "\u{FFFD}").replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
