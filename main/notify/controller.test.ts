import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { translator } from "../../i18n/index.ts";
import { type DesktopSettings, desktopSettings, emptyLiveState } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";
import { FakeContext } from "../../test/support/desktop-context.ts";
import { desktopState, instantAt, liveAgent, liveState, NOW, question } from "../../test/support/desktop-state.ts";
import { Notifications } from "./controller.ts";
import { DIGEST_INTERVAL_MS } from "./digest.ts";
import type { NoticeContent, NoticeEvents, Notifier } from "./native.ts";
import { AGAIN_MS, BURST_MS, type WindowView } from "./policy.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Shown {
  readonly content: NoticeContent;
  readonly events: NoticeEvents;
  isOpen: boolean;
}

class FakeNotifier implements Notifier {
  readonly canAct = true;
  readonly all: Shown[] = [];
  /** What happens to those shown from now on. */
  outcome: (events: NoticeEvents) => void = (events) => events.onShown();

  show(content: NoticeContent, events: NoticeEvents) {
    const shown: Shown = { content, events, isOpen: true };
    this.all.push(shown);
    this.outcome(events);
    return {
      close: () => {
        shown.isOpen = false;
      },
    };
  }

  get open(): NoticeContent[] {
    return this.all.filter(({ isOpen }) => isOpen).map(({ content }) => content);
  }

  get last(): Shown {
    const shown = this.all.at(-1);
    if (!shown) throw new Error("nothing was shown");
    return shown;
  }
}

function stage({ settings = {} }: { settings?: Partial<DesktopSettings["notifications"]> } = {}) {
  const defaults = desktopSettings.parse({});
  const all = { ...defaults, notifications: { ...defaults.notifications, ...settings } };
  const context = new FakeContext({ desktop: desktopState({ settings: all }) });
  const notifier = new FakeNotifier();
  const answers: unknown[] = [];
  const verdicts: string[] = [];
  const opened: string[] = [];
  const windows: WindowView[] = [];
  const t = translator("en");
  const controller = new Notifications({
    context,
    notifier,
    translator: () => t,
    actions: {
      answer: async (...given) => {
        answers.push(given);
      },
    },
    log: { record: ({ id }, surface, verdict) => void verdicts.push(`${id} ${surface} ${verdict}`) },
    windows: () => windows,
    openAnswer: (id) => opened.push(id),
    openInbox: () => opened.push("inbox"),
  });
  const ask = (...questions: Escalation[]): void =>
    context.change({ live: liveState({ questions, agents: [liveAgent()] }) });
  const pause = (pausedUntil: string | undefined): void => {
    const { pausedUntil: _, ...rest } = context.desktop();
    context.change({ desktop: pausedUntil === undefined ? rest : { ...rest, pausedUntil } });
  };
  return { context, notifier, answers, verdicts, opened, windows, controller, ask, pause };
}

function questions(count: number, fields: Partial<Escalation> = {}): Escalation[] {
  return Array.from({ length: count }, (_, index) => question({ id: `q${index}`, ...fields }));
}

