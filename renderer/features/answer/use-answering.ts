import { useState } from "react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { clockTime } from "../../lib/time.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { asIntercomError } from "../../state/failure.ts";
import { say, sayProblem } from "../../ui/toasts.tsx";
import { draftKey } from "./choices.ts";
import { lostText, withdrawText } from "./explain.ts";

/** An answer is offered to be taken back for this long; the daemon would allow it a little longer. */
const UNDO_MS = 5000;

export interface Answer {
  readonly answer: string;
  readonly note?: string | undefined;
}

/** The answer that can still be taken back, if there is one. */
let undoLast: (() => void) | undefined;

export function undoLastAnswer(): void {
  undoLast?.();
}

export interface Answering {
  /** Nothing else can be done with the question until the daemon has answered. */
  readonly isBusy: boolean;
  /** Resolves with whether the question was answered. */
  answer(answer: Answer): Promise<boolean>;
  /** Puts the question off; 0 brings it back. Resolves with whether it was. */
  defer(delayMs: number): Promise<boolean>;
}

/** What can be done with a question. Says what came of it, and offers to take an answer back. */
export function useAnswering(question: Escalation): Answering {
  const app = useAppHandle();
  const t = useText();
  const [isBusy, setBusy] = useState(false);
  const { id: escalationId, scopeId, agentId } = question;

  function offerUndo(answer: Answer, typed: string): void {
    const stopListening = app.listen(({ events }) => {
      if (!events.some((event) => event.type === "escalation.answer_read" && event.subjectId === escalationId)) return;
      end();
      say({ title: t("answer.read", { agent: agentId }) });
    });
    const undo = async (): Promise<void> => {
      end();
      try {
        await app.host.call("withdrawAnswer", { escalationId }, scopeId);
        if (typed !== "") app.setDraft(draftKey(escalationId), typed);
        app.navigate({ view: "inbox", scopeId, id: escalationId });
        say({ title: t("answer.undone", { agent: agentId }) });
      } catch (error) {
        const failure = asIntercomError(error);
        sayProblem(t("answer.undo.failed"), { ...failure.toValue(), message: withdrawText(failure, agentId, t) });
      }
    };
    const hide = say({
      title: t("answer.sent", { agent: agentId }),
      text: answer.answer.slice(0, 80),
      action: { label: t("common.undo"), run: () => void undo() },
      timeoutMs: UNDO_MS,
    });
    const last = () => void undo();
    const timer = setTimeout(() => end(), UNDO_MS);
    function end(): void {
      clearTimeout(timer);
      stopListening();
      hide();
      if (undoLast === last) undoLast = undefined;
    }
    undoLast = last;
  }

  async function attempt(perform: () => Promise<void>, title: string): Promise<boolean> {
    setBusy(true);
    try {
      await perform();
      return true;
    } catch (error) {
      const failure = asIntercomError(error);
      sayProblem(title, { ...failure.toValue(), message: lostText(failure, t) ?? failure.message });
      return false;
    } finally {
      setBusy(false);
    }
  }

  return {
    isBusy,
    answer: (given) =>
      attempt(async () => {
        const { answer, note } = given;
        const typed = app.store.getState().drafts[draftKey(escalationId)] ?? "";
        const input = { escalationId, answer, surface: "window", ...(note ? { note } : {}) } as const;
        const { resolution } = await app.host.call("resolveEscalation", input, scopeId);
        app.setDraft(draftKey(escalationId), "");
        if (resolution?.late) say({ title: t("answer.sent", { agent: agentId }), text: t("answer.outcome.late") });
        else offerUndo(given, typed);
      }, t("answer.failed")),
    defer: (delayMs) =>
      attempt(async () => {
        const { deferredUntil } = await app.host.call("deferEscalation", { escalationId, delayMs }, scopeId);
        if (delayMs === 0 || !deferredUntil) return;
        say({
          title: t("answer.later.done", { time: clockTime(deferredUntil, Date.now(), t.locale) }),
          action: {
            label: t("common.undo"),
            run: () => void app.host.call("deferEscalation", { escalationId, delayMs: 0 }, scopeId).catch(() => {}),
          },
        });
      }, t("answer.defer.failed")),
  };
}
