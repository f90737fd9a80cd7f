import { useState } from "react";
import { cx } from "../lib/cx.ts";
import { visibleParts } from "../lib/visible-text.ts";
import { useText } from "../state/context.tsx";
import { Button } from "./button.tsx";
import styles from "./peer-text.module.css";

interface PeerTextProps {
  readonly children: string;
  /** Characters shown before it is asked to show all. */
  readonly longest?: number;
  readonly className?: string | undefined;
}

/**
 * Words of an agent, as text and nothing else: no links, no markup, and characters that would not be seen are named. Whatever
 * an agent wrote goes to the screen through this, or through `visibleLine` in a title.
 */
export function PeerText({ children, longest = 2000, className }: PeerTextProps) {
  const t = useText();
  const [showsAll, setShowsAll] = useState(false);
  const isLong = children.length > longest;
  const shown = isLong && !showsAll ? children.slice(0, longest) : children;
  return (
    <div className={cx(styles.text, className)}>
      {/* Each text has its own direction, so that none can turn around what stands beside it. */}
      <bdi>
        {visibleParts(shown).map((part) =>
          "text" in part ? (
            part.text
          ) : (
            <span key={part.at} className={styles.hidden} title={t("shell.hiddenCharacter")}>
              {part.hidden}
            </span>
          ),
        )}
      </bdi>
      {isLong && (
        <Button look="plain" className={styles.more} aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t("shell.showLess") : t("shell.showAll", { count: children.length })}
        </Button>
      )}
    </div>
  );
}
