import { Send, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { agentKey } from "../../../protocol/desktop/live.ts";
import type { Message } from "../../../protocol/objects/message.ts";
import { useAct } from "../../data/use-act.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Keys } from "../../ui/keys.tsx";
import { DraftArea, useDraft } from "../../ui/text-field.tsx";
import styles from "./messages.module.css";
import type { ThreadCache } from "./thread-cache.ts";

interface ComposerProps {
  readonly thread: ThreadCache;
  readonly scopeId: string;
  readonly agentId: string;
  /** The request that is being answered. */
  readonly answering: Message | undefined;
  readonly onAnswering: (request: Message | undefined) => void;
}

/** Where the human writes to an agent. What is typed is kept until it was sent. */
export function Composer({ thread, scopeId, agentId, answering, onAnswering }: ComposerProps) {
  const app = useAppHandle();
  const t = useText();
  const act = useAct();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const draft = answering ? `answer ${answering.id}` : `message ${scopeId}/${agentId}`;
  const [text, setText] = useDraft(draft);
  const [mode, setMode] = useState<"notify" | "request">("notify");
  const [isSending, setSending] = useState(false);
  const agent = useApp(({ live }) => live.agents[agentKey(scopeId, agentId)]);

  useEffect(() => {
    if (answering) area.current?.focus();
  }, [answering]);

  async function send(): Promise<void> {
    if (text.trim() === "" || isSending) return;
    setSending(true);
    const kind = answering ? ({ mode: "response", responseTo: answering.id } as const) : ({ mode } as const);
    const receipt = await act(
      () => app.host.call("sendHumanMessage", { to: agentId, body: text, ...kind }, scopeId),
      t("messages.compose.failed"),
    );
    setSending(false);
    if (!receipt) return;
    setText("");
    onAnswering(undefined);
    await thread.refresh();
  }

  function press(event: KeyboardEvent): void {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    } else if (event.key === "Escape" && answering) {
      event.stopPropagation();
      onAnswering(undefined);
    }
  }

  if (!agent) return <footer className={styles.reading}>{t("messages.compose.gone", { agent: agentId })}</footer>;
  return (
    <footer className={styles.composer}>
      {answering && (
        <div className={styles.answering}>
          <bdi>{t("messages.compose.answering", { body: visibleLine(answering.body, 120) })}</bdi>
          <IconButton
            label={t("messages.compose.answering.stop")}
            icon={<X />}
            onClick={() => onAnswering(undefined)}
          />
        </div>
      )}
      <DraftArea
        key={draft}
        ref={area}
        draft={draft}
        rows={2}
        className={styles.area}
        aria-label={t(answering ? "messages.compose.answer" : "messages.compose", { agent: agentId })}
        placeholder={t(answering ? "messages.compose.answer" : "messages.compose", { agent: agentId })}
        aria-describedby={id}
        onKeyDown={press}
      />
      <div className={styles.sending}>
        {!answering && (
          <fieldset className={styles.modes}>
            <legend className="visually-hidden">{t("messages.compose.mode")}</legend>
            {(["notify", "request"] as const).map((value) => (
              <label key={value} className={styles.mode}>
                <input type="radio" name={`${id} mode`} checked={mode === value} onChange={() => setMode(value)} />
                {t(`messages.compose.${value}`)}
              </label>
            ))}
          </fieldset>
        )}
        <span id={id} className={styles.hint}>
          {t(agent.reachable ? "messages.compose.hint" : "messages.compose.offline", { agent: agentId })}
        </span>
        <Keys chord="mod+Enter" />
        <Button look="primary" icon={<Send />} disabled={text.trim() === "" || isSending} onClick={() => void send()}>
          {t("messages.compose.send")}
        </Button>
      </div>
    </footer>
  );
}
