// Finds the Chromium that shows the user interface in tests, and installs Debian's where that is possible.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { capture } from "./npm.mjs";
import { commandLine, SetupError, step } from "./report.mjs";

/** Names on PATH, in the order of preference. */
const commands = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/** Chromium without windows: in specs it needs half the time of the whole browser. */
const HEADLESS_SHELL = "/usr/lib/chromium/chromium-headless-shell";
/** Debian's packages: that one, or the whole browser where it is missing. */
const FAST_PACKAGE = "chromium-headless-shell";
const WHOLE_PACKAGE = "chromium";

/**
 * The executable of a Chromium or Chrome, if there is one. DESKTOP_HOST_CHROMIUM and CHROMIUM name another one.
 * @param {NodeJS.ProcessEnv} [env] @param {(path: string) => boolean} [exists]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env, exists = existsSync) {
  const named = env.DESKTOP_HOST_CHROMIUM || env.CHROMIUM;
  if (named) return named;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = [
    ...(isHeadful(env) ? [] : [HEADLESS_SHELL]),
    // Before /usr/bin/chromium, which is Debian's wrapper script with flags and messages of its own.
    "/usr/lib/chromium/chromium",
    ...commands.flatMap((command) => folders.map((folder) => join(folder, command))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  return candidates.find(exists);
}

/** Makes sure that there is a Chromium, the fast one where that can be had, or says exactly what to do. */
export async function chromiumReady() {
  const found = findChromium();
  const isDebian = existsSync("/usr/bin/apt-get");
  const mayInstall = isDebian && process.getuid?.() === 0;
  const { DESKTOP_HOST_CHROMIUM, CHROMIUM } = process.env;
  const isChosen = Boolean(DESKTOP_HOST_CHROMIUM || CHROMIUM || isHeadful());
  if (found && (isChosen || found === HEADLESS_SHELL || !mayInstall)) return;
  if (!mayInstall) {
    throw new SetupError("the tests of the user interface need Chromium or Chrome, and none was found.", {
      advice: isDebian
        ? `run  sudo ${commandLine(installing(FAST_PACKAGE))}  or set CHROMIUM to an executable`
        : "install Chromium or Chrome, or set CHROMIUM to its executable",
    });
  }
  await step("Chromium for the tests", async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    // The lists of packages may be older than the packages themselves; without network the install says what is wrong.
    await capture("apt-get", ["update"], { env });
    let failure = { command: "", output: "" };
    for (const name of [FAST_PACKAGE, WHOLE_PACKAGE]) {
      const words = installing(name);
      const { output } = await capture("apt-get", words.slice(1), { env });
      // Not every distribution has the first one; a browser that is there already does as well, only slower.
      if (findChromium()) return;
      failure = { command: commandLine(words), output };
    }
    throw new SetupError("Debian's Chromium could not be installed.", {
      ...failure,
      advice: "install Chromium or Chrome yourself, or set CHROMIUM to its executable",
    });
  });
}

/** Whether windows are to be looked at. @param {NodeJS.ProcessEnv} [env] */
const isHeadful = (env = process.env) => env.DESKTOP_HOST_HEADFUL === "1";

/** A browser is installed with the fonts in which pages are the same everywhere. @param {string} browser */
const installing = (browser) => [
  "apt-get",
  "install",
  "--yes",
  "--no-install-recommends",
  browser,
  "fonts-dejavu-core",
];
