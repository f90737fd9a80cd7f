import { useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";

export default function AboutView() {
  const t = useText();
  return <Page title={t("view.about")}>{undefined}</Page>;
}
