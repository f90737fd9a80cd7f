import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { QuestionRow } from "./question-row.tsx";

interface QuestionListProps {
  readonly label: string;
  readonly questions: readonly Escalation[];
  readonly selected: string | undefined;
  readonly onSelect: (question: { readonly id: string; readonly scopeId: string }) => void;
  readonly onEnd?: () => void;
}

export function QuestionList({ label, questions, selected, onSelect, onEnd }: QuestionListProps) {
  return (
    <VirtualList
      label={label}
      items={questions}
      keyOf={({ id }) => id}
      selected={selected}
      estimate={84}
      onEnd={onEnd}
      onSelect={(key) => {
        const question = questions.find(({ id }) => id === key);
        if (question) onSelect({ id: question.id, scopeId: question.scopeId });
      }}
    >
      {(question) => <QuestionRow question={question} />}
    </VirtualList>
  );
}
