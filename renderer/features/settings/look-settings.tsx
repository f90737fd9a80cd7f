import { LOCALES, THEMES } from "../../../protocol/desktop/names.ts";
import { useText } from "../../state/context.tsx";
import { useLook } from "../../state/use-look.ts";
import { Select } from "../../ui/select.tsx";
import { Group, Row } from "./parts.tsx";

const LANGUAGES = ["system", ...LOCALES] as const;

export function LookSettings() {
  const t = useText();
  const [look, setLook] = useLook();
  return (
    <Group title={t("settings.look")}>
      <Row
        label={t("settings.theme")}
        control={(labelId) => (
          <Select
            labelledBy={labelId}
            value={look.theme}
            options={THEMES.map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
            onChange={(theme) => setLook({ theme })}
          />
        )}
      />
      <Row
        label={t("settings.locale")}
        control={(labelId) => (
          <Select
            labelledBy={labelId}
            value={look.locale}
            options={LANGUAGES.map((value) => ({ value, label: t(`settings.locale.${value}`) }))}
            onChange={(locale) => setLook({ locale })}
          />
        )}
      />
    </Group>
  );
}
