import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Electron } from "../ports/electron.ts";

/** Started so, the app shows nothing but its tray. */
export const HIDDEN_FLAG = "--hidden";

export interface LoginItemOptions {
  readonly app: Pick<Electron["app"], "setLoginItemSettings">;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly homedir: string;
  /** Program and arguments that start this app. */
  readonly command: readonly string[];
}

/**
 * Starts the app when the user logs in, or no longer.
 * @throws {Error} of the file system, on Linux
 */
export function setLoginItem(startAtLogin: boolean, options: LoginItemOptions): void {
  if (options.platform === "linux") {
    setAutostart(startAtLogin, options);
    return;
  }
  const [, ...args] = options.command;
  options.app.setLoginItemSettings({ openAtLogin: startAtLogin, args: [...args, HIDDEN_FLAG] });
}

/** Linux has a folder for it, which Electron knows nothing of: https://specifications.freedesktop.org/autostart-spec */
function setAutostart(startAtLogin: boolean, { env, homedir, command }: LoginItemOptions): void {
  const file = join(env.XDG_CONFIG_HOME || join(homedir, ".config"), "autostart", "agent-intercom.desktop");
  if (!startAtLogin) {
    rmSync(file, { force: true });
    return;
  }
  const lines = [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Agent Intercom",
    "Comment=Lets coding agents find each other, and asks you for them",
    `Exec=${[...command, HIDDEN_FLAG].map(quoted).join(" ")}`,
    "Terminal=false",
    "X-GNOME-Autostart-enabled=true",
  ];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o644 });
}

/** As the specification of desktop entries has it; a value is unescaped twice, and `%` begins a field code. */
function quoted(word: string): string {
  if (/^[\w./=@:+-]+$/.test(word)) return word;
  return `"${word
    .replaceAll(/["`$\\]/g, "\\$&")
    .replaceAll("\\", "\\\\")
    .replaceAll("%", "%%")}"`;
}
