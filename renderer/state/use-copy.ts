import { say, sayProblem } from "../ui/toasts.tsx";
import { useHost, useText } from "./context.tsx";
import { asIntercomError } from "./failure.ts";

/** Puts a text on the clipboard and says so. Resolves with whether it is there. */
export function useCopy(): (text: string) => Promise<boolean> {
  const host = useHost();
  const t = useText();
  return async (text) => {
    try {
      if (host.desktop) await host.desktop.ask("copyText", { text });
      else await navigator.clipboard.writeText(text);
      say({ title: t("common.copied") });
      return true;
    } catch (error) {
      sayProblem(t("shell.failed"), asIntercomError(error).toValue());
      return false;
    }
  };
}
