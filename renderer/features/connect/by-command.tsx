import { Info } from "lucide-react";
import { useText } from "../../state/context.tsx";
import { Command } from "./command.tsx";
import styles from "./connect.module.css";

const ENTRY = JSON.stringify({ mcpServers: { intercom: { command: "agent-intercom", args: ["mcp"] } } }, null, 2);

/** What to type where this page may not act itself, and why it may not. */
export function ByCommand() {
  const t = useText();
  return (
    <>
      <p className={styles.why}>
        <Info aria-hidden="true" />
        <span>{t("connect.browser.why")}</span>
      </p>
      <section className={styles.section}>
        <h2 className={styles.title}>{t("connect.browser.list")}</h2>
        <p>{t("connect.browser.list.text")}</p>
        <Command label={t("connect.browser.list")} text="agent-intercom connect" />
      </section>
      <section className={styles.section}>
        <h2 className={styles.title}>{t("connect.browser.add")}</h2>
        <p>{t("connect.browser.add.text")}</p>
        <Command label={t("connect.browser.add")} text="agent-intercom connect claude-code" />
        <Command label={t("connect.undo")} text="agent-intercom connect --undo claude-code" />
      </section>
      <section className={styles.section}>
        <h2 className={styles.title}>{t("connect.browser.mcp")}</h2>
        <p>{t("connect.browser.mcp.text")}</p>
        <Command label={t("connect.browser.mcp")} text="agent-intercom mcp" />
        <Command label={t("connect.manual")} text={ENTRY} />
      </section>
    </>
  );
}
