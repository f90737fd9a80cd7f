import { ExternalLink } from "lucide-react";
import { LINKS } from "../../../protocol/desktop/names.ts";
import { useApp, useHost, useText } from "../../state/context.tsx";
import { useDesktop } from "../../state/use-desktop.ts";
import { Button } from "../../ui/button.tsx";
import { Page, Prose } from "../../ui/page.tsx";
import styles from "./about.module.css";
import { LIBRARIES } from "./libraries.ts";

export default function AboutView() {
  const t = useText();
  const host = useHost();
  const desktop = useDesktop();
  const appVersion = useApp((state) => state.desktop?.version);
  const daemon = useApp((state) => state.live.daemon);
  const versions = [
    ...(appVersion === undefined ? [] : [[t("about.app"), appVersion] as const]),
    [t("about.daemon"), daemon?.version ?? t("about.unknown")],
    [t("about.protocol"), daemon?.protocolVersion ?? t("about.unknown")],
  ] as const;
  return (
    <Page title={t("view.about")}>
      <Prose>
        <section className={styles.section}>
          <h2 className={styles.name}>{t("app.name")}</h2>
          <p className={styles.text}>{t("about.text")}</p>
          <dl className={styles.versions} aria-label={t("about.versions")}>
            {versions.map(([label, version]) => (
              <div key={label} className={styles.version}>
                <dt>{label}</dt>
                <dd>{version}</dd>
              </div>
            ))}
          </dl>
          <p className={styles.text}>{t("about.private")}</p>
          {host.desktop && (
            <div className={styles.links}>
              {LINKS.map((link) => (
                <Button key={link} icon={<ExternalLink />} onClick={() => void desktop.ask("openLink", { link })}>
                  {t(`about.link.${link}`)}
                </Button>
              ))}
            </div>
          )}
        </section>
        <section className={styles.section}>
          <h3>{t("about.libraries")}</h3>
          <p className={styles.text}>{t("about.libraries.text")}</p>
          <ul className={styles.libraries}>
            {LIBRARIES.map(([name, licence]) => (
              <li key={name} className={styles.library}>
                <span>{name}</span>
                <span className={styles.text}>{licence}</span>
              </li>
            ))}
          </ul>
        </section>
      </Prose>
    </Page>
  );
}
