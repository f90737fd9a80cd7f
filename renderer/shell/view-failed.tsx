import { TriangleAlert } from "lucide-react";
import { useText } from "../state/context.tsx";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** What is shown where a view was that has a defect. */
export function ViewFailed({ error, onAgain }: { readonly error: Error; readonly onAgain: () => void }) {
  const t = useText();
  return (
    <EmptyState
      icon={<TriangleAlert />}
      title={t("shell.viewFailed")}
      actions={
        <Button look="primary" onClick={onAgain}>
          {t("shell.viewFailed.again")}
        </Button>
      }
    >
      <p>{t("shell.viewFailed.text")}</p>
      <p>
        <code>{error.message}</code>
      </p>
    </EmptyState>
  );
}
