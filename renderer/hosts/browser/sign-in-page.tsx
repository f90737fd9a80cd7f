import { useState } from "react";
import type { MessageKey, Translator } from "../../../i18n/index.ts";
import { Button } from "../../ui/button.tsx";
import type { SignedOutReason } from "./session.ts";
import styles from "./sign-in-page.module.css";

interface Words {
  readonly title: MessageKey;
  readonly text: MessageKey;
}

const WORDS: Readonly<Record<SignedOutReason, Words>> = {
  none: { title: "signIn.none.title", text: "signIn.none.text" },
  used: { title: "signIn.used.title", text: "signIn.used.text" },
  expired: { title: "signIn.expired.title", text: "signIn.expired.text" },
  unknown: { title: "signIn.unknown.title", text: "signIn.unknown.text" },
  busy: { title: "signIn.busy.title", text: "signIn.busy.text" },
  ended: { title: "signIn.ended.title", text: "signIn.ended.text" },
  left: { title: "signIn.left.title", text: "signIn.left.text" },
  unreachable: { title: "signIn.unreachable.title", text: "signIn.unreachable.text" },
};

interface SignInPageProps {
  readonly why: SignedOutReason;
  readonly t: Translator;
  /** Looks again whether there is a daemon. */
  readonly onRetry: () => void;
}

/** What a tab shows while nobody is signed in: why, and what to do about it. */
export function SignInPage({ why, t, onRetry }: SignInPageProps) {
  const { title, text } = WORDS[why];
  const isDown = why === "unreachable";
  return (
    <main className={styles.page}>
      <div className={styles.content}>
        <h1>{t(title)}</h1>
        <p>{t(text)}</p>
        <p id="sign-in-how">{t(isDown ? "signIn.start" : "signIn.run")}</p>
        <Command text={isDown ? "agent-intercom start" : "agent-intercom ui"} t={t} />
        {!isDown && <p className={styles.note}>{t("signIn.note")}</p>}
        {isDown && <Button onClick={onRetry}>{t("common.retry")}</Button>}
      </div>
    </main>
  );
}

/** A command line to copy. */
function Command({ text, t }: { readonly text: string; readonly t: Translator }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // It can still be selected and copied by hand.
      () => setCopied(false),
    );
  };
  return (
    <div className={styles.command}>
      <code aria-describedby="sign-in-how">{text}</code>
      <Button onClick={copy}>{t(copied ? "common.copied" : "common.copy")}</Button>
      <span role="status" className={styles.status}>
        {copied ? t("common.copied") : ""}
      </span>
    </div>
  );
}
