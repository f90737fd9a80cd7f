import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { until } from "../../test/support/waiting.ts";
import { openBrowser, openerFor, whyNoBrowser } from "./open-browser.ts";

it("says why no browser can be opened", () => {
  expect(whyNoBrowser({}, "linux")).toBe("there is no display here");
  expect(whyNoBrowser({ DISPLAY: ":0" }, "linux")).toBeUndefined();
  expect(whyNoBrowser({ WAYLAND_DISPLAY: "wayland-0" }, "freebsd")).toBeUndefined();
  expect(whyNoBrowser({}, "darwin")).toBeUndefined();
  expect(whyNoBrowser({}, "win32")).toBeUndefined();
  for (const variable of ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"]) {
    expect(whyNoBrowser({ DISPLAY: ":10", [variable]: "x" }, "linux")).toBe("this is a session over SSH");
    expect(whyNoBrowser({ [variable]: "x" }, "darwin")).toBe("this is a session over SSH");
  }
});

it("uses each system's own program, never a shell", () => {
  expect(openerFor("darwin")).toEqual(["open"]);
  expect(openerFor("win32")).toEqual(["rundll32", "url.dll,FileProtocolHandler"]);
  expect(openerFor("linux")).toEqual(["xdg-open"]);
});

const onUnix = process.platform === "win32" ? it.skip : it;

onUnix("hands over the URL as one argument, whatever is in it", async () => {
  const home = mkdtempSync(join(tmpdir(), "intercom-open-"));
  try {
    const said = join(home, "said");
    writeFileSync(
      join(home, "xdg-open"),
      `#!/bin/sh\nprintf '%s|' "$@" > '${said}.new' && mv '${said}.new' '${said}'\n`,
    );
    chmodSync(join(home, "xdg-open"), 0o755);
    const env = { PATH: `${home}:/usr/bin:/bin`, DISPLAY: ":0" };
    const url = "http://127.0.0.1:1/ui/#sign-in=a b;$(touch x)`&";
    expect(await openBrowser(url, env, "linux")).toEqual({ opened: true });
    const read = (): string => {
      try {
        return readFileSync(said, "utf8");
      } catch {
        return "";
      }
    };
    await until("the browser is told", () => read() !== "");
    expect(read()).toBe(`${url}|`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

it("says when there is no such program", async () => {
  const opening = await openBrowser("http://127.0.0.1:1/", { PATH: "/nonexistent", DISPLAY: ":0" }, "linux");
  expect(opening).toEqual({ opened: false, reason: "xdg-open could not be started" });
});
