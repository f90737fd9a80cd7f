import { byteSize } from "../lib/size.ts";
import { say, sayProblem } from "../ui/toasts.tsx";
import { useHost, useText } from "./context.tsx";
import { asIntercomError } from "./failure.ts";

/** Makes a backup: where the desktop's own dialog says, or as a download of the browser. */
export function useBackup(): () => Promise<void> {
  const host = useHost();
  const t = useText();
  return async () => {
    try {
      if (host.desktop) {
        const done = await host.desktop.ask("backup", {});
        if (done) {
          const size = byteSize(done.bytes, t.locale);
          say({ title: t("settings.data.backup.done", { file: done.file, size }), timeoutMs: 10_000 });
        }
      } else if (host.browser) {
        download(await host.browser.backup(), `agent-intercom-${new Date().toISOString().slice(0, 10)}.sqlite`);
        say({ title: t("settings.data.backup.downloaded") });
      }
    } catch (error) {
      sayProblem(t("shell.failed"), asIntercomError(error).toValue());
    }
  };
}

function download(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
