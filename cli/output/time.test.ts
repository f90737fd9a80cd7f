import { describe, expect, it } from "vitest";
import { bytes, count } from "./text.ts";
import { clockTime, duration, parseDuration, relative } from "./time.ts";

describe("times", () => {
  const now = Date.parse("2026-05-05T12:00:00.000Z");
  it.each([
    ["2026-05-05T12:00:00.000Z", "just now"],
    ["2026-05-05T11:59:59.500Z", "just now"],
    ["2026-05-05T12:00:00.500Z", "now"],
    ["2026-05-05T11:59:48.000Z", "12 s ago"],
    ["2026-05-05T11:57:01.000Z", "2 min ago"],
    ["2026-05-05T09:00:00.000Z", "3 h ago"],
    ["2026-05-04T12:00:00.000Z", "1 day ago"],
    ["2026-05-01T12:00:00.000Z", "4 days ago"],
    ["2026-05-05T12:04:59.000Z", "in 4 min"],
    ["nonsense", "nonsense"],
  ])("%s is %s", (instant, expected) => {
    expect(relative(instant, now)).toBe(expected);
  });

  it("shows the date of another day", () => {
    const local = new Date(2026, 4, 5, 9, 8, 7);
    expect(clockTime(local.toISOString(), local.getTime())).toBe("09:08:07");
    expect(clockTime(local.toISOString(), local.getTime() + 86_400_000)).toBe("2026-05-05 09:08:07");
  });

  it.each([
    ["30", 30_000],
    ["30s", 30_000],
    ["5m", 300_000],
    ["5 min", 300_000],
    ["1.5h", 5_400_000],
    ["2d", 172_800_000],
    ["250ms", 250],
    ["0", 0],
    ["-1s", undefined],
    ["soon", undefined],
    ["5 weeks", undefined],
    ["", undefined],
  ])("reads %j as %s ms", (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it("says lengths of time and amounts in words", () => {
    expect([0, 999, 1000, 90_000, 86_400_000, 200_000_000].map(duration)).toEqual([
      "0 s",
      "0 s",
      "1 s",
      "1 min",
      "1 day",
      "2 days",
    ]);
    expect([0, 1023, 1024, 10_240, 5 * 1024 ** 2, 3 * 1024 ** 4].map(bytes)).toEqual([
      "0 B",
      "1023 B",
      "1.0 KiB",
      "10 KiB",
      "5.0 MiB",
      "3.0 TiB",
    ]);
    expect([count(1, "message"), count(2, "reply", "replies"), count(0, "task")]).toEqual([
      "1 message",
      "2 replies",
      "0 tasks",
    ]);
  });
});
