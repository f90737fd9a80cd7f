import { useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";

export default function SessionsView() {
  const t = useText();
  return <Page title={t("view.sessions")}>{undefined}</Page>;
}
