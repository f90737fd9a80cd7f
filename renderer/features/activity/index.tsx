import { useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";

export default function ActivityView() {
  const t = useText();
  return <Page title={t("view.activity")}>{undefined}</Page>;
}
