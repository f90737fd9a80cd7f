import type { Translator } from "../../i18n/index.ts";
import type { Escalation } from "../../protocol/index.ts";
import type { HumanActions } from "../human/human-actions.ts";
import type { NoticeLog } from "../human/notice-log.ts";
import { nextReturn, waitingQuestions } from "../human/waiting.ts";
import type { AppContext } from "../shell.ts";
import { questionNotice } from "./content.ts";
import { Digest } from "./digest.ts";
import type { NoticeEvents, Notifier, ShownNotification } from "./native.ts";
import { BURST_MS, type Decision, decide, decideAgain, isTold, type ShownNotice, type WindowView } from "./policy.ts";

export interface NotificationsOptions {
  readonly context: Pick<AppContext, "timers" | "logger" | "live" | "desktop" | "subscribe" | "notice">;
  readonly notifier: Notifier;
  readonly translator: () => Translator;
  readonly actions: Pick<HumanActions, "answer">;
  readonly log: Pick<NoticeLog, "record">;
  readonly windows: () => readonly WindowView[];
  readonly openAnswer: (escalationId: string) => void;
  readonly openInbox: () => void;
}

interface Shown {
  readonly question: Escalation;
  /** Undefined for the moment in which it is being shown, and may fail. */
  notification: ShownNotification | undefined;
}

