import { useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";

export default function InboxView() {
  const t = useText();
  return <Page title={t("view.inbox")}>{undefined}</Page>;
}
