import { CornerUpLeft, Reply } from "lucide-react";
import { memo } from "react";
import { useStore } from "zustand";
import type { Message } from "../../../protocol/objects/message.ts";
import { cx } from "../../lib/cx.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { ContextItems } from "./context-items.tsx";
import { DeliveryLine } from "./delivery-line.tsx";
import styles from "./messages.module.css";
import { senderOf } from "./parties.ts";
import { PartyName, partyWord } from "./party-name.tsx";
import type { ThreadCache } from "./thread-cache.ts";

interface MessageCardProps {
  readonly message: Message;
  readonly thread: ThreadCache;
  /** Somebody was sent to this one. */
  readonly isTarget: boolean;
  readonly onShow: (messageId: string) => void;
  readonly onAnswer: (request: Message) => void;
}

export const MessageCard = memo(function MessageCard(props: MessageCardProps) {
  const { message, thread, isTarget, onShow, onAnswer } = props;
  const t = useText();
  const { fromKind, toKind, mode, body, context, scopeId, repliedAt } = message;
  const sender = senderOf(message);
  const isOwn = fromKind === "human";
  return (
    <article
      className={cx(
        styles.card,
        isOwn && styles.own,
        fromKind === "system" && styles.notice,
        isTarget && styles.target,
      )}
      aria-label={partyWord(sender, t)}
    >
      <header className={styles.meta}>
        <PartyName scopeId={scopeId} party={sender} />
        {fromKind === "system" && <Badge>{t("messages.notice")}</Badge>}
        {mode !== "notify" && (
          <Badge tone={mode === "request" ? "accent" : "neutral"}>{t(`messages.mode.${mode}`)}</Badge>
        )}
        <RelativeTime at={message.createdAt} className={styles.faint} />
      </header>
      {message.responseTo && <Answers thread={thread} requestId={message.responseTo} onShow={onShow} />}
      <PeerText>{body}</PeerText>
      {context.length > 0 && <ContextItems items={context} />}
      {message.about && <About message={message} />}
      <footer className={styles.fate}>
        <DeliveryLine message={message} thread={thread} />
        {mode === "request" && <Answered message={message} onShow={onShow} />}
        {mode === "request" && toKind === "human" && !repliedAt && (
          <Button icon={<Reply />} onClick={() => onAnswer(message)}>
            {t("messages.reply")}
          </Button>
        )}
      </footer>
    </article>
  );
});

interface AnswersProps {
  readonly thread: ThreadCache;
  readonly requestId: string;
  readonly onShow: (messageId: string) => void;
}

/** What a response answers. */
function Answers({ thread, requestId, onShow }: AnswersProps) {
  const t = useText();
  const request = useStore(thread.store, ({ messages }) => messages.find(({ id }) => id === requestId));
  if (!request) return <p className={styles.quote}>{t("messages.answers.gone")}</p>;
  return (
    <button type="button" className={styles.quote} title={t("messages.jump")} onClick={() => onShow(requestId)}>
      <CornerUpLeft aria-hidden="true" />
      <bdi>{t("messages.answers", { body: visibleLine(request.body, 120) })}</bdi>
    </button>
  );
}

function Answered({ message, onShow }: Pick<MessageCardProps, "message" | "onShow">) {
  const t = useText();
  const { repliedAt, responseMessageId } = message;
  if (!repliedAt) return <span className={styles.open}>{t("messages.unanswered")}</span>;
  return (
    <>
      <span className={styles.faint}>{t("messages.answered")}</span>
      {responseMessageId && (
        <Button look="plain" onClick={() => onShow(responseMessageId)}>
          {t("messages.jumpAnswer")}
        </Button>
      )}
    </>
  );
}

const PLACES = { escalation: "inbox", task: "tasks", linkRequest: undefined } as const;

/** The thing a notice tells of. */
function About({ message: { about, scopeId } }: Pick<MessageCardProps, "message">) {
  const app = useAppHandle();
  const t = useText();
  if (!about) return undefined;
  const view = PLACES[about.kind];
  const words = t(`messages.about.${about.kind}`);
  if (!view) return <p className={styles.faint}>{words}</p>;
  return (
    <Button look="plain" className={styles.about} onClick={() => app.navigate({ view, scopeId, id: about.id })}>
      {words}
    </Button>
  );
}
