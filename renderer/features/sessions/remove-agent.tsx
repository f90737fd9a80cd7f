import { useAct } from "../../data/use-act.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { say } from "../../ui/toasts.tsx";

interface RemoveAgentProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly scopeId: string;
  readonly agentId: string;
}

/** Asks before an agent is taken off the list: its session cannot be given back, so there is no undo. Says what stays. */
export function RemoveAgent({ open, onClose, scopeId, agentId }: RemoveAgentProps) {
  const app = useAppHandle();
  const t = useText();
  const act = useAct();

  async function remove(): Promise<void> {
    onClose();
    const done = await act(
      () => app.host.call("removeAgent", { agentId }, scopeId),
      t("sessions.remove.failed", { agent: agentId }),
    );
    if (!done) return;
    app.navigate({ view: "sessions" });
    say({ title: t("sessions.remove.done", { agent: agentId }) });
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("sessions.remove.title", { agent: agentId })}
      actions={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button look="danger" onClick={() => void remove()}>
            {t("sessions.remove.do")}
          </Button>
        </>
      }
    >
      <p>{t("sessions.remove.text")}</p>
    </Dialog>
  );
}
