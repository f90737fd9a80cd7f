import { Check, X } from "lucide-react";
import type { LinkRequest } from "../../../protocol/objects/scope.ts";
import { useAct } from "../../data/use-act.ts";
import { useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import { say } from "../../ui/toasts.tsx";
import styles from "./sessions.module.css";

interface LinkRequestsProps {
  readonly scopeId: string;
  readonly requests: readonly LinkRequest[];
}

/** Agents that ask the human to be allowed to write to each other. */
export function LinkRequests({ scopeId, requests }: LinkRequestsProps) {
  const app = useAppHandle();
  const t = useText();
  const act = useAct();

  async function decide({ id, from, to }: LinkRequest, accept: boolean): Promise<void> {
    const done = await act(
      () => app.host.call("resolveLinkRequest", { linkRequestId: id, accept }, scopeId),
      t("sessions.request.failed"),
    );
    if (!done) return;
    say({ title: accept ? t("sessions.request.accepted", { from, to }) : t("sessions.request.declined") });
  }

  return (
    <ul className={styles.requests} aria-label={t("sessions.requests")}>
      {requests.map((request) => (
        <li key={request.id} className={styles.request}>
          <div className={styles.words}>
            <strong>{t("sessions.request", { from: request.from, to: request.to })}</strong>
            {request.reason && <PeerText longest={400}>{request.reason}</PeerText>}
          </div>
          <Button icon={<X />} onClick={() => void decide(request, false)}>
            {t("sessions.decline")}
          </Button>
          <Button look="primary" icon={<Check />} onClick={() => void decide(request, true)}>
            {t("sessions.accept")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
