import { type KeyboardEvent, type RefObject, useId, useRef, useState } from "react";
import { PERMISSION_ANSWERS } from "../../../protocol/desktop/names.ts";
import { LIMITS } from "../../../protocol/limits.ts";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { useKeys } from "../../keyboard/use-keys.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Keys } from "../../ui/keys.tsx";
import { DraftArea, useDraft } from "../../ui/text-field.tsx";
import styles from "./answer-form.module.css";
import { bytesOver, draftKey, shapeOf } from "./choices.ts";
import { isInSight, useGuard } from "./guard.ts";
import { LaterMenu } from "./later-menu.tsx";
import { type Answer, useAnswering } from "./use-answering.ts";

interface AnswerFormProps {
  readonly question: Escalation;
  readonly onAnswered: () => void;
  readonly onDeferred: () => void;
  /** Escape in the text leaves it, so that single keys work again. Off where Escape closes the window. */
  readonly escapeLeaves?: boolean;
  readonly textRef?: RefObject<HTMLTextAreaElement | null>;
}

/** Every way to answer a question, by mouse and by keyboard. */
export function AnswerForm({ question, onAnswered, onDeferred, escapeLeaves = true, textRef }: AnswerFormProps) {
  const t = useText();
  const id = useId();
  const frame = useRef<HTMLElement>(null);
  const ownText = useRef<HTMLTextAreaElement>(null);
  const textArea = textRef ?? ownText;
  const guard = useGuard(question.id, frame);
  const { isBusy, answer, defer } = useAnswering(question);
  const [text] = useDraft(draftKey(question.id));
  const [isLaterOpen, setLaterOpen] = useState(false);
  const [hint, setHint] = useState("");
  const shape = shapeOf(question);
  const written = text.trim();
  const over = bytesOver(written, shape === "permission" ? "note" : "answer");
  const noteOver = bytesOver(written, "note");
  const isLate = question.status === "expired";

  /** Whether a key or click may decide now. A key whose answer is out of sight shows it instead; the next one decides. */
  function mayDecide({ answer: value }: Answer, by: "key" | "pointer"): boolean {
    if (isBusy || !guard.allows(by)) return false;
    const control = frame.current?.querySelector(`[data-answer="${CSS.escape(value)}"]`) ?? textArea.current;
    if (by === "pointer" || !control || isInSight(control)) return true;
    control.scrollIntoView({ block: "nearest" });
    setHint(t("answer.revealed"));
    return false;
  }

  async function give(given: Answer, by: "key" | "pointer"): Promise<void> {
    if (!mayDecide(given, by)) return;
    setHint("");
    if (await answer(given)) onAnswered();
  }

  const choose = (value: string, by: "key" | "pointer") => {
    if (noteOver === 0) void give({ answer: value, note: written || undefined }, by);
  };
  const sendText = (by: "key" | "pointer") => {
    if (written === "" || over > 0) return;
    if (shape === "permission") choose(PERMISSION_ANSWERS.deny, by);
    else void give({ answer: written }, by);
  };
  const putOff = async (ms: number) => {
    if (await defer(ms)) onDeferred();
  };

  const options = question.options.map((option, index) => [String(index + 1), () => choose(option, "key")] as const);
  useKeys({
    ...Object.fromEntries(options),
    ...(shape === "permission"
      ? { y: () => choose(PERMISSION_ANSWERS.allow, "key"), n: () => choose(PERMISSION_ANSWERS.deny, "key") }
      : {}),
    r: () => textArea.current?.focus(),
    ...(isLate ? {} : { l: () => setLaterOpen(true) }),
  });

  function pressInText(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      sendText("key");
    } else if (event.key === "Escape" && escapeLeaves) {
      event.preventDefault();
      textArea.current?.blur();
    }
  }

  /** A press of Enter or Space on a button is a click without coordinates. */
  const origin = (event: { readonly detail: number }) => (event.detail === 0 ? "key" : "pointer");

  return (
    <section ref={frame} className={styles.form} aria-label={t("answer.window.title")} aria-busy={isBusy}>
      {shape === "options" && (
        <ol className={styles.options} aria-label={t("answer.options")}>
          {question.options.map((option, index) => (
            <li key={option}>
              <Button
                data-answer={option}
                className={styles.option}
                aria-disabled={isBusy}
                onClick={(event) => choose(option, origin(event))}
              >
                <span className={styles.optionText}>{visibleLine(option, 256)}</span>
                {written !== "" && <span className={styles.withNote}>{t("answer.withNote")}</span>}
                <Keys chord={String(index + 1)} />
              </Button>
            </li>
          ))}
        </ol>
      )}
      <label htmlFor={id} className={styles.label}>
        {t(
          shape === "options"
            ? "answer.text.choice"
            : shape === "permission"
              ? "answer.text.permission"
              : "answer.text.input",
        )}
        <Keys chord="r" />
      </label>
      <DraftArea
        ref={textArea}
        id={id}
        draft={draftKey(question.id)}
        rows={shape === "words" ? 4 : 2}
        aria-invalid={over > 0}
        aria-describedby={`${id}-hint`}
        onKeyDown={pressInText}
      />
      <div className={styles.actions}>
        {!isLate && (
          <LaterMenu
            open={isLaterOpen}
            onOpenChange={setLaterOpen}
            disabled={isBusy}
            onDefer={(ms) => void putOff(ms)}
          />
        )}
        <p id={`${id}-hint`} role="status" className={over > 0 ? styles.invalid : styles.hint}>
          {over > 0
            ? t("answer.tooLong", { max: shape === "permission" ? LIMITS.reasonBytes : LIMITS.answerBytes, over })
            : isBusy
              ? t("answer.sending")
              : hint}
        </p>
        {shape === "permission" ? (
          <>
            <Button
              data-answer={PERMISSION_ANSWERS.deny}
              aria-disabled={isBusy}
              onClick={(event) => choose(PERMISSION_ANSWERS.deny, origin(event))}
            >
              {t(written === "" ? "answer.deny" : "answer.denyWithNote")}
              <Keys chord="n" />
            </Button>
            <Button
              data-answer={PERMISSION_ANSWERS.allow}
              aria-disabled={isBusy}
              onClick={(event) => choose(PERMISSION_ANSWERS.allow, origin(event))}
            >
              {t(written === "" ? "answer.allow" : "answer.allowWithNote")}
              <Keys chord="y" />
            </Button>
          </>
        ) : (
          <Button
            look={shape === "words" ? "primary" : "normal"}
            aria-disabled={isBusy || written === "" || over > 0}
            onClick={(event) => sendText(origin(event))}
          >
            {t(shape === "words" ? "answer.send" : "answer.sendOwn")}
            <Keys chord="mod+Enter" />
          </Button>
        )}
      </div>
    </section>
  );
}
