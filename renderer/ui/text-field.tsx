import { Search } from "lucide-react";
import type { ComponentPropsWithRef } from "react";
import { cx } from "../lib/cx.ts";
import { useApp, useAppHandle } from "../state/context.tsx";
import styles from "./text-field.module.css";

/** A line of text. */
export function TextField({ className, ...rest }: ComponentPropsWithRef<"input">) {
  return <input type="text" autoComplete="off" spellCheck={false} {...rest} className={cx(styles.field, className)} />;
}

export function SearchField({ className, ...rest }: ComponentPropsWithRef<"input">) {
  return (
    <span className={cx(styles.search, className)}>
      <Search aria-hidden="true" />
      <TextField type="search" {...rest} />
    </span>
  );
}

interface DraftAreaProps extends Omit<ComponentPropsWithRef<"textarea">, "value" | "defaultValue" | "onChange"> {
  /** What the words are for. They are kept under it until `useDraft` clears them, whatever becomes of the page. */
  readonly draft: string;
}

/** Several lines of text that are never lost: not by another view, a reload or a daemon that went away. */
export function DraftArea({ draft, className, ...rest }: DraftAreaProps) {
  const [text, setText] = useDraft(draft);
  return (
    <textarea
      rows={3}
      {...rest}
      value={text}
      onChange={(event) => setText(event.target.value)}
      className={cx(styles.field, styles.area, className)}
    />
  );
}

/** What was typed under a key, and how to change it; an empty text forgets it. */
export function useDraft(key: string): readonly [string, (text: string) => void] {
  const app = useAppHandle();
  const text = useApp((state) => state.drafts[key] ?? "");
  return [text, (next) => app.setDraft(key, next)];
}
