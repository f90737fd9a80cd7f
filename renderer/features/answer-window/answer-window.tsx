import { ScrollArea } from "@base-ui/react/scroll-area";
import { ChevronLeft, ChevronRight, CircleCheck, Inbox, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { useKeys } from "../../keyboard/use-keys.ts";
import { Banners } from "../../shell/banners.tsx";
import { useHost, useText } from "../../state/context.tsx";
import { useDesktop } from "../../state/use-desktop.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { AnswerForm } from "../answer/answer-form.tsx";
import { shapeOf } from "../answer/choices.ts";
import { Outcome } from "../answer/outcome.tsx";
import { QuestionBody } from "../answer/question-body.tsx";
import { QuestionHead } from "../answer/question-head.tsx";
import { useSeen } from "../answer/seen.ts";
import { undoLastAnswer } from "../answer/use-answering.ts";
import styles from "./answer-window.module.css";
import { useTurn } from "./use-turn.ts";

/** The small window: one question at a time, to be answered without leaving the keyboard. */
export function AnswerWindow() {
  const t = useText();
  const host = useHost();
  const desktop = useDesktop();
  const turn = useTurn();
  const { question } = turn;
  const shownId = question?.status === "pending" ? question.id : null;

  useEffect(() => {
    document.title = t("answer.window.title");
  }, [t]);
  useEffect(() => {
    // What is on screen is not notified of; if this is not heard, it merely is.
    host.desktop?.ask("showing", { escalationId: shownId }).catch(() => {});
  }, [host, shownId]);

  const hide = () => void desktop.ask("hideWindow", {});
  const openInbox = () =>
    void desktop.ask("openMain", {
      view: "inbox",
      ...(question ? { scopeId: question.scopeId, id: question.id } : {}),
    });
  useKeys({ Escape: hide, j: turn.next, k: turn.previous, u: undoLastAnswer });

  return (
    <main className={styles.window}>
      <header className={styles.bar}>
        <h1 className={styles.title}>
          {turn.count > 0
            ? t("answer.window.position", { position: turn.position, count: turn.count })
            : t("answer.window.title")}
        </h1>
        <IconButton
          label={t("answer.window.previous")}
          shortcut="k"
          icon={<ChevronLeft />}
          disabled={turn.count < 2}
          onClick={turn.previous}
        />
        <IconButton
          label={t("answer.window.next")}
          shortcut="j"
          icon={<ChevronRight />}
          disabled={turn.count < 2}
          onClick={turn.next}
        />
        <IconButton label={t("answer.window.inbox")} icon={<Inbox />} onClick={openInbox} />
        <IconButton label={t("answer.window.hide")} shortcut="Escape" icon={<X />} onClick={hide} />
      </header>
      <Banners />
      {question ? (
        <Turn key={question.id} question={question} onDone={turn.done} />
      ) : (
        <EmptyState
          icon={<CircleCheck />}
          title={t("answer.window.none")}
          actions={<Button onClick={openInbox}>{t("answer.window.inbox")}</Button>}
        >
          <p>{t("answer.window.none.text")}</p>
        </EmptyState>
      )}
    </main>
  );
}

interface TurnProps {
  readonly question: Escalation;
  readonly onDone: () => void;
}

function Turn({ question, onDone }: TurnProps) {
  const t = useText();
  const frame = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const [opened, setOpened] = useState(0);
  useSeen(question);
  const isWords = shapeOf(question) === "words";

  useEffect(() => {
    const reopened = () => setOpened((count) => count + 1);
    window.addEventListener("focus", reopened);
    return () => window.removeEventListener("focus", reopened);
  }, []);
  // In the answer at once. Where a key answers it is the card, so that Enter on a button decides nothing by accident.
  useEffect(() => {
    if (opened >= 0) (isWords ? text.current : frame.current)?.focus({ preventScroll: true });
  }, [isWords, opened]);

  return (
    <div ref={frame} tabIndex={-1} className={styles.turn}>
      {/* Reached by Tab where it is longer than the window, so that arrow keys scroll it. */}
      <ScrollArea.Root className={styles.scroll}>
        <ScrollArea.Viewport className={styles.ask} style={{ overflow: "hidden auto" }}>
          <QuestionHead question={question} />
          <QuestionBody question={question} />
          <Outcome question={question} />
        </ScrollArea.Viewport>
      </ScrollArea.Root>
      <div className={styles.reply}>
        {question.status === "pending" ? (
          <AnswerForm question={question} textRef={text} escapeLeaves={false} onAnswered={onDone} onDeferred={onDone} />
        ) : (
          <Button look="primary" className={styles.next} onClick={onDone}>
            {t("answer.window.next")}
          </Button>
        )}
      </div>
    </div>
  );
}
