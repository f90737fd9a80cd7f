import { describe, expect, it } from "vitest";
import { translator } from "../../i18n/index.ts";
import { IntercomError } from "../../protocol/index.ts";
import { FakeContext } from "../../test/support/desktop-context.ts";
import { instantAt, liveAgent, liveState, question } from "../../test/support/desktop-state.ts";
import { HumanActions } from "./human-actions.ts";
import { NoticeLog } from "./notice-log.ts";

const asked = { scopeId: "shop", escalationId: "escalation_1" };

function stage(respond: FakeContext["respond"]) {
  const context = new FakeContext({ live: liveState({ questions: [question()], agents: [liveAgent()] }) });
  context.respond = respond;
  const explained: string[] = [];
  const t = translator("en");
  const actions = new HumanActions({
    context,
    translator: () => t,
    explain: ({ title, body, escalationId }) => explained.push(`${escalationId}: ${title}: ${body}`),
  });
  return { context, actions, explained };
}

function fails(error: Error): FakeContext["respond"] {
  return () => {
    throw error;
  };
}

describe("an answer from outside of windows", () => {
  it("goes to the daemon as the human's, with where it was given, and needs no words when all went well", async () => {
    const { context, actions, explained } = stage(() => ({ ...question(), status: "resolved" }));
    await actions.answer(asked, "8080", "tray");
    expect(context.calls).toEqual([
      {
        operation: "resolveEscalation",
        input: { escalationId: "escalation_1", answer: "8080", by: "human", surface: "tray" },
        scopeId: "shop",
      },
    ]);
    expect(explained).toEqual([]);
  });

  it("that came late says so", async () => {
    const { actions, explained } = stage(() => ({ resolution: { late: true } }));
    await actions.answer(asked, "8080", "tray");
    expect(explained).toEqual([expect.stringContaining("after the question had expired")]);
  });

  it.each([
    [
      new IntercomError("CONFLICT", "no", { status: "resolved", surface: "cli" }),
      "answered already, on the command line",
    ],
    [
      new IntercomError("CONFLICT", "no", { status: "resolved", surface: "new" }),
      "answered already, by another program",
    ],
    [new IntercomError("CONFLICT", "no", { status: "cancelled" }), "taken its question back"],
    [new IntercomError("NOT_FOUND", "no"), "The question is gone"],
    [new IntercomError("INTERNAL", "the disk is full"), "did not get through: the disk is full"],
    [new Error("a\u202eb"), "did not get through: a\\u{202e}b"],
  ])("that lost a race or failed is explained: %s", async (error, words) => {
    const { actions, explained } = stage(fails(error));
    await actions.answer(asked, "8080", "notification");
    expect(explained).toHaveLength(1);
    expect(explained[0]).toMatch(/^escalation_1: Question of Builder \(builder\): /);
    expect(explained[0]).toContain(words);
  });
});

describe("a deferral", () => {
  it("counts from now", async () => {
    const { context, actions } = stage(() => question());
    await actions.defer(asked, "hour");
    expect(context.inputsOf("deferEscalation")).toEqual([{ escalationId: "escalation_1", delayMs: 3_600_000 }]);
  });

  it("of a question that is answered is explained", async () => {
    const { actions, explained } = stage(fails(new IntercomError("CONFLICT", "no", { status: "expired" })));
    await actions.defer(asked, "tenMinutes");
    expect(explained[0]).toContain("could not be put off");
  });
});

describe("the log of notices", () => {
  it("records each of them once, and again what could not be recorded", async () => {
    const context = new FakeContext();
    const log = new NoticeLog(context);
    log.record(question(), "tray", "shown");
    log.record(question({ expiresAt: instantAt() }), "tray", "shown");
    log.record(question(), "window", "seen");
    expect(context.inputsOf("recordEscalationNotice")).toEqual([
      { escalationId: "escalation_1", surface: "tray", verdict: "shown" },
      { escalationId: "escalation_1", surface: "window", verdict: "seen" },
    ]);
    context.respond = fails(new IntercomError("INTERNAL", "no daemon"));
    log.record(question(), "notification", "shown");
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    log.record(question(), "notification", "shown");
    expect(context.calls).toHaveLength(4);
  });
});
