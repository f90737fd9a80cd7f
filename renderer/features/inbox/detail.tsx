import { useEffect, useRef } from "react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { useKeys } from "../../keyboard/use-keys.ts";
import { useApp, useHost, useText } from "../../state/context.tsx";
import { useReading } from "../../state/reading.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AnswerForm } from "../answer/answer-form.tsx";
import { Outcome } from "../answer/outcome.tsx";
import { QuestionBody } from "../answer/question-body.tsx";
import { QuestionHead } from "../answer/question-head.tsx";
import { useSeen } from "../answer/seen.ts";
import { undoLastAnswer } from "../answer/use-answering.ts";
import { Audit } from "./audit.tsx";
import styles from "./inbox.module.css";

interface QuestionDetailProps {
  readonly id: string;
  readonly scopeId: string;
  /** This one is dealt with: on to the next. */
  readonly onDone: () => void;
}

/** One question, wherever it stands. */
export function QuestionDetail({ id, scopeId, onDone }: QuestionDetailProps) {
  const t = useText();
  const host = useHost();
  const pending = useApp((state) => state.live.questions[id]);
  const closed = useApp((state) => state.closed[id]);
  // What is not pending is read, and again when the agent reads its answer.
  const reading = useReading(
    pending ? undefined : `question ${scopeId} ${id}`,
    () => host.call("getScopeEscalation", { escalationId: id }, scopeId),
    (event) => event.subjectId === id,
  );
  const question = pending ?? reading.data ?? closed;
  useKeys({ u: undoLastAnswer });
  if (!question) {
    return reading.error ? (
      <Problem title={t("inbox.question.failed")} error={reading.error} onRetry={() => reading.again()} />
    ) : (
      <Skeleton rows={4} />
    );
  }
  return <Shown question={question} wasClosedHere={closed !== undefined} onDone={onDone} />;
}

interface ShownProps {
  readonly question: Escalation;
  readonly wasClosedHere: boolean;
  readonly onDone: () => void;
}

function Shown({ question, wasClosedHere, onDone }: ShownProps) {
  const t = useText();
  const frame = useRef<HTMLDivElement>(null);
  useSeen(question);
  const canAnswer = question.status === "pending" || question.status === "expired";
  useEffect(() => {
    frame.current?.parentElement?.scrollTo(0, 0);
  }, []);
  return (
    <div ref={frame} className={styles.detail}>
      <QuestionHead question={question} />
      <QuestionBody question={question} />
      <Outcome question={question} />
      {canAnswer && <AnswerForm question={question} onAnswered={onDone} onDeferred={onDone} />}
      {wasClosedHere && question.status !== "pending" && (
        <Button className={styles.next} onClick={onDone}>
          {t("inbox.next")}
        </Button>
      )}
      <Audit question={question} />
    </div>
  );
}
