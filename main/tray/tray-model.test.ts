import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { translator } from "../../i18n/index.ts";
import { type DesktopState, LOCALES, SUPERVISOR_STATES } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";
import { desktopState, instantAt, liveAgent, liveState, NOW, question } from "../../test/support/desktop-state.ts";
import { daemonCondition, isDown, LOST_GRACE_MS } from "./condition.ts";
import type { MenuItem } from "./menu.ts";
import { type TrayModel, type TrayState, trayModel } from "./tray-model.ts";

const PLATFORMS = ["darwin", "linux", "win32"] as const;
const en = translator("en");

function model(state: Partial<TrayState> = {}, platform: DesktopState["platform"] = "linux", now = NOW): TrayModel {
  return trayModel({ live: liveState(), desktop: desktopState(), ...state }, platform, en, now);
}

function withQuestions(...questions: Escalation[]): TrayModel {
  return model({ live: liveState({ questions }) });
}

function flat(items: readonly MenuItem[]): MenuItem[] {
  return items.flatMap((item) => (item.kind === "submenu" ? [item, ...flat(item.items)] : [item]));
}

function find(menu: TrayModel, id: string): MenuItem | undefined {
  return flat(menu.menu).find((item) => item.kind !== "separator" && item.id === id);
}

function labels(items: readonly MenuItem[]): string[] {
  return items.flatMap((item) => (item.kind === "separator" ? [] : [item.label]));
}

function submenuOf(menu: TrayModel, id: string): readonly MenuItem[] {
  const item = find(menu, id);
  if (item?.kind !== "submenu") throw new Error(`no submenu ${id}`);
  return item.items;
}

describe("icon", () => {
  const asked = liveState({ questions: [question()] });
  const working = liveState({ agents: [liveAgent({ lifecycle: "working" })] });
  const paused = desktopState({ pausedUntil: instantAt(1000) });
  const failed = desktopState({ supervisor: { state: "failed", since: instantAt(), failures: 5 } });

  it.each([
    ["idle", {}],
    ["working", { live: working }],
    ["idle", { live: liveState({ agents: [liveAgent({ lifecycle: "working", reachable: false })] }) }],
    ["needs-you", { live: asked }],
    ["needs-you", { live: asked, desktop: paused }],
    ["paused", { live: working, desktop: paused }],
    ["idle", { desktop: desktopState({ pausedUntil: instantAt(-1) }) }],
    ["down", { live: asked, desktop: failed }],
    ["down", { live: liveState({ link: { state: "refused", since: instantAt() } }) }],
  ] as const)("%s", (icon, state) => {
    expect(model(state).icon).toBe(icon);
  });

  it.each(PLATFORMS)("on %s every state of the daemon has an icon, a tooltip and its line in the menu", (platform) => {
    for (const state of SUPERVISOR_STATES) {
      const supervisor = { state, since: instantAt(), failures: 0 };
      const result = model({ desktop: desktopState({ supervisor }) }, platform);
      const isUp = ["ready", "adopting", "starting", "stopping"].includes(state);
      expect([state, result.icon]).toEqual([state, isUp ? "idle" : "down"]);
      expect(result.tooltip).toMatch(/^Agent Intercom/);
      expect(find(result, "daemon")).toMatchObject({ kind: "text", label: expect.stringMatching(/^Daemon: ./) });
      expect(find(result, "restart") !== undefined).toBe(!isUp);
    }
  });

  it("says nothing of a connection that breaks for a moment", () => {
    const lost = { live: liveState({ link: { state: "lost", since: instantAt() } }) };
    expect(model(lost)).toMatchObject({ icon: "idle", refreshAt: NOW + LOST_GRACE_MS });
    expect(model(lost, "linux", NOW + LOST_GRACE_MS)).toMatchObject({ icon: "down", refreshAt: Infinity });
    expect(isDown(daemonCondition(lost.live, desktopState(), NOW + LOST_GRACE_MS))).toBe(true);
  });
});

