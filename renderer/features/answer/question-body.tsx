import { File, FileText, Link2, Quote } from "lucide-react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import type { ContextItem } from "../../../protocol/objects/message.ts";
import { clockTime } from "../../lib/time.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import styles from "./question.module.css";

const ICONS = { text: FileText, file: File, url: Link2, reference: Quote } as const;

/** The question itself, what the agent adds to it, and what becomes of it without an answer. */
export function QuestionBody({ question }: { readonly question: Escalation }) {
  const t = useText();
  const { context, expiresAt, status } = question;
  return (
    <>
      <PeerText className={styles.question}>{question.question}</PeerText>
      {context.length > 0 && (
        <section aria-label={t("answer.context")} className={styles.context}>
          {context.map((item) => (
            <ContextBlock key={JSON.stringify(item)} item={item} />
          ))}
        </section>
      )}
      {status === "pending" && (
        <p className={styles.ifNobody}>
          {expiresAt
            ? t("answer.ifNobody.expires", { time: clockTime(expiresAt, Date.now(), t.locale) })
            : t("answer.ifNobody.waits")}
        </p>
      )}
    </>
  );
}

function ContextBlock({ item }: { readonly item: ContextItem }) {
  const t = useText();
  const Icon = ICONS[item.kind];
  return (
    <figure className={styles.item}>
      <figcaption className={styles.itemTitle}>
        <Icon aria-label={t("answer.context.kind", { kind: item.kind })} />
        <bdi>{visibleLine(item.title, 200)}</bdi>
      </figcaption>
      {item.uri && (
        <PeerText className={styles.uri} longest={300}>
          {item.uri}
        </PeerText>
      )}
      {item.text && (
        <PeerText className={styles.itemText} longest={1200}>
          {item.text}
        </PeerText>
      )}
    </figure>
  );
}
