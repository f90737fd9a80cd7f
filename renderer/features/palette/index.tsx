import { useText } from "../../state/context.tsx";
import { Dialog } from "../../ui/dialog.tsx";

export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  return (
    <Dialog open onClose={onClose} title={t("shell.search")}>
      {undefined}
    </Dialog>
  );
}
