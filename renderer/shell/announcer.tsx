import { useEffect, useRef, useState } from "react";
import { visibleLine } from "../lib/visible-text.ts";
import { useApp, useText } from "../state/context.tsx";

/** Says new questions to those who do not see them; only an urgent one interrupts. */
export function Announcer() {
  const t = useText();
  const questions = useApp((state) => state.live.questions);
  const isRunning = useApp((state) => state.phase === "running" && state.live.link.state === "live");
  const known = useRef<Set<string> | undefined>(undefined);
  const [said, setSaid] = useState({ polite: "", urgent: "" });

  useEffect(() => {
    const before = known.current;
    if (isRunning) known.current = new Set(Object.keys(questions));
    // What was there at the beginning is no news.
    if (!before || !isRunning) return;
    const fresh = Object.values(questions).filter(({ id }) => !before.has(id));
    const urgent = fresh.find(({ urgency }) => urgency === "high");
    const words = (
      key: "shell.announce.question" | "shell.announce.urgent",
      { agentId, question }: (typeof fresh)[number],
    ) => t(key, { agent: agentId, question: visibleLine(question, 160) });
    if (urgent) setSaid({ polite: "", urgent: words("shell.announce.urgent", urgent) });
    else if (fresh[0] && fresh.length === 1)
      setSaid({ polite: words("shell.announce.question", fresh[0]), urgent: "" });
    else if (fresh.length > 1) setSaid({ polite: t("shell.announce.many", { count: fresh.length }), urgent: "" });
  }, [questions, isRunning, t]);

  return (
    <>
      <div className="visually-hidden" role="status" data-announcer="polite">
        {said.polite}
      </div>
      <div className="visually-hidden" role="alert" data-announcer="urgent">
        {said.urgent}
      </div>
    </>
  );
}
