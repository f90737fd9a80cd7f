import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Translator } from "../../i18n/index.ts";
import type { AppContext, CrashReport } from "../shell.ts";

/** Links of the page that are never followed: choosing one is the answer. */
const CHOICES = { relaunch: "https://crash.invalid/relaunch", quit: "https://crash.invalid/quit" } as const;
const SIZE = { width: 560, height: 460 } as const;

type Choice = keyof typeof CHOICES;

/**
 * Explains that the main process has failed, in a window of its own: without scripts, preload script, app protocol or anything
 * else that may be what has failed. Resolves with what the human chose; closing the window is quitting.
 */
export function showCrashWindow(
  { electron, files, desktop }: Pick<AppContext, "electron" | "files" | "desktop">,
  report: CrashReport,
  t: Translator,
): Promise<Choice> {
  const page = crashPage(readFileSync(join(files.resources, "crash.html"), "utf8"), report, t);
  const window = new electron.BrowserWindow({
    title: t("windows.crash.title"),
    ...SIZE,
    autoHideMenuBar: true,
    alwaysOnTop: desktop().platform !== "darwin",
    webPreferences: {
      // Away from the guards of ordinary pages, and without any right of its own.
      partition: "crash",
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
      webviewTag: false,
      spellcheck: false,
      devTools: false,
    },
  });
  return new Promise((resolve) => {
    const choose = (choice: Choice): void => {
      resolve(choice);
      if (!window.isDestroyed()) window.destroy();
    };
    window.webContents.on("will-navigate", (event) => {
      event.preventDefault();
      for (const [choice, link] of Object.entries(CHOICES)) if (event.url === link) choose(choice as Choice);
    });
    window.on("closed", () => resolve("quit"));
    window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page)}`).catch(() => choose("quit"));
  });
}

/** The page with its texts. Messages of errors may hold anything. */
export function crashPage(template: string, report: CrashReport, t: Translator): string {
  const texts: Readonly<Record<string, string>> = {
    locale: t.locale,
    title: t("windows.crash.title"),
    explanation: t("windows.crash.explanation"),
    message: report.message,
    detailsTitle: t("windows.crash.details"),
    details: report.details,
    relaunch: t("windows.crash.relaunch"),
    relaunchLink: CHOICES.relaunch,
    quit: t("windows.crash.quit"),
    quitLink: CHOICES.quit,
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(texts[name] ?? ""));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
