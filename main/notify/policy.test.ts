import { describe, expect, it } from "vitest";
import { desktopSettings } from "../../protocol/desktop/index.ts";
import { instantAt, NOW, question } from "../../test/support/desktop-state.ts";
import { AGAIN_MS, BURST_MS, type Decision, decide, decideAgain, type PolicyInput } from "./policy.ts";

const settings = desktopSettings.parse({}).notifications;
const urgent = question({ urgency: "high" });
const later = instantAt(1000);
const shown = (isSilent = false, again?: number): Decision => ({ verdict: "shown", isSilent, again });
const view = (fields: Partial<PolicyInput["windows"][number]>): PolicyInput["windows"][number] => ({
  kind: "main",
  isVisible: true,
  isFocused: true,
  escalationId: "escalation_1",
  ...fields,
});
const recent = (...ages: number[]) => ages.map((age) => ({ at: NOW - age }));

const rows: readonly (readonly [string, Partial<PolicyInput>, Decision])[] = [
  ["a question alone", {}, shown()],
  ["an urgent one, which is told of again", { question: urgent }, shown(false, NOW + AGAIN_MS)],
  ["one that does not matter much", { question: question({ urgency: "low" }) }, shown(true)],
  ["sound off", { settings: { ...settings, sound: false } }, shown(true)],
  ["switched off", { settings: { ...settings, enabled: false } }, { verdict: "suppressed_disabled" }],
  [
    "switched off, urgent",
    { settings: { ...settings, enabled: false }, question: urgent },
    { verdict: "suppressed_disabled" },
  ],
  ["paused", { pausedUntil: later }, { verdict: "suppressed_paused" }],
  ["paused, urgent", { pausedUntil: later, question: urgent }, shown(false, NOW + AGAIN_MS)],
  [
    "paused, urgent, which may not break it",
    { pausedUntil: later, question: urgent, settings: { ...settings, urgentBreaksPause: false } },
    { verdict: "suppressed_paused" },
  ],
  ["a pause that is over", { pausedUntil: instantAt() }, shown()],
  ["shown in the window in use", { windows: [view({})] }, { verdict: "suppressed_visible" }],
  [
    "shown in the small window",
    { windows: [view({ kind: "answer", isFocused: false })] },
    { verdict: "suppressed_visible" },
  ],
  ["shown in a window that lies below others", { windows: [view({ isFocused: false })] }, shown()],
  ["shown in a hidden window", { windows: [view({ isVisible: false, isFocused: false })] }, shown()],
  ["another one is shown", { windows: [view({ escalationId: "other" })] }, shown(true)],
  ["visible and paused", { windows: [view({})], pausedUntil: later }, { verdict: "suppressed_visible" }],
  ["two before it", { recent: recent(10, 20) }, shown()],
  ["three before it", { recent: recent(10, 20, 30) }, { verdict: "digest", isSilent: false }],
  ["three long before it", { recent: recent(BURST_MS, BURST_MS, BURST_MS) }, shown()],
  ["three at once", { together: 3 }, shown()],
  ["four at once", { together: 4 }, { verdict: "digest", isSilent: false }],
  ["an urgent one among many", { together: 4, question: urgent }, { verdict: "digest", isSilent: false }],
];

describe("what becomes of a question", () => {
  it.each(rows)("%s", (_, input, decision) => {
    const rest: PolicyInput = {
      question: question(),
      now: NOW,
      settings,
      pausedUntil: undefined,
      windows: [],
      recent: [],
      together: 1,
    };
    expect(decide({ ...rest, ...input })).toEqual(decision);
  });

  it("is told of again only where it would be shown", () => {
    const input = { question: urgent, now: NOW, settings, pausedUntil: undefined, windows: [] };
    expect(decideAgain(input)).toBe(true);
    expect(decideAgain({ ...input, windows: [view({})] })).toBe(false);
    expect(decideAgain({ ...input, settings: { ...settings, enabled: false } })).toBe(false);
  });
});
