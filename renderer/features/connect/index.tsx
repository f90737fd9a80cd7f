import { useHost, useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";
import { ByButton } from "./by-button.tsx";
import { ByCommand } from "./by-command.tsx";
import { Command } from "./command.tsx";
import styles from "./connect.module.css";

/** How agents come here: with buttons in the desktop, with commands in a browser tab. */
export default function ConnectView() {
  const t = useText();
  const host = useHost();
  return (
    <Page title={t("view.connect")}>
      <div className={styles.scroll}>
        <div className={styles.column}>
          <p className={styles.intro}>{t("connect.intro")}</p>
          {host.desktop ? <ByButton desktop={host.desktop} /> : <ByCommand />}
          <section className={styles.section}>
            <h2 className={styles.title}>{t("connect.demo")}</h2>
            <p>{t("connect.demo.text")}</p>
            <Command label={t("connect.demo")} text="agent-intercom demo --keep" />
          </section>
        </div>
      </div>
    </Page>
  );
}