/** Tells the human of questions, each once: what is new, what comes back, and what came while notifications were paused. */
export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #digest: Digest;
  readonly #unsubscribe: () => void;
  /** Questions that wait and were decided on. */
  readonly #known = new Set<string>();
  readonly #shown = new Map<string, Shown>();
  readonly #reminders = new Map<string, unknown>();
  /** Kept back by the pause. */
  readonly #held = new Set<string>();
  #recent: ShownNotice[] = [];
  #wake: unknown;

  constructor(options: NotificationsOptions) {
    this.#options = options;
    const { context, notifier, translator, log, openInbox } = options;
    this.#digest = new Digest({
      timers: context.timers,
      notifier,
      translator,
      onShown: (question) => log.record(question, "notification", "digest"),
      onFailed: (why, error) => this.#failed(why, error),
      onClick: openInbox,
    });
    this.#unsubscribe = context.subscribe(() => this.#update());
    this.#update();
  }

  /** Takes all notifications away: after the app has ended nobody would hear a click. */
  close(): void {
    const { timers } = this.#options.context;
    this.#unsubscribe();
    timers.clearTimeout(this.#wake);
    for (const reminder of this.#reminders.values()) timers.clearTimeout(reminder);
    for (const { notification } of this.#shown.values()) notification?.close();
    this.#shown.clear();
    this.#digest.close();
  }

  #update(): void {
    const { context } = this.#options;
    const { questions, link } = context.live();
    // Before that nothing is known, which is not the same as that there are none.
    if (link.state === "connecting") return;
    const now = context.timers.now();
    const waiting = waitingQuestions(questions, now);
    this.#forgetAllBut(new Set(waiting.map(({ id }) => id)));
    const fresh = waiting.filter(({ id }) => !this.#known.has(id));
    this.#recent = this.#recent.filter(({ at }) => now - at < BURST_MS);
    for (const question of fresh) {
      this.#known.add(question.id);
      this.#carryOut(question, this.#decide(question, fresh.length));
    }
    const pauseEnd = this.#pauseEnd(now);
    if (pauseEnd === undefined) this.#tellHeld(waiting);
    this.#digest.show();
    this.#wakeAt(
      Math.min(nextReturn(questions, now) ?? Number.POSITIVE_INFINITY, pauseEnd ?? Number.POSITIVE_INFINITY),
      now,
    );
  }

  #policyInput(question: Escalation) {
    const { context, windows } = this.#options;
    const { settings, pausedUntil } = context.desktop();
    return {
      question,
      now: context.timers.now(),
      settings: settings.notifications,
      pausedUntil,
      windows: windows(),
    };
  }

  #decide(question: Escalation, together: number): Decision {
    return decide({ ...this.#policyInput(question), recent: this.#recent, together });
  }

  #carryOut(question: Escalation, decision: Decision): void {
    const { context, log } = this.#options;
    // One that joins others is one of the burst, too: the next ones join them, though fewer of those come at once.
    if (isTold(decision)) this.#recent.push({ at: context.timers.now() });
    switch (decision.verdict) {
      case "shown":
        this.#show(question, decision.isSilent, false);
        if (decision.again !== undefined) this.#remindAt(question.id, decision.again);
        return;
      case "digest":
        this.#gather(question, decision.isSilent);
        return;
      case "suppressed_paused":
        this.#held.add(question.id);
        log.record(question, "notification", decision.verdict);
        return;
      default:
        log.record(question, "notification", decision.verdict);
    }
  }

  #show(question: Escalation, isSilent: boolean, isAgain: boolean): void {
    const { context, notifier, translator } = this.#options;
    this.#shown.get(question.id)?.notification?.close();
    const { content, answers } = questionNotice(question, {
      settings: context.desktop().settings.notifications,
      agents: context.live().agents,
      t: translator(),
      isSilent,
      isAgain,
    });
    const shown: Shown = { question, notification: undefined };
    this.#shown.set(question.id, shown);
    shown.notification = notifier.show(content, this.#eventsOf(question, answers));
  }

  /** From now on one notification stands for this question and those before it. Urgent ones keep theirs. */
  #gather(question: Escalation, isSilent: boolean): void {
    for (const [id, shown] of this.#shown) {
      if (shown.question.urgency === "high") continue;
      shown.notification?.close();
      this.#shown.delete(id);
      this.#digest.add(shown.question, true);
    }
    this.#digest.add(question, isSilent);
  }

  #eventsOf(question: Escalation, answers: readonly string[]): NoticeEvents {
    const { log, actions, openAnswer } = this.#options;
    const { id, scopeId } = question;
    const answer = (text: string | undefined): void => {
      if (text === undefined || text.trim() === "") openAnswer(id);
      else void actions.answer({ scopeId, escalationId: id }, text, "notification");
    };
    return {
      onShown: () => log.record(question, "notification", "shown"),
      onFailed: (why, error) => {
        this.#shown.delete(id);
        log.record(question, "notification", why === "denied" ? "os_denied" : "failed");
        this.#failed(why, error);
      },
      onClick: () => openAnswer(id),
      onAction: (index) => answer(answers[index]),
      onReply: answer,
      onDismissed: () => {
        this.#shown.delete(id);
        log.record(question, "notification", "dismissed");
      },
    };
  }

  #failed(why: "denied" | "failed", error: string): void {
    const { context } = this.#options;
    context.logger.warn("a notification was not shown", { why, error });
    if (why === "denied") context.notice({ id: "notifications-denied", code: "notifications-denied", values: {} });
  }

  #remindAt(id: string, at: number): void {
    const { timers } = this.#options.context;
    const remind = (): void => {
      this.#reminders.delete(id);
      const question = this.#options.context.live().questions[id];
      if (question && decideAgain(this.#policyInput(question))) this.#show(question, false, true);
    };
    this.#reminders.set(id, timers.setTimeout(remind, at - timers.now()));
  }

  /** Answered, put off, taken back or expired: what is told of it goes away, wherever it was decided. */
  #forgetAllBut(waiting: ReadonlySet<string>): void {
    const { context, log } = this.#options;
    for (const id of this.#known) {
      if (waiting.has(id)) continue;
      this.#known.delete(id);
      this.#held.delete(id);
      this.#digest.remove(id);
      context.timers.clearTimeout(this.#reminders.get(id));
      this.#reminders.delete(id);
      const shown = this.#shown.get(id);
      this.#shown.delete(id);
      if (!shown) continue;
      shown.notification?.close();
      log.record(shown.question, "notification", "withdrawn");
    }
  }

  #pauseEnd(now: number): number | undefined {
    const { pausedUntil } = this.#options.context.desktop();
    const end = pausedUntil === undefined ? 0 : Date.parse(pausedUntil);
    return end > now ? end : undefined;
  }

  #tellHeld(waiting: readonly Escalation[]): void {
    const held = waiting.filter(({ id }) => this.#held.has(id));
    this.#held.clear();
    for (const question of held) {
      const decision = this.#decide(question, 1);
      if (isTold(decision) && held.length > 1) this.#digest.add(question, decision.isSilent, true);
      else this.#carryOut(question, decision);
    }
  }

  #wakeAt(at: number, now: number): void {
    const { timers } = this.#options.context;
    timers.clearTimeout(this.#wake);
    this.#wake = Number.isFinite(at) ? timers.setTimeout(() => this.#update(), at - now) : undefined;
  }
}
