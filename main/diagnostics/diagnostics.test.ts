import { expect, it } from "vitest";
import { type DesktopState, desktopSettings, emptyLiveState } from "../../protocol/desktop/index.ts";
import { diagnosticsText, withoutHome } from "./diagnostics.ts";

const TOKEN = "k".repeat(43);

const desktop: DesktopState = {
  platform: "linux",
  version: "1.2.3",
  locale: "en",
  supervisor: {
    state: "failed",
    since: "2026-01-01T00:00:00.000Z",
    failures: 5,
    problem: {
      code: "INTERNAL",
      message: `crashed with ${TOKEN}`,
      details: { reason: "crashed" },
      log: ["a long log"],
    },
  },
  settings: desktopSettings.parse({}),
  tray: "available",
  dataDir: "/home/me/data",
  logDir: "/home/me/data/logs",
  notices: [{ id: "x", code: "no-tray", values: {} }],
};

it("tells what helps, and neither secrets nor names nor contents", () => {
  const live = {
    ...emptyLiveState("2026-01-01T00:00:00.000Z"),
    questions: { ask_1: { id: "ask_1", question: "may I?", scopeId: "private-project" } as never },
  };
  const text = diagnosticsText({
    now: Date.UTC(2026, 0, 1),
    versions: { app: "1.2.3", electron: "45.0.0", chrome: undefined },
    desktop,
    live,
    logs: { desktop: [`{"message":"${TOKEN}"}`], daemon: Array.from({ length: 150 }, (_, line) => `line ${line}`) },
    homedir: "/home/me",
  });
  for (const expected of [
    "1.2.3",
    "45.0.0",
    '"failed"',
    '"crashed"',
    '"questions": 1',
    "~/data/logs",
    "no-tray",
    "line 149",
  ]) {
    expect(text).toContain(expected);
  }
  for (const hidden of [TOKEN, "/home/me", "may I?", "private-project", "a long log", "line 49\n"]) {
    expect(text).not.toContain(hidden);
  }
});

it("shortens a home folder also where its separators are doubled, and no other path", () => {
  expect(withoutHome(String.raw`C:\Users\me\x "C:\\Users\\me\\x"`, String.raw`C:\Users\me`)).toBe(
    String.raw`~\x "~\\x"`,
  );
  expect(withoutHome("/etc", "/")).toBe("/etc");
});
