import type { DesktopState } from "../../../protocol/desktop/index.ts";
import { RETENTION_DAYS } from "../../../protocol/desktop/names.ts";
import { byteSize } from "../../lib/size.ts";
import { useApp, useAppParts, useHost, useText } from "../../state/context.tsx";
import { useReading } from "../../state/reading.ts";
import { useBackup } from "../../state/use-backup.ts";
import { useDesktop } from "../../state/use-desktop.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Select } from "../../ui/select.tsx";
import { Group, Row } from "./parts.tsx";
import styles from "./settings.module.css";
import { prunedFrom, storedIn } from "./storage.ts";

const DAY_MS = 86_400_000;

export function DataSettings({ desktop: state }: { readonly desktop: DesktopState | undefined }) {
  const t = useText();
  const host = useHost();
  const desktop = useDesktop();
  const backup = useBackup();
  const storage = useApp(({ live }) => live.daemon?.storage);
  const scopeIds = useAppParts(({ live }) => Object.keys(live.scopes).sort());
  const { data, error, again } = useReading(`storage ${scopeIds.join(" ")}`, async () =>
    storedIn(await Promise.all(scopeIds.map((scopeId) => host.call("storageSummary", {}, scopeId)))),
  );
  const stored =
    data &&
    [
      t("settings.data.messages", { count: data.messages }),
      t("settings.data.tasks", { count: data.tasks }),
      t("settings.data.questions", { count: data.questions }),
      t("settings.data.events", { count: data.events }),
    ].join(", ");
  return (
    <Group title={t("settings.data")}>
      {state && (
        <Row
          label={t("settings.data.directory")}
          text={state.dataDir}
          control={() => (
            <Button onClick={() => void desktop.ask("openDataDirectory", {})}>{t("settings.data.open")}</Button>
          )}
        />
      )}
      <Row
        label={t("settings.data.stored")}
        text={stored}
        control={() =>
          storage && (
            <span className={styles.value} title={t("settings.data.size")}>
              {byteSize(storage.databaseBytes + storage.walBytes, t.locale)}
            </span>
          )
        }
      />
      {error && <Problem title={t("settings.data.failed")} error={error} onRetry={again} />}
      <Row
        label={t("settings.data.backup")}
        text={t("settings.data.backup.text")}
        control={() => <Button onClick={() => void backup()}>{t("settings.data.backup")}</Button>}
      />
      {state && <Retention days={state.settings.retentionDays} scopeIds={scopeIds} />}
    </Group>
  );
}

interface RetentionProps {
  readonly days: (typeof RETENTION_DAYS)[number];
  readonly scopeIds: readonly string[];
}

/** After how long finished things go, and honestly what that would be at this moment. */
function Retention({ days, scopeIds }: RetentionProps) {
  const t = useText();
  const host = useHost();
  const desktop = useDesktop();
  const { data } = useReading(days === 0 ? undefined : `retention ${days} ${scopeIds.join(" ")}`, async () => {
    const before = new Date(Date.now() - days * DAY_MS).toISOString();
    const results = await Promise.all(scopeIds.map((scopeId) => host.call("pruneScope", { before }, scopeId)));
    return prunedFrom(results.map(({ records }) => records));
  });
  return (
    <Row
      label={t("settings.retention")}
      text={
        <>
          <p>{t("settings.retention.text")}</p>
          <p role="status">{days > 0 && data && t("settings.retention.now", { ...data })}</p>
        </>
      }
      control={(labelId) => (
        <Select
          labelledBy={labelId}
          value={String(days)}
          options={RETENTION_DAYS.map((value) => ({
            value: String(value),
            label: value === 0 ? t("settings.retention.never") : t("settings.retention.days", { days: value }),
          }))}
          onChange={(value) => {
            const retentionDays = RETENTION_DAYS.find((one) => String(one) === value);
            if (retentionDays !== undefined) void desktop.ask("changeSettings", { retentionDays });
          }}
        />
      )}
    />
  );
}