describe("a question", () => {
  it("is told of once, and that is recorded", () => {
    const { ask, notifier, verdicts, context } = stage();
    ask(question());
    ask(question());
    context.change({});
    expect(notifier.all).toHaveLength(1);
    expect(notifier.last.content).toMatchObject({ title: "Builder (builder) asks", body: "Which port?" });
    expect(verdicts).toEqual(["escalation_1 notification shown"]);
  });

  it("opens when clicked", () => {
    const { ask, notifier, opened } = stage();
    ask(question());
    notifier.last.events.onClick();
    expect(opened).toEqual(["escalation_1"]);
  });

  it("is answered in place, with what was written; nothing written opens it", () => {
    const { ask, notifier, answers, opened } = stage();
    ask(question());
    expect(notifier.last.content.reply).toBe("Your answer");
    notifier.last.events.onReply("8080");
    notifier.last.events.onReply(" \n");
    expect(answers).toEqual([[{ scopeId: "shop", escalationId: "escalation_1" }, "8080", "notification"]]);
    expect(opened).toEqual(["escalation_1"]);
  });

  it("is answered by a button, in the agent's own words", () => {
    const { ask, notifier, answers, opened } = stage();
    ask(question({ kind: "choice", options: ["R&D", "Sales"] }));
    expect(notifier.last.content.actions).toEqual(["R&D", "Sales"]);
    notifier.last.events.onAction(1);
    notifier.last.events.onAction(7);
    expect(answers).toEqual([[{ scopeId: "shop", escalationId: "escalation_1" }, "Sales", "notification"]]);
    expect(opened).toEqual(["escalation_1"]);
  });

  it("is withdrawn once it was answered anywhere", () => {
    const { ask, notifier, verdicts } = stage();
    ask(question());
    ask();
    expect(notifier.open).toEqual([]);
    expect(verdicts.at(-1)).toBe("escalation_1 notification withdrawn");
  });

  it("goes when it is put off, and is told of again when it comes back", () => {
    const { ask, notifier } = stage();
    ask(question());
    ask(question({ deferredUntil: instantAt(60_000) }));
    expect(notifier.open).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(notifier.open).toHaveLength(1);
  });

  it("stays in the count but not on screen when it was waved away", () => {
    const { ask, notifier, verdicts } = stage();
    ask(question());
    notifier.last.events.onDismissed();
    ask();
    expect(verdicts).toEqual(["escalation_1 notification shown", "escalation_1 notification dismissed"]);
  });

  it("is not told of where it is on screen", () => {
    const { ask, notifier, verdicts, windows } = stage();
    windows.push({ kind: "answer", isVisible: true, isFocused: true, escalationId: "escalation_1" });
    ask(question());
    expect(notifier.all).toEqual([]);
    expect(verdicts).toEqual(["escalation_1 notification suppressed_visible"]);
  });

  it("is not told of where that is switched off", () => {
    const { ask, verdicts } = stage({ settings: { enabled: false } });
    ask(question());
    expect(verdicts).toEqual(["escalation_1 notification suppressed_disabled"]);
  });

  it("keeps its words from a locked screen if that is wished, and its buttons with them", () => {
    const { ask, notifier } = stage({ settings: { showContent: false } });
    ask(question({ kind: "choice", options: ["secret", "more"] }));
    expect(JSON.stringify(notifier.last.content)).not.toMatch(/secret|port|Builder/);
    expect(notifier.last.content).toMatchObject({ title: "An agent asks you something", actions: [] });
  });

  it("says what the system did not let happen", () => {
    const { ask, notifier, verdicts, context } = stage();
    notifier.outcome = (events) => events.onFailed("denied", "0x803E0111");
    ask(question({ id: "a" }));
    notifier.outcome = (events) => events.onFailed("failed", "no service");
    ask(question({ id: "a" }), question({ id: "b" }));
    expect(verdicts).toEqual(["a notification os_denied", "b notification failed"]);
    expect(context.notices.map(({ code }) => code)).toEqual(["notifications-denied"]);
  });
});

describe("an urgent question", () => {
  const urgent = question({ urgency: "high" });

  it("is told of once more, later and no louder, as long as it waits", () => {
    const { ask, notifier } = stage();
    ask(urgent);
    vi.advanceTimersByTime(AGAIN_MS);
    expect(notifier.all.map(({ content }) => content.title)).toEqual([
      "Urgent: Builder (builder) asks",
      "Builder (builder) still waits",
    ]);
    expect(notifier.open).toHaveLength(1);
    vi.advanceTimersByTime(10 * AGAIN_MS);
    expect(notifier.all).toHaveLength(2);
  });

  it.each([
    ["answered", []],
    ["put off", [question({ urgency: "high", deferredUntil: instantAt(100 * AGAIN_MS) })]],
  ])("is not when it was %s", (_, after) => {
    const { ask, notifier } = stage();
    ask(urgent);
    ask(...after);
    vi.advanceTimersByTime(2 * AGAIN_MS);
    expect(notifier.all).toHaveLength(1);
  });

  it("breaks a pause", () => {
    const { ask, pause, notifier } = stage();
    pause(instantAt(60_000));
    ask(urgent);
    expect(notifier.open).toHaveLength(1);
  });
});

