import { expect, test } from "vitest";
import type { Report } from "../core/runner.ts";
import { toJson } from "./json.ts";
import { escapeXml, toJunit } from "./junit.ts";
import { outcomeText, summaryText } from "./text.ts";

const request = { method: "POST", path: "/v1/tasks", body: { title: "<&\"'>" } };
const report: Report = {
  profile: "tried",
  protocolVersion: "0.1",
  runtimeVersion: "1.2.3",
  startedAt: "2026-01-01T00:00:00.000Z",
  completedAt: "2026-01-01T00:00:01.500Z",
  outcomes: [
    { check: "one", state: "passed", tookMs: 12 },
    {
      check: "two",
      state: "failed",
      tookMs: 3,
      error: "a < b\u0000\n& so on",
      request,
      expected: 1,
      got: { x: "]]>" },
    },
    {
      check: "three",
      state: "failed",
      tookMs: 0,
      error: "Needs two",
      request: null,
      expected: null,
      got: null,
      because: "two",
    },
    { check: "four", state: "skipped", tookMs: 0, reason: "Not asked for" },
  ],
  leftovers: ["The scope x could not be deleted"],
};

test("JSON has what passed, and what failed with its facts", () => {
  expect(toJson(report)).toEqual({
    profile: "tried",
    protocolVersion: "0.1",
    runtimeVersion: "1.2.3",
    startedAt: "2026-01-01T00:00:00.000Z",
    completedAt: "2026-01-01T00:00:01.500Z",
    passed: ["one"],
    failed: [
      { check: "two", error: "a < b\u0000\n& so on", request, expected: 1, got: { x: "]]>" } },
      { check: "three", error: "Needs two", request: null, expected: null, got: null, because: "two" },
    ],
    skipped: [{ check: "four", reason: "Not asked for" }],
    leftovers: ["The scope x could not be deleted"],
  });
});

test("text has a line for each check and a summary", () => {
  expect(report.outcomes.map(outcomeText).join("\n")).toBe(
    [
      "PASS one",
      "FAIL two: a < b\u0000\n& so on",
      `     request:  POST /v1/tasks ${JSON.stringify(request.body)}`,
      "     expected: 1",
      '     got:      {"x":"]]>"}',
      "FAIL three: Needs two",
      "SKIP four: Not asked for",
    ].join("\n"),
  );
  expect(summaryText(report)).toBe(
    "LEFT The scope x could not be deleted\ntried: 1 passed, 2 failed, 1 skipped in 1.5 s (protocol 0.1, runtime 1.2.3)",
  );
});

test("JUnit is well-formed XML with the counts CI systems add up", () => {
  const xml = toJunit([report, { ...report, profile: "again", outcomes: [] }]);
  expect(xml).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites>/);
  expect(xml).toContain('<testsuite name="tried" tests="4" failures="2" errors="0" skipped="1" time="0.015"');
  expect(xml).toContain('timestamp="2026-01-01T00:00:00">');
  expect(xml).toContain('<testcase name="one" classname="tried" time="0.012"/>');
  expect(xml).toContain('<failure message="a &lt; b\u{FFFD}&#10;&amp; so on" type="failed">');
  expect(xml).toContain('type="prerequisite"');
  expect(xml).toContain('<skipped message="Not asked for"/>');
  expect(elementsOf(xml)).toEqual([]);
});

/** Elements that are still open at the end. @throws when the text is no XML */
function elementsOf(xml: string): string[] {
  const open: string[] = [];
  const rest = xml
    .replace(/<\?xml [^?]*\?>/, "")
    .replace(/<(\/?)(\w+)((?: [\w]+="[^"<]*")*)(\/?)>/g, (_, end, name, __, empty) => {
      if (end && open.pop() !== name) throw new Error(`</${name}> closes nothing`);
      if (!end && !empty) open.push(name);
      return "";
    });
  if (/[<>]/.test(rest)) throw new Error(`No XML: ${rest}`);
  if (/&(?!(?:amp|lt|gt|quot|apos|#10);)/.test(xml)) throw new Error("A bare ampersand");
  return open;
}

test("no character gets through that XML does not know", () => {
  expect(escapeXml("a\u0008b\ud800c\uffff\u{1F600}\t")).toBe("a\u{FFFD}b\u{FFFD}c\u{FFFD}\u{1F600}\t");
});
