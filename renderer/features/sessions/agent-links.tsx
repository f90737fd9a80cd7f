import { Unlink } from "lucide-react";
import type { LiveAgent } from "../../../protocol/desktop/live.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import { useAct } from "../../data/use-act.ts";
import { useApp, useAppHandle, useAppParts, useText } from "../../state/context.tsx";
import { useReading } from "../../state/reading.ts";
import { IconButton } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { say } from "../../ui/toasts.tsx";
import { LinkRequests } from "./link-requests.tsx";
import { readLinks } from "./links.ts";
import styles from "./sessions.module.css";

/** With whom the agent may exchange messages, and who asks to. */
export function AgentLinks({ agent: { scopeId, id } }: { readonly agent: LiveAgent }) {
  const app = useAppHandle();
  const t = useText();
  const isOpen = useApp((state) => state.live.scopes[scopeId]?.linkPolicy === "open");
  const touches = (event: Event) => event.scopeId === scopeId && event.type.startsWith("link.");
  const links = useReading(`links ${scopeId}`, () => readLinks(app.host, scopeId), touches);
  const peers = links.data?.links.flatMap(({ left, right }) => {
    if (left === id) return [right];
    return right === id ? [left] : [];
  });
  const requests = links.data?.requests.filter(({ from, to }) => from === id || to === id) ?? [];
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{t("sessions.links")}</h3>
      {requests.length > 0 && <LinkRequests scopeId={scopeId} requests={requests} />}
      {isOpen && <p className={styles.none}>{t("sessions.links.open")}</p>}
      {links.error && <Problem title={t("sessions.links.failed")} error={links.error} onRetry={links.again} />}
      {!isOpen && !links.data && !links.error && <Skeleton rows={2} />}
      {!isOpen && peers && <Peers scopeId={scopeId} agentId={id} peers={peers} />}
    </section>
  );
}

interface PeersProps {
  readonly scopeId: string;
  readonly agentId: string;
  readonly peers: readonly string[];
}

function Peers({ scopeId, agentId, peers }: PeersProps) {
  const app = useAppHandle();
  const t = useText();
  const act = useAct();
  const others = useAppParts(({ live }) =>
    Object.values(live.agents).flatMap((other) =>
      other.scopeId === scopeId && other.id !== agentId && !peers.includes(other.id) ? [other.id] : [],
    ),
  );

  async function link(peer: string): Promise<void> {
    const pair = { left: agentId, right: peer };
    if (!(await act(() => app.host.call("linkAgents", pair, scopeId), t("sessions.link.failed")))) return;
    say({
      title: t("sessions.link.done", pair),
      action: { label: t("common.undo"), run: () => void unlink(peer) },
    });
  }

  async function unlink(peer: string): Promise<void> {
    const pair = { left: agentId, right: peer };
    if (!(await act(() => app.host.call("unlinkAgents", pair, scopeId), t("sessions.unlink.failed")))) return;
    say({
      title: t("sessions.unlink.done", pair),
      action: { label: t("common.undo"), run: () => void link(peer) },
    });
  }

  return (
    <>
      {peers.length === 0 && <p className={styles.none}>{t("sessions.links.none")}</p>}
      {peers.length > 0 && (
        <ul className={styles.peers}>
          {peers.map((peer) => (
            <li key={peer} className={styles.peer}>
              <bdi>{peer}</bdi>
              <IconButton
                label={t("sessions.unlink.label", { agent: peer })}
                icon={<Unlink />}
                onClick={() => void unlink(peer)}
              />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Select
          label={t("sessions.link.add")}
          className={styles.choose}
          value={NOBODY}
          options={[
            { value: NOBODY, label: t("sessions.link.choose") },
            ...others.sort().map((other) => ({ value: other, label: other })),
          ]}
          onChange={(peer) => {
            if (peer !== NOBODY) void link(peer);
          }}
        />
      )}
    </>
  );
}

/** No agent has an empty id. */
const NOBODY = "";
