import { Paperclip } from "lucide-react";
import type { ContextItem } from "../../../protocol/objects/message.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useText } from "../../state/context.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import styles from "./messages.module.css";

/** What came along with a message, folded up. Addresses are text: nothing an agent names is opened from here. */
export function ContextItems({ items }: { readonly items: readonly ContextItem[] }) {
  const t = useText();
  // A message never changes what it brings.
  const keyed = items.map((item, at) => ({ item, key: `${at} ${item.title}` }));
  return (
    <details className={styles.context}>
      <summary>
        <Paperclip aria-hidden="true" />
        {t("messages.context", { count: items.length })}
      </summary>
      <ul className={styles.attachments}>
        {keyed.map(({ item, key }) => (
          <li key={key} className={styles.attachment}>
            <strong>
              {t(`messages.context.kind.${item.kind}`)}: <bdi>{visibleLine(item.title, 200)}</bdi>
            </strong>
            {item.uri && <PeerText className={styles.code}>{item.uri}</PeerText>}
            {item.text && (
              <PeerText className={styles.code} longest={1200}>
                {item.text}
              </PeerText>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
