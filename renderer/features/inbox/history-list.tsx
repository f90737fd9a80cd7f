import { History, SearchX } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { EscalationStatus } from "../../../protocol/objects/escalation.ts";
import { useText } from "../../state/context.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SearchField } from "../../ui/text-field.tsx";
import styles from "./inbox.module.css";
import { QuestionList } from "./question-list.tsx";
import { useHistory } from "./use-history.ts";

const ENDS = ["resolved", "expired", "cancelled"] as const satisfies readonly EscalationStatus[];
const ALL = "all";
const FILTERS = [ALL, ...ENDS] as const;

interface HistoryListProps {
  readonly selected: string | undefined;
  readonly onSelect: (question: { readonly id: string; readonly scopeId: string }) => void;
}

/** What was asked and is closed, with a search in all of its words. */
export function HistoryList({ selected, onSelect }: HistoryListProps) {
  const t = useText();
  const [text, setText] = useState("");
  const [status, setStatus] = useState<(typeof FILTERS)[number]>(ALL);
  const wanted = useDeferredValue(text.trim());
  const history = useHistory({ text: wanted, status: status === ALL ? undefined : status });
  return (
    <>
      <div className={styles.search}>
        <SearchField
          aria-label={t("inbox.history.search")}
          placeholder={t("inbox.history.search")}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
        />
        <Select
          label={t("inbox.history.filter")}
          className={styles.filter}
          value={status}
          options={FILTERS.map((value) => ({ value, label: t(`inbox.history.${value}`) }))}
          onChange={setStatus}
        />
      </div>
      {history.error && (
        <Problem title={t("inbox.history.failed")} error={history.error} onRetry={() => history.again()} />
      )}
      {!history.data && !history.error && <Skeleton />}
      {history.data && history.data.length > 0 && (
        <QuestionList
          label={t("inbox.list.history")}
          questions={history.data}
          selected={selected}
          onSelect={onSelect}
          onEnd={history.readMore}
        />
      )}
      {history.data?.length === 0 &&
        (wanted === "" ? (
          <EmptyState icon={<History />} title={t("inbox.history.title")}>
            <p>{t("inbox.history.text")}</p>
          </EmptyState>
        ) : (
          <EmptyState icon={<SearchX />} title={t("inbox.history.none.title")}>
            <p>{t("inbox.history.none.text", { text: wanted })}</p>
          </EmptyState>
        ))}
    </>
  );
}
