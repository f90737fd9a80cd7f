import { memo } from "react";
import type { Conversation } from "../../../protocol/objects/message.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { Badge, Count } from "../../ui/badge.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import styles from "./messages.module.css";
import { pairOf, senderOf } from "./parties.ts";
import { partyWord } from "./party-name.tsx";

interface ConversationRowProps {
  readonly scopeId: string;
  readonly conversation: Conversation;
}

/** A conversation in the list: who, the last words, and what waits. */
export const ConversationRow = memo(function ConversationRow({ conversation }: ConversationRowProps) {
  const t = useText();
  const { lastMessage, undelivered, unreadByHuman } = conversation;
  const { left, right } = pairOf(conversation.left, conversation.right);
  const isNotice = left.kind === "system";
  return (
    <div className={styles.conversation}>
      <div className={styles.line}>
        <bdi className={styles.pair}>
          {t("messages.with", { left: partyWord(left, t), right: partyWord(right, t) })}
        </bdi>
        <RelativeTime at={lastMessage.createdAt} className={styles.faint} />
      </div>
      <div className={styles.line}>
        <span className={styles.last}>
          <span className={styles.author}>{partyWord(senderOf(lastMessage), t)}: </span>
          <bdi>{visibleLine(lastMessage.body, 140)}</bdi>
        </span>
        {unreadByHuman > 0 && (
          <>
            <span aria-hidden="true">
              <Count value={unreadByHuman} tone="accent" />
            </span>
            <span className="visually-hidden">{t("messages.unread", { count: unreadByHuman })}</span>
          </>
        )}
      </div>
      {(undelivered > 0 || isNotice) && (
        <div className={styles.badges}>
          {isNotice && <Badge>{t("messages.notice")}</Badge>}
          {undelivered > 0 && <Badge tone="warn">{t("messages.undelivered", { count: undelivered })}</Badge>}
        </div>
      )}
    </div>
  );
});