describe("many questions", () => {
  it("are told of in one notification when they come at once", () => {
    const { ask, notifier, verdicts, opened } = stage();
    ask(...questions(4), question({ id: "other", agentId: "planner" }));
    expect(notifier.all).toHaveLength(1);
    expect(notifier.last.content.title).toBe("5 questions from 2 agents");
    expect(verdicts).toHaveLength(5);
    notifier.last.events.onClick();
    expect(opened).toEqual(["inbox"]);
  });

  it("become one when they come one after the other, and it is replaced only now and then", async () => {
    const { ask, notifier } = stage();
    const all = questions(20);
    for (const [index] of all.entries()) ask(...all.slice(0, index + 1));
    expect(notifier.all).toHaveLength(3 + 1);
    expect(notifier.open.map(({ title }) => title)).toEqual(["4 questions from 1 agent"]);
    await vi.advanceTimersByTimeAsync(DIGEST_INTERVAL_MS);
    expect(notifier.open.map(({ title, isSilent }) => [title, isSilent])).toEqual([
      ["20 questions from 1 agent", true],
    ]);
  });

  it.each([[[4, 2]], [[5, 1]], [[4, 1, 1]], [[2, 4]], [[1, 1, 1, 1, 2]]])(
    "become one when they come in portions of %j",
    async (portions) => {
      const { ask, notifier } = stage();
      let count = 0;
      for (const portion of portions) {
        count += portion;
        ask(...questions(count));
      }
      await vi.advanceTimersByTimeAsync(DIGEST_INTERVAL_MS);
      expect(notifier.open.map(({ title }) => title)).toEqual(["6 questions from 1 agent"]);
    },
  );

  it("leave an urgent one its own notification", () => {
    const { ask, notifier } = stage();
    const urgent = question({ id: "u", urgency: "high" });
    ask(urgent);
    ask(urgent, ...questions(4));
    expect(notifier.open.map(({ id }) => id)).toEqual(["u", "digest"]);
  });

  it("are withdrawn with the last of them", () => {
    const { ask, notifier } = stage();
    const all = questions(5);
    ask(...all);
    ask(...all.slice(0, 1));
    expect(notifier.open).toHaveLength(1);
    ask();
    expect(notifier.open).toEqual([]);
  });

  it("are told of one by one again after a while", () => {
    const { ask, notifier } = stage();
    const all = questions(6);
    ask(...all.slice(0, 5));
    vi.advanceTimersByTime(BURST_MS);
    ask(...all);
    expect(notifier.last.content.id).toBe("q5");
  });

  it("that waved-away notification stood for do not come back with the next one", async () => {
    const { ask, notifier } = stage();
    const all = questions(5);
    ask(...all);
    notifier.last.events.onDismissed();
    await vi.advanceTimersByTimeAsync(DIGEST_INTERVAL_MS);
    ask(...all, ...questions(9).slice(5));
    expect(notifier.last.content.title).toBe("4 questions from 1 agent");
  });
});

describe("a pause", () => {
  it("keeps questions back, and tells of them together when it ends", () => {
    const { ask, pause, notifier, verdicts } = stage();
    pause(instantAt(60_000));
    ask(...questions(2));
    expect(notifier.all).toEqual([]);
    expect(verdicts).toEqual(["q1 notification suppressed_paused", "q0 notification suppressed_paused"]);
    vi.advanceTimersByTime(60_000);
    expect(notifier.all.map(({ content }) => content.title)).toEqual([
      "2 questions came in while notifications were paused",
    ]);
  });

  it("that is ended by hand tells of a single question in its own words", () => {
    const { ask, pause, notifier } = stage();
    pause(instantAt(60_000));
    ask(question());
    pause(undefined);
    expect(notifier.last.content.body).toBe("Which port?");
  });

  it("says nothing of what was answered meanwhile", () => {
    const { ask, pause, notifier } = stage();
    pause(instantAt(60_000));
    ask(question());
    ask();
    pause(undefined);
    expect(notifier.all).toEqual([]);
  });
});

describe("the beginning and the end", () => {
  it("tells of what waits already, once it is known", () => {
    const { context, notifier } = stage();
    context.change({ live: { ...emptyLiveState(instantAt()), questions: { q: question({ id: "q" }) } } });
    expect(notifier.all).toEqual([]);
    context.change({ live: liveState({ questions: questions(1) }) });
    expect(notifier.all).toHaveLength(1);
  });

  it("takes everything away", () => {
    const { ask, notifier, controller, context } = stage();
    ask(question({ urgency: "high" }), ...questions(4));
    controller.close();
    expect([notifier.open, context.listeners, vi.getTimerCount()]).toEqual([[], 0, 0]);
  });
});
