import { useText } from "../../state/context.tsx";
import { Page } from "../../ui/page.tsx";

export default function TasksView() {
  const t = useText();
  return <Page title={t("view.tasks")}>{undefined}</Page>;
}
