// What specs of the app have in common: its window's bridge, called as a page would, and waiting for the daemon.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
import { test as base, type Desktop, type DesktopHome, expect } from "../support/desktop.ts";

/** Starting an app and a daemon takes long on a busy machine; nothing here is about how long. */
export const PATIENCE_MS = 90_000;
export const TEST_TIMEOUT_MS = 240_000;

interface Fixtures {
  /** A place for an app, before there is one: to put something in its way. Removed when the test ends. */
  freshHome: () => DesktopHome;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: how Playwright is told that nothing is needed
  freshHome: async ({}, use) => {
    const folders: string[] = [];
    await use(() => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "ai-")));
      folders.push(folder);
      const home = { userData: join(folder, "user"), dataDir: join(folder, "data"), runtimeDir: join(folder, "run") };
      for (const each of Object.values(home)) mkdirSync(each, { mode: 0o700 });
      return home;
    });
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  // Needs the other, so that apps have ended before their places are removed.
  launchDesktop: async ({ freshHome, launchDesktop }, use) =>
    use((options = {}) => launchDesktop({ home: freshHome(), ...options })),
});

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
  const found = (): Page | undefined => app.windows().find((page) => page.url().includes("/index.html"));
  await expect.poll(() => found() !== undefined, { message: "the main window", timeout: PATIENCE_MS }).toBe(true);
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
      { message: "the daemon", timeout: PATIENCE_MS },
    )
    .toBe(true);
  return desktop as DesktopState;
}

export { expect };
