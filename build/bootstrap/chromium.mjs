// Finds the Chromium that shows the user interface in tests, and installs Debian's where that is possible.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { capture } from "./npm.mjs";
import { commandLine, SetupError, step } from "./report.mjs";

/** Names on PATH, in the order of preference. */
const commands = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/** Debian's packages: the browser, and the fonts in which pages are the same everywhere. */
const debianPackages = ["chromium", "fonts-dejavu-core"];

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
    // Before /usr/bin/chromium, which is Debian's wrapper script with flags and messages of its own.
    "/usr/lib/chromium/chromium",
    ...commands.flatMap((command) => folders.map((folder) => join(folder, command))),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  return candidates.find(exists);
}

/** Makes sure that there is a Chromium, or says exactly what to do. */
export async function chromiumReady() {
  if (findChromium()) return;
  const words = ["apt-get", "install", "--yes", "--no-install-recommends", ...debianPackages];
  const isDebian = existsSync("/usr/bin/apt-get");
  if (!isDebian || process.getuid?.() !== 0) {
    throw new SetupError("the tests of the user interface need Chromium or Chrome, and none was found.", {
      advice: isDebian
        ? `run  sudo ${commandLine(words)}  or set CHROMIUM to an executable`
        : "install Chromium or Chrome, or set CHROMIUM to its executable",
    });
  }
  await step("Chromium for the tests", async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    // The lists of packages may be older than the packages themselves; without network the install says what is wrong.
    await capture("apt-get", ["update"], { env });
    const done = await capture("apt-get", words.slice(1), { env });
    if (done.code !== 0 || !findChromium()) {
      throw new SetupError("Debian's Chromium could not be installed.", {
        command: commandLine(words),
        output: done.output,
        advice: "install Chromium or Chrome yourself, or set CHROMIUM to its executable",
      });
    }
  });
}
