import { useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";

export default function SettingsView() {
  const t = useText();
  return <Page title={t("view.settings")}>{undefined}</Page>;
}
