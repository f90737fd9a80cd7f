import { spawn } from "node:child_process";

/** Whether the user's browser was told to open something, and if not, why. */
export type Opening = { readonly opened: true } | { readonly opened: false; readonly reason: string };

/** Why no browser can be opened from here; undefined where one can. */
export function whyNoBrowser(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (env.SSH_CONNECTION || env.SSH_CLIENT || env.SSH_TTY) return "this is a session over SSH";
  const hasDisplay = platform === "darwin" || platform === "win32" || env.DISPLAY || env.WAYLAND_DISPLAY;
  return hasDisplay ? undefined : "there is no display here";
}

/** The program that opens a URL in the default browser. It gets the URL as one argument; no shell reads it. */
export function openerFor(platform: NodeJS.Platform): readonly [command: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  // What `start` does, which only the shell knows.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

/** Opens a URL in the default browser, which goes on by itself. */
export async function openBrowser(
  url: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<Opening> {
  const reason = whyNoBrowser(env, platform);
  if (reason !== undefined) return { opened: false, reason };
  const [command, ...args] = openerFor(platform);
  const child = spawn(command, [...args, url], { env, detached: true, stdio: "ignore", windowsHide: true });
  return new Promise((resolve) => {
    child.once("error", () => resolve({ opened: false, reason: `${command} could not be started` }));
    child.once("spawn", () => {
      child.unref();
      resolve({ opened: true });
    });
  });
}
