import { useState } from "react";
import type { ConnectableClient, ConnectOutcome } from "../../../protocol/desktop/index.ts";
import type { DesktopHost } from "../../host.ts";
import { useText } from "../../state/context.tsx";
import { asIntercomError } from "../../state/failure.ts";
import { useReading } from "../../state/reading.ts";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sayProblem } from "../../ui/toasts.tsx";
import { ClientCard } from "./client-card.tsx";
import styles from "./connect.module.css";

/** Each program the desktop knows how to connect, those of this computer first. */
export function ByButton({ desktop }: { readonly desktop: DesktopHost }) {
  const t = useText();
  const reading = useReading("clients", () => desktop.ask("listClients", {}));
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, ConnectOutcome>>>({});
  const [busy, setBusy] = useState<string>();

  async function change(channel: "connectClient" | "undoClient", client: string): Promise<void> {
    setBusy(client);
    try {
      const outcome = await desktop.ask(channel, { client });
      setOutcomes((before) => ({ ...before, [client]: outcome }));
    } catch (error) {
      sayProblem(t("shell.failed"), asIntercomError(error).toValue());
    } finally {
      setBusy(undefined);
    }
  }

  const { data, error, again } = reading;
  if (error && !data) return <Problem title={t("connect.failed")} error={error} onRetry={again} />;
  if (!data) return <Skeleton rows={5} />;
  // What an action answered is newer than the list.
  const clients = data.map((client) => outcomes[client.id]?.client ?? client);
  const group = (members: readonly ConnectableClient[]) => (
    <ul className={styles.clients}>
      {members.map((client) => (
        <ClientCard
          key={client.id}
          client={client}
          outcome={outcomes[client.id]}
          isBusy={busy === client.id}
          onAdd={() => void change("connectClient", client.id)}
          onUndo={() => void change("undoClient", client.id)}
        />
      ))}
    </ul>
  );
  const here = clients.filter(({ installed }) => installed);
  const others = clients.filter(({ installed }) => !installed);
  return (
    <>
      {here.length > 0 && (
        <section className={styles.section}>
          <h2 className={styles.title}>{t("connect.found")}</h2>
          {group(here)}
        </section>
      )}
      {others.length > 0 && (
        <section className={styles.section}>
          <h2 className={styles.title}>{t("connect.others")}</h2>
          <p className={styles.muted}>{t("connect.others.note")}</p>
          {group(others)}
        </section>
      )}
    </>
  );
}
