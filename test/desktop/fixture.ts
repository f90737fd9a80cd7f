// What specs of the app have in common: its window's bridge, called as a page would, and waiting for the daemon.
import type { Page } from "@playwright/test";
import type {
  DesktopState,
  IpcAnswer,
  IpcChannel,
  IpcRequest,
  IpcResponse,
  Snapshot,
  SupervisorView,
} from "../../protocol/desktop/index.ts";
import { type Desktop, expect, test } from "../support/desktop.ts";

/** The global that the preload script gives to pages. */
interface WithBridge {
  readonly intercom: { invoke(channel: string, request: unknown): Promise<unknown> };
}

export interface BridgedPage {
  readonly page: Page;
  invoke<C extends IpcChannel>(channel: C, request: IpcRequest<C>): Promise<IpcAnswer<IpcResponse<C>>>;
}

/** A window of the app, through which the main process is asked as its own pages do. */
export async function bridge({ app }: Desktop): Promise<BridgedPage> {
  const found = (): Page | undefined => app.windows().find((page) => page.url().endsWith("/index.html"));
  await expect.poll(() => found() !== undefined, "the main window").toBe(true);
  const page = found() as Page;
  await page.waitForFunction(() => "intercom" in globalThis);
  return {
    page,
    invoke: (channel, request) =>
      page.evaluate(([name, value]) => (globalThis as unknown as WithBridge).intercom.invoke(name, value), [
        channel,
        request,
      ] as const) as Promise<never>,
  };
}

/** What the windows are told at the moment. */
export async function snapshot({ invoke }: BridgedPage): Promise<Snapshot> {
  const answer = await invoke("attach", {});
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.result;
}

/** The desktop's state once the supervisor is as wanted. Starting a daemon may take long on a busy machine. */
export async function supervised(
  page: BridgedPage,
  isWanted: (view: SupervisorView) => boolean,
): Promise<DesktopState> {
  let desktop: DesktopState | undefined;
  await expect
    .poll(
      async () => {
        ({ desktop } = await snapshot(page));
        return isWanted(desktop.supervisor) || desktop.supervisor;
      },
      { message: "the daemon", timeout: 45_000 },
    )
    .toBe(true);
  return desktop as DesktopState;
}

export { expect, test };
