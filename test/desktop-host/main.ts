// Runs an app's main bundle with the stand-in module. Same command line as Electron's: [flags] APP [arguments], where APP
// is a folder with a package.json or a single file.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { app } from "./app/app.ts";
import { appFacts } from "./app/paths.ts";
import { sharedChromium } from "./chromium/shared.ts";
import "./handle.ts";

/** The Electron whose behaviour is played. */
const ELECTRON_VERSION = "45.5.0";

const [node = "", , ...words] = process.argv;
const place = words.find((word) => !word.startsWith("-"));
if (place === undefined) {
  process.stderr.write("Usage: electron [flags] APP [arguments]\n");
  process.exit(2);
}
const entry = entryOf(resolve(place));

Object.defineProperty(process.versions, "electron", { value: ELECTRON_VERSION, enumerable: true });
Object.assign(process, { type: "browser", resourcesPath: join(appFacts.path, "resources"), defaultApp: true });
process.argv = [node, ...words];
process.on("SIGTERM", () => app.quit());
process.on("SIGINT", () => app.quit());

/** Playwright attaches to the running process and then calls this; only after that the app becomes ready. */
const attached = Promise.withResolvers<void>();
Object.assign(globalThis, { __playwright_run: () => attached.resolve() });

const starting = sharedChromium();
// Reported below; the app's own start must not be stopped by an unhandled rejection.
starting.catch(() => undefined);
await import(pathToFileURL(entry).href);
await becomeReady();

async function becomeReady(): Promise<void> {
  try {
    const chromium = await starting;
    await chromium.connection.browser.send("Target.setDiscoverTargets", { discover: true });
    if (app.hostIsQuitting()) return;
    if (words.includes("--remote-debugging-port=0")) {
      process.stderr.write(`DevTools listening on ${chromium.webSocketUrl}\n`);
      await attached.promise;
    }
    app.hostBecomeReady();
  } catch (error) {
    if (app.hostIsQuitting()) return;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    app.exit(1);
  }
}

function entryOf(path: string): string {
  if (statSync(path).isFile()) {
    appFacts.path = dirname(path);
    appFacts.version = ELECTRON_VERSION;
    return path;
  }
  const manifestPath = join(path, "package.json");
  const manifest = (existsSync(manifestPath) ? JSON.parse(readFileSync(manifestPath, "utf8")) : {}) as Partial<
    Record<"name" | "productName" | "version" | "main", string>
  >;
  appFacts.path = path;
  appFacts.name = manifest.productName ?? manifest.name ?? appFacts.name;
  appFacts.version = manifest.version ?? ELECTRON_VERSION;
  return join(path, manifest.main ?? "index.js");
}
