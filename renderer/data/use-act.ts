import { useMemo } from "react";
import { useText } from "../state/context.tsx";
import { asIntercomError } from "../state/failure.ts";
import { sayProblem } from "../ui/toasts.tsx";

/** Does something from a handler: what fails is said under `title`, and gives undefined. */
export type Act = <T>(run: () => Promise<T>, title?: string) => Promise<T | undefined>;

export function useAct(): Act {
  const t = useText();
  return useMemo(
    () => async (run, title) => {
      try {
        return await run();
      } catch (error) {
        sayProblem(title ?? t("shell.failed"), asIntercomError(error).toValue());
        return undefined;
      }
    },
    [t],
  );
}
