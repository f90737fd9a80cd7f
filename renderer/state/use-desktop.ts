import type { IpcRequest, IpcResponse } from "../../protocol/desktop/index.ts";
import { IntercomError } from "../../protocol/errors.ts";
import type { DesktopChannel } from "../host.ts";
import { sayProblem } from "../ui/toasts.tsx";
import { useHost, useText } from "./context.tsx";
import { asIntercomError } from "./failure.ts";

/** Asks the desktop from a handler: what fails is said, and gives undefined. In a browser tab everything fails. */
export function useDesktop() {
  const host = useHost();
  const t = useText();
  return {
    async ask<C extends DesktopChannel>(channel: C, request: IpcRequest<C>): Promise<IpcResponse<C> | undefined> {
      try {
        if (!host.desktop) throw new IntercomError("PERMISSION_DENIED", t("shell.desktopOnly"));
        return await host.desktop.ask(channel, request);
      } catch (error) {
        sayProblem(t("shell.failed"), asIntercomError(error).toValue());
        return undefined;
      }
    },
  };
}
