import { Clock, Copy, Inbox, Plug } from "lucide-react";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { useCopy } from "../../state/use-copy.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

const DEMO = "agent-intercom demo --keep";

/** No question waits: because all are answered, or because nobody is there yet who could ask. */
export function ClearInbox() {
  const t = useText();
  const hasAgents = useApp((state) => Object.keys(state.live.agents).length > 0);
  if (!hasAgents) return <FirstRun />;
  return (
    <EmptyState icon={<Inbox />} title={t("inbox.clear.title")}>
      <p>{t("inbox.clear.text")}</p>
    </EmptyState>
  );
}

export function NothingLater() {
  const t = useText();
  return (
    <EmptyState icon={<Clock />} title={t("inbox.later.title")}>
      <p>{t("inbox.later.text")}</p>
    </EmptyState>
  );
}

function FirstRun() {
  const t = useText();
  const app = useAppHandle();
  const copy = useCopy();
  return (
    <EmptyState
      icon={<Plug />}
      title={t("inbox.first.title")}
      actions={
        <>
          <Button look="primary" icon={<Plug />} onClick={() => app.navigate({ view: "connect" })}>
            {t("inbox.first.connect")}
          </Button>
          <Button icon={<Copy />} onClick={() => void copy(DEMO)}>
            {t("inbox.first.copy")}
          </Button>
        </>
      }
    >
      <p>{t("inbox.first.text")}</p>
      <p>
        <code>{DEMO}</code>
      </p>
    </EmptyState>
  );
}
