// Runs a desktop app for a spec: in the stand-in of test/desktop-host, or in a real Electron when E2E_ELECTRON names one.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test as base, type ElectronApplication, expect, type Page, type PlaywrightWorkerArgs } from "@playwright/test";
import { endApp } from "./desktop-end.ts";

const top = join(import.meta.dirname, "..", "..");
const executablePath = process.env.E2E_ELECTRON ?? join(top, "test", "desktop-host", "electron");

/** Whether specs run in the stand-in; only there is a `globalThis.desktopHost` (test/desktop-host/handle.ts). */
export const isStandIn: boolean = process.env.E2E_ELECTRON === undefined;

/** Where one app keeps what it keeps. Launching again with the same one is a restart. */
export interface DesktopHome {
  readonly userData: string;
  readonly dataDir: string;
  readonly runtimeDir: string;
}

export interface LaunchOptions {
  /** Folder or main file of the app; default: ours, as it was built. */
  readonly app?: string;
  /** Arguments after the app, such as a deep link. */
  readonly args?: readonly string[];
  /** On top of this process's environment and of the directories of `home`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a fresh one. */
  readonly home?: DesktopHome;
}

/** A running app, ready in Electron's sense. What it does after that takes time: poll for it. */
export interface Desktop {
  readonly app: ElectronApplication;
  readonly home: DesktopHome;
  /** Program, arguments and environment that start the same app once more, as a person would. */
  readonly again: { readonly file: string; readonly args: readonly string[]; readonly env: Record<string, string> };
  /** What its main process has printed so far. */
  output(): string;
  /** The window with this title, once there is one. */
  window(title: string | RegExp): Promise<Page>;
}

type Playwright = PlaywrightWorkerArgs["playwright"];

interface Fixtures {
  /** Starts an app. When the test ends, however it ends, the app and all it started end, too. */
  launchDesktop: (options?: LaunchOptions) => Promise<Desktop>;
}

export const test = base.extend<Fixtures>({
  launchDesktop: async ({ playwright }, use, info) => {
    const folders: string[] = [];
    const desktops: Desktop[] = [];
    await use(async (options = {}) => {
      const home = options.home ?? freshHome(folders);
      const desktop = await launch(playwright, options, home);
      desktops.push(desktop);
      return desktop;
    });
    if (info.status !== info.expectedStatus) {
      for (const { output } of desktops) await info.attach("output of the app", { body: output() });
      process.stdout.write(
        desktops.map(({ output }) => `Output of the app in "${info.title}":\n${output()}\n`).join(""),
      );
    }
    for (const { app, home } of desktops) await endApp(app, home.runtimeDir);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

export { expect };

function freshHome(folders: string[]): DesktopHome {
  // Short, because sockets may lie in it and their paths end after about 100 characters.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ai-")));
  folders.push(folder);
  const home = { userData: join(folder, "user"), dataDir: join(folder, "data"), runtimeDir: join(folder, "run") };
  for (const each of Object.values(home)) mkdirSync(each, { mode: 0o700 });
  return home;
}

async function launch(playwright: Playwright, options: LaunchOptions, home: DesktopHome): Promise<Desktop> {
  const main = options.app ?? join(top, "dist", "desktop", "main.js");
  const args = [`--user-data-dir=${home.userData}`, main, ...(options.args ?? [])];
  const env: Record<string, string> = {
    ...inherited(),
    AGENT_INTERCOM_DATA_DIR: home.dataDir,
    AGENT_INTERCOM_RUNTIME_DIR: home.runtimeDir,
    AGENT_INTERCOM_PORT: "0",
    TZ: "UTC",
    ...options.env,
  };
  // Without null Playwright would set a colour scheme of its own, over that of the app.
  const app = await playwright._electron.launch({ executablePath, args, env, colorScheme: null });
  let output = "";
  for (const stream of [app.process().stdout, app.process().stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  // A real Electron may be ready before Playwright has attached, the stand-in is never: so nobody can wait for the event.
  await expect.poll(() => app.evaluate((electron) => electron.app.isReady())).toBe(true);
  return {
    app,
    home,
    again: { file: executablePath, args, env },
    output: () => output,
    window: (title) => windowOf(app, title),
  };
}

/** This process's environment without what would change the app: settings of ours, and Electron's own switches. */
function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(AGENT_INTERCOM_|ELECTRON_|NODE_OPTIONS$)/.test(entry[0]),
  );
  return Object.fromEntries(entries);
}

async function windowOf(app: ElectronApplication, title: string | RegExp): Promise<Page> {
  let found: Page | undefined;
  await expect
    .poll(
      async () => {
        for (const page of app.windows()) {
          // A page that is just closing has no title any more.
          const its = await page.title().catch(() => "");
          if (typeof title === "string" ? its === title : title.test(its)) found = page;
        }
        return found !== undefined;
      },
      `a window with the title ${String(title)}`,
    )
    .toBe(true);
  if (!found) throw new Error(`There is no window with the title ${String(title)}.`);
  return found;
}
