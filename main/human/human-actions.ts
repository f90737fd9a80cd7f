import type { Translator } from "../../i18n/index.ts";
import { type Escalation, type IntercomError, isIntercomError, type OperationInput } from "../../protocol/index.ts";
import type { AppContext } from "../shell.ts";
import { askerOf } from "./asker.ts";
import { type Delay, delayMs } from "./later.ts";
import { oneLine } from "./plain-text.ts";

export type AnswerSurface = NonNullable<OperationInput<"resolveEscalation">["surface"]>;

export interface HumanActionsOptions {
  readonly context: Pick<AppContext, "call" | "live" | "timers" | "logger">;
  readonly translator: () => Translator;
  /** Tells the human what became of an answer that did not go through as meant. */
  readonly explain: (what: { readonly title: string; readonly body: string; readonly escalationId: string }) => void;
}

export interface AskedQuestion {
  readonly scopeId: string;
  readonly escalationId: string;
}

const REASON_WIDTH = 160;

/** What the human decides outside of windows. Nothing is dropped in silence: a lost race is explained. */
export class HumanActions {
  readonly #options: HumanActionsOptions;

  constructor(options: HumanActionsOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async answer(asked: AskedQuestion, answer: string, surface: AnswerSurface): Promise<void> {
    const { context, translator } = this.#options;
    const before = context.live().questions[asked.escalationId];
    try {
      const input = { escalationId: asked.escalationId, answer, by: "human", surface } as const;
      const { resolution } = await context.call("resolveEscalation", input, asked.scopeId);
      if (resolution?.late) this.#explain(asked, before, translator()("notify.answered.late"));
    } catch (error) {
      this.#explain(asked, before, this.#reasonOf(error, "notify.answered.failed"));
    }
  }

  /** Never rejects. */
  async defer(asked: AskedQuestion, delay: Delay): Promise<void> {
    const { context } = this.#options;
    const before = context.live().questions[asked.escalationId];
    try {
      const input = { escalationId: asked.escalationId, delayMs: delayMs(delay, context.timers.now()) };
      await context.call("deferEscalation", input, asked.scopeId);
    } catch (error) {
      this.#explain(asked, before, this.#reasonOf(error, "notify.deferred.failed"));
    }
  }

  #reasonOf(error: unknown, otherwise: "notify.answered.failed" | "notify.deferred.failed"): string {
    const t = this.#options.translator();
    if (isIntercomError(error, "NOT_FOUND")) return t("notify.answered.gone");
    if (isIntercomError(error, "CONFLICT")) {
      const { status, surface } = detailsOf(error);
      if (status === "resolved") return t("notify.answered.elsewhere", { surface: String(surface) });
      if (status === "cancelled") return t("notify.answered.cancelled");
    }
    this.#options.context.logger.warn("the human's decision did not get through", { error });
    return t(otherwise, { reason: oneLine(error instanceof Error ? error.message : String(error), REASON_WIDTH) });
  }

  #explain({ escalationId }: AskedQuestion, question: Escalation | undefined, body: string): void {
    const { context, translator, explain } = this.#options;
    const t = translator();
    const title = question
      ? t("notify.answered.title", { who: askerOf(question, context.live().agents).name })
      : t("app.name");
    explain({ title, body, escalationId });
  }
}

function detailsOf(error: IntercomError): Readonly<Record<string, unknown>> {
  return error.details ?? {};
}
