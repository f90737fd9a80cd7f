import type { Timers } from "../../client/index.ts";
import { Lane } from "../../client/live/lane.ts";
import type { Translator } from "../../i18n/index.ts";
import type { Escalation } from "../../protocol/index.ts";
import { digestNotice } from "./content.ts";
import type { Notifier, ShownNotification } from "./native.ts";

/** The one notification about many questions is replaced no more often than this. */
export const DIGEST_INTERVAL_MS = 10_000;
const DIGEST_ID = "digest";

export interface DigestOptions {
  readonly timers: Timers;
  readonly notifier: Notifier;
  readonly translator: () => Translator;
  /** Called for each question of a digest that is on screen. */
  readonly onShown: (question: Escalation) => void;
  readonly onFailed: (why: "denied" | "failed", error: string) => void;
  readonly onClick: () => void;
}

/** One notification about all questions that came too fast to be told of one by one. */
export class Digest {
  readonly #options: DigestOptions;
  readonly #lane: Lane;
  readonly #questions = new Map<string, Escalation>();
  #shown: ShownNotification | undefined;
  #isNews = false;
  #isSilent = true;
  #wasPaused = false;

  constructor(options: DigestOptions) {
    this.#options = options;
    this.#lane = new Lane(options.timers, DIGEST_INTERVAL_MS, async () => this.#replace());
  }

  /** @param wasPaused it came while notifications were paused, which are not any more */
  add(question: Escalation, isSilent: boolean, wasPaused = false): void {
    this.#isSilent = (this.#questions.size === 0 || this.#isSilent) && isSilent;
    this.#wasPaused = this.#questions.size === 0 ? wasPaused : this.#wasPaused && wasPaused;
    this.#questions.set(question.id, question);
    this.#isNews = true;
  }

  /** Shows what was added since, now or as soon as it may. */
  show(): void {
    if (!this.#isNews) return;
    this.#isNews = false;
    this.#lane.request();
  }

  /** The question does not wait any more. With the last one the notification goes, too. */
  remove(id: string): void {
    if (!this.#questions.delete(id) || this.#questions.size > 0) return;
    this.#shown?.close();
    this.#shown = undefined;
  }

  close(): void {
    this.#lane.close();
    this.#questions.clear();
    this.#shown?.close();
    this.#shown = undefined;
  }

  #replace(): void {
    const { notifier, translator, onShown, onFailed, onClick } = this.#options;
    const questions = [...this.#questions.values()];
    if (questions.length === 0) return;
    this.#shown?.close();
    // One that takes the place of another only makes the number right.
    const isSilent = this.#isSilent || this.#shown !== undefined;
    const content = digestNotice(DIGEST_ID, questions, { t: translator(), isSilent, wasPaused: this.#wasPaused });
    this.#shown = notifier.show(content, {
      onShown: () => questions.forEach(onShown),
      onFailed,
      onClick,
      onAction: onClick,
      onReply: onClick,
      onDismissed: () => {
        this.#questions.clear();
        this.#shown = undefined;
      },
    });
  }
}