describe("the one number", () => {
  it("is the same in icon, tooltip, title, badge and menu, for any questions on any platform", () => {
    const draft = fc.record({
      id: fc.uuid(),
      urgency: fc.constantFrom("low", "normal", "high"),
      deferred: fc.option(fc.integer({ min: -3, max: 3 })),
    });
    fc.assert(
      fc.property(fc.uniqueArray(draft, { selector: ({ id }) => id, maxLength: 12 }), (drafts) => {
        const questions = drafts.map(({ id, urgency, deferred }) =>
          question({ id, urgency, ...(deferred === null ? {} : { deferredUntil: instantAt(deferred) }) }),
        );
        const expected = drafts.filter(({ deferred }) => deferred === null || deferred <= 0).length;
        for (const platform of PLATFORMS) {
          const result = model({ live: liveState({ questions }) }, platform);
          expect(result.count).toBe(expected);
          expect(result.icon).toBe(expected > 0 ? "needs-you" : "idle");
          expect(result.title).toBe(platform === "darwin" && expected > 0 ? String(expected) : "");
          expect(labels(result.menu)[0]).toBe(expected > 0 ? `Show inbox (${expected})` : "Show inbox");
          if (expected > 0) expect(result.tooltip).toContain(`${expected} question`);
          const shown = result.menu.filter((item) => item.kind === "submenu" && item.id.startsWith("question."));
          expect(shown).toHaveLength(Math.min(expected, 5));
          const rest = find(result, "more");
          if (expected > 5) expect(rest).toMatchObject({ label: expect.stringContaining(String(expected - 5)) });
          else expect(rest).toBeUndefined();
        }
      }),
    );
  });

  it("changes by itself when a question comes back and when the pause ends", () => {
    const live = liveState({ questions: [question({ deferredUntil: instantAt(500) })] });
    expect(model({ live })).toMatchObject({ count: 0, refreshAt: NOW + 500 });
    expect(model({ live }, "linux", NOW + 500)).toMatchObject({ count: 1, refreshAt: Infinity });
    expect(model({ desktop: desktopState({ pausedUntil: instantAt(70) }) }).refreshAt).toBe(NOW + 70);
  });
});

