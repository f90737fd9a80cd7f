import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { setLoginItem } from "./login-item.ts";

const asked: unknown[] = [];
const app = { setLoginItemSettings: (settings: unknown) => void asked.push(settings) };

it("is the operating system's business on macOS and Windows", () => {
  for (const platform of ["darwin", "win32"] as const) {
    setLoginItem(true, { app, platform, env: {}, homedir: "/home/me", command: ["/app/intercom"] });
  }
  setLoginItem(false, { app, platform: "darwin", env: {}, homedir: "/home/me", command: ["/electron", "/checkout"] });
  expect(asked).toEqual([
    { openAtLogin: true, args: ["--hidden"] },
    { openAtLogin: true, args: ["--hidden"] },
    { openAtLogin: false, args: ["/checkout", "--hidden"] },
  ]);
});

it("is a file on Linux, which starts the app hidden and goes again", () => {
  const home = temporaryFolder();
  const options = { app, platform: "linux", env: {}, homedir: home, command: ['/opt/An "odd" $place/app'] } as const;
  const file = join(home, ".config/autostart/agent-intercom.desktop");
  setLoginItem(true, options);
  expect(readFileSync(file, "utf8")).toContain('Exec="/opt/An \\\\"odd\\\\" \\\\$place/app" --hidden\n');
  setLoginItem(false, options);
  setLoginItem(false, options);
  expect(existsSync(file)).toBe(false);
  setLoginItem(true, { ...options, env: { XDG_CONFIG_HOME: join(home, "elsewhere") } });
  expect(existsSync(join(home, "elsewhere/autostart/agent-intercom.desktop"))).toBe(true);
});
