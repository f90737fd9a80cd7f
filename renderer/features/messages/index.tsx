import { useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";

export default function MessagesView() {
  const t = useText();
  return <Page title={t("view.messages")}>{undefined}</Page>;
}