describe("menu", () => {
  it("is the same on every platform", () => {
    const live = liveState({ questions: [question({ options: ["a", "b"], kind: "choice" })], agents: [liveAgent()] });
    const [first, ...others] = PLATFORMS.map((platform) => model({ live }, platform).menu);
    for (const other of others) expect(other).toEqual(first);
  });

  it("is complete when nothing happens", () => {
    expect(labels(model().menu)).toEqual([
      "Show inbox",
      "No questions for you",
      "No agents here",
      "Pause notifications",
      "Connect an agent…",
      "Settings…",
      "Show logs",
      "Daemon: running",
      "Quit Agent Intercom",
    ]);
  });

  it("has no id twice, so that items can be told apart", () => {
    const questions = ["a", "b", "c"].map((id) => question({ id, kind: "choice", options: ["x", "y"] }));
    const ids = flat(withQuestions(...questions).menu).flatMap((item) => (item.kind === "separator" ? [] : [item.id]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("counts agents that are here, that work and that wait", () => {
    const agents = [
      liveAgent({ id: "a", lifecycle: "working" }),
      liveAgent({ id: "b" }),
      liveAgent({ id: "gone", reachable: false, lifecycle: "working" }),
    ];
    const questions = [question({ agentId: "a" }), question({ id: "2", agentId: "a", deferredUntil: instantAt(9) })];
    const item = find(model({ live: liveState({ agents, questions }) }), "agents");
    expect(item).toMatchObject({ label: "2 agents here, 1 working, 1 waiting for you" });
  });

  it("pauses notifications, and offers to resume only then", () => {
    const paused = desktopState({ pausedUntil: new Date(new Date(NOW).setHours(14, 30)).toISOString() });
    const now = new Date(NOW).setHours(14, 0);
    const result = model({ desktop: paused }, "linux", now);
    expect(find(result, "pause")).toMatchObject({ label: expect.stringMatching(/paused until 2:30\sPM$/) });
    expect(find(result, "pause.resume")).toMatchObject({ enabled: true, action: { do: "pause", delay: null } });
    expect(find(model(), "pause.resume")).toMatchObject({ enabled: false });
    expect(find(model(), "pause.halfHour")).toMatchObject({ action: { do: "pause", delay: "halfHour" } });
  });

  it("speaks every language there is", () => {
    for (const locale of LOCALES) {
      const live = liveState({ questions: [question({ urgency: "high", question: "x\n".repeat(30) })] });
      const result = trayModel({ live, desktop: desktopState() }, "linux", translator(locale), NOW);
      for (const label of labels(flat(result.menu))) expect(label).not.toBe("");
    }
  });
});

describe("a question in the menu", () => {
  const choice = question({ id: "q", kind: "choice", options: ["blue", "R&D"], question: "Which?" });

  it("shows who asks where, the whole question, and takes the exact words of an option as the answer", () => {
    const live = liveState({ questions: [choice], agents: [liveAgent({ metadata: { harness: "Codex" } })] });
    const items = submenuOf(model({ live }), "question.q");
    expect(labels(items)).toEqual(["Builder (builder) · Codex · shop", "Which?", "blue", "R&&D", "Answer…", "Later"]);
    expect(items[0]).toMatchObject({ kind: "text" });
    expect(find(model({ live }), "q.option.1")).toMatchObject({
      action: { do: "answer", scopeId: "shop", escalationId: "q", answer: "R&D" },
      enabled: true,
    });
  });

  it("never begins with what would grant a permission", () => {
    for (const options of [[], ["yes", "no"]]) {
      const items = submenuOf(withQuestions(question({ id: "q", kind: "permission", options })), "question.q");
      const first = items.find((item) => item.kind === "action" && item.enabled);
      expect(first).toMatchObject({ action: { do: "openAnswer" } });
    }
    const plain = withQuestions(question({ id: "q", kind: "permission" }));
    expect(labels(submenuOf(plain, "question.q")).slice(2, 5)).toEqual(["Answer…", "Deny", "Allow"]);
    expect(find(plain, "q.option.0")).toMatchObject({ action: { answer: "deny" } });
  });

  it("can be put off", () => {
    const result = withQuestions(choice);
    expect(labels(submenuOf(result, "q.later"))).toEqual(["In 10 minutes", "In an hour", "Tomorrow"]);
    expect(find(result, "q.later.hour")).toMatchObject({ action: { do: "defer", escalationId: "q", delay: "hour" } });
  });

  it("cannot be answered while the daemon is down, but is there", () => {
    const desktop = desktopState({ supervisor: { state: "failed", since: instantAt(), failures: 5 } });
    const result = model({ desktop, live: liveState({ questions: [choice] }) });
    expect(find(result, "q.option.0")).toMatchObject({ enabled: false });
    expect(find(result, "q.later.hour")).toMatchObject({ enabled: false });
    expect(find(result, "q.write")).toMatchObject({ enabled: true });
    expect(result.count).toBe(1);
  });

  it("is marked when urgent, and before the others", () => {
    const result = withQuestions(
      question({ id: "new", createdAt: instantAt(1) }),
      question({ id: "u", urgency: "high" }),
    );
    const first = result.menu.find((item) => item.kind === "submenu");
    expect(first).toMatchObject({ id: "question.u", label: "❗ builder: Which port?" });
  });

  it("is wrapped, and says where the rest is when it is long", () => {
    const items = submenuOf(withQuestions(question({ id: "q", question: "word ".repeat(700) })), "question.q");
    const read = items.filter((item) => item.kind === "text");
    expect(read).toHaveLength(1 + 12 + 1);
    expect(labels(read).at(-1)).toContain("the rest");
  });

  it("commands nothing, whatever the agent writes", () => {
    const hostile = fc.string({ unit: "binary", minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(hostile, hostile, fc.array(hostile, { minLength: 2, maxLength: 4 }), (name, text, options) => {
        const live = liveState({
          questions: [question({ id: "q", kind: "choice", question: text, options })],
          agents: [liveAgent({ displayName: name, metadata: { harness: text, cwd: name } })],
        });
        const items = flat(model({ live }).menu);
        for (const label of labels(items)) {
          expect(label).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200e\u200f]/u);
          expect(label.replaceAll("&&", "")).not.toContain("&");
          expect(label.length).toBeLessThan(2500);
        }
        const given = items.flatMap((item) =>
          item.kind === "action" && item.action.do === "answer" ? [item.action.answer] : [],
        );
        expect(given).toEqual(options);
      }),
    );
  });
});
