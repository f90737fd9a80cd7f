import { useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";

export default function ConnectView() {
  const t = useText();
  return <Page title={t("view.connect")}>{undefined}</Page>;
}
