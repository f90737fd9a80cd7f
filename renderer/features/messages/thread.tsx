import { Eye } from "lucide-react";
import { useMemo, useState } from "react";
import type { Message } from "../../../protocol/objects/message.ts";
import { useCaches } from "../../data/caches.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import styles from "./messages.module.css";
import { agentWithHuman, type Pair } from "./parties.ts";
import { PartyName } from "./party-name.tsx";
import { writeTo } from "./view-state.ts";

interface ThreadProps {
  readonly scopeId: string;
  readonly pair: Pair;
}

/** One conversation: what was written, and where the human is part of it, a place to write. */
export function Thread({ scopeId, pair }: ThreadProps) {
  const caches = useCaches();
  const thread = useMemo(() => caches.threads.get({ scopeId, ...pair }), [caches, scopeId, pair]);
  const agentId = agentWithHuman(pair);
  const [answering, setAnswering] = useState<Message>();
  return (
    <div className={styles.thread}>
      <h2 className={styles.parties}>
        <PartyName scopeId={scopeId} party={pair.left} />
        <span aria-hidden="true">⇄</span>
        <PartyName scopeId={scopeId} party={pair.right} />
      </h2>
      <MessageList thread={thread} scopeId={scopeId} onAnswer={setAnswering} />
      {agentId === undefined ? (
        <ReadingAlong scopeId={scopeId} pair={pair} />
      ) : (
        <Composer
          thread={thread}
          scopeId={scopeId}
          agentId={agentId}
          answering={answering}
          onAnswering={setAnswering}
        />
      )}
    </div>
  );
}

function ReadingAlong({ scopeId, pair }: ThreadProps) {
  const app = useAppHandle();
  const t = useText();
  const agents = [pair.left, pair.right].filter(({ kind }) => kind === "agent");
  return (
    <footer className={styles.reading}>
      <Eye aria-hidden="true" />
      <span>{t("messages.reading")}</span>
      {agents.map(({ id }) => (
        <Button key={id} onClick={() => writeTo(app, scopeId, id)}>
          {t("messages.reading.write", { agent: id })}
        </Button>
      ))}
    </footer>
  );
}
