import { Check, CheckCheck, CircleSlash, Clock, RotateCw, TriangleAlert } from "lucide-react";
import { useCallback } from "react";
import { agentKey } from "../../../protocol/desktop/live.ts";
import type { Message } from "../../../protocol/objects/message.ts";
import { useAct } from "../../data/use-act.ts";
import { useNow } from "../../lib/clock.ts";
import { cx } from "../../lib/cx.ts";
import { clockTime } from "../../lib/time.ts";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { PeerText } from "../../ui/peer-text.tsx";
import { say } from "../../ui/toasts.tsx";
import { type Delivery, deliveryOf, toneOf } from "./delivery.ts";
import styles from "./messages.module.css";
import { recipientOf } from "./parties.ts";
import { partyWord } from "./party-name.tsx";
import type { ThreadCache } from "./thread-cache.ts";

const ICONS: Readonly<Record<Delivery["kind"], typeof Check>> = {
  queued: Clock,
  "queued-unreachable": Clock,
  "queued-not-ready": Clock,
  "queued-unknown": TriangleAlert,
  retry: Clock,
  reserved: Clock,
  delivered: Check,
  acknowledged: CheckCheck,
  expired: CircleSlash,
  "dead-lettered": TriangleAlert,
};

interface DeliveryLineProps {
  readonly message: Message;
  readonly thread: ThreadCache;
}

/** How far a message has come and why no further; where it was set aside, a button that tries again. */
export function DeliveryLine({ message, thread }: DeliveryLineProps) {
  const app = useAppHandle();
  const t = useText();
  const act = useAct();
  const { scopeId, toKind, to, id } = message;
  const recipient = useApp(({ live }) => (toKind === "agent" ? live.agents[agentKey(scopeId, to)] : undefined));
  // A new attempt comes without an event.
  const delivery = JSON.parse(
    useNow(useCallback((nowMs: number) => JSON.stringify(deliveryOf(message, recipient, nowMs)), [message, recipient])),
  ) as Delivery;
  const Icon = ICONS[delivery.kind];
  const isRead = toKind === "human" && delivery.kind === "acknowledged";

  async function requeue(): Promise<void> {
    const queued = await act(
      () => app.host.call("requeueMessage", { messageId: id }, scopeId),
      t("messages.requeue.failed"),
    );
    if (!queued) return;
    thread.put(queued);
    say({ title: t("messages.requeue.done") });
  }

  return (
    <span className={cx(styles.delivery, styles[toneOf(delivery)])}>
      <Icon aria-hidden="true" />
      <span>
        {t(isRead ? "messages.delivery.read" : `messages.delivery.${delivery.kind}`, {
          to: partyWord(recipientOf(message), t),
          times: "times" in delivery ? delivery.times : 0,
          at: clockTime(instantOf(delivery) ?? message.createdAt, Date.now(), t.locale),
        })}
      </span>
      {delivery.kind === "dead-lettered" && (
        <>
          {delivery.reason && (
            <span className={styles.reason}>
              {t("messages.reason")} <PeerText longest={300}>{delivery.reason}</PeerText>
            </span>
          )}
          <Button icon={<RotateCw />} aria-label={t("messages.requeue.label")} onClick={() => void requeue()}>
            {t("messages.requeue")}
          </Button>
        </>
      )}
    </span>
  );
}

function instantOf(delivery: Delivery): string | undefined {
  if ("since" in delivery) return delivery.since;
  return "at" in delivery ? delivery.at : undefined;
}
