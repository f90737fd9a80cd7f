import { expect, test } from "vitest";
import { summarizeUserAgent } from "./user-agent.ts";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox 128 on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "Chrome 140 on Windows",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36",
    "Chrome 156 on Linux",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge 140 on Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
    "Safari 18 on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    "Safari 18 on iOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36",
    "Chrome 140 on Android",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64) Something/1.0", "Unknown browser on Linux"],
  ["curl/8.10.1", "curl"],
  ["", "Unknown browser"],
  [undefined, "Unknown browser"],
])("%s is %s", (header, summary) => {
  expect(summarizeUserAgent(header)).toBe(summary);
});

test("whatever is sent, few plain characters come out", () => {
  const hostile = [
    `Firefox/${"9".repeat(5000)}`,
    "<script>alert(1)</script>",
    `${"x".repeat(100_000)}`,
    "\u001b[31mred\u202e",
    "Firefox/12; DROP TABLE ui_sessions",
  ];
  for (const header of hostile) expect(summarizeUserAgent(header)).toMatch(/^[\w .+-]{1,40}$/);
});
