// Finds the Chromium that shows the user interface in tests, and installs Debian's where that is possible.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { capture } from "./npm.mjs";
import { commandLine, SetupError, step } from "./report.mjs";

/** Names on PATH, in the order of preference. */
const commands = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/** Chromium without windows: in specs it needs half the time of the whole browser. */
const HEADLESS_SHELL = "/usr/lib/chromium/chromium-headless-shell";
/** Debian's packages, the first that is there: a browser, each with the fonts in which pages are the same everywhere. */
const debianPackages = /** @type {const} */ ([
  ["chromium-headless-shell", "fonts-dejavu-core"],
  ["chromium", "fonts-dejavu-core"],
]);

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
    ...(env.DESKTOP_HOST_HEADFUL === "1" ? [] : [HEADLESS_SHELL]),
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
  const { DESKTOP_HOST_CHROMIUM, DESKTOP_HOST_HEADFUL, CHROMIUM } = process.env;
  const isChosen = Boolean(DESKTOP_HOST_CHROMIUM || DESKTOP_HOST_HEADFUL || CHROMIUM);
  if (found && (isChosen || found === HEADLESS_SHELL || !mayInstall)) return;
  if (!mayInstall) {
    throw new SetupError("the tests of the user interface need Chromium or Chrome, and none was found.", {
      advice: isDebian
        ? `run  sudo ${commandLine(["apt-get", ...installing(debianPackages[0])])}  or set CHROMIUM to an executable`
        : "install Chromium or Chrome, or set CHROMIUM to its executable",
    });
  }
  await step("Chromium for the tests", async () => {
    // The lists of packages may be older than the packages themselves; without network the install says what is wrong.
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await capture("apt-get", ["update"], { env });
    let failure = { command: "", output: "" };
    for (const packages of debianPackages) {
      const { output } = await capture("apt-get", installing(packages), { env });
      // Not every distribution has the first one; a browser that is there already does as well, only slower.
      if (findChromium()) return;
      failure = { command: commandLine(["apt-get", ...installing(packages)]), output };
    }
    throw new SetupError("Debian's Chromium could not be installed.", {
      ...failure,
      advice: "install Chromium or Chrome yourself, or set CHROMIUM to its executable",
    });
  });
}

/** @param {readonly string[]} packages */
const installing = (packages) => ["install", "--yes", "--no-install-recommends", ...packages];
