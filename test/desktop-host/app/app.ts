import process from "node:process";
import type { App as ElectronApp, LoginItemSettings, Settings } from "electron";
import { isAllowed, OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";
import { type CommandLine, commandLine } from "./command-line.ts";
import { appFacts, getPath, setPath } from "./paths.ts";
import { running } from "./running.ts";
import { SingleInstance } from "./single-instance.ts";

/** How long quitting waits for what has to end first, ms. */
const EXIT_MS = 5000;

/** Electron's `app`. */
class App extends OfferedEmitter {
  readonly commandLine: CommandLine = commandLine;
  /** There is a dock on macOS only, and the stand-in plays Linux. */
  readonly dock: undefined;
  readonly isPackaged = false;
  userAgentFallback = "";
  #name: string | undefined;
  #badgeCount = 0;
  #loginItem: Settings = {};
  #isReady = false;
  #isQuitting = false;
  readonly #ready = Promise.withResolvers<void>();
  readonly #protocols = new Set<string>();
  readonly #instance = new SingleInstance();

  get name(): string {
    return this.getName();
  }

  set name(name: string) {
    this.setName(name);
  }

  // Start

  isReady(): boolean {
    return this.#isReady;
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** Called by main.ts. Not a member of Electron's. */
  hostBecomeReady(): void {
    this.#isReady = true;
    this.emit("will-finish-launching");
    this.emit("ready", {}, {});
    this.#ready.resolve();
  }

  requestSingleInstanceLock(additionalData: Record<string, unknown> = {}): boolean {
    return this.#instance.request(additionalData, ({ argv, workingDirectory, additionalData: data }) => {
      this.emit("second-instance", {}, argv, workingDirectory, data);
    });
  }

  hasSingleInstanceLock(): boolean {
    return this.#instance.isHeld;
  }

  releaseSingleInstanceLock(): void {
    this.#instance.release();
  }

  enableSandbox(): void {
    if (this.#isReady) throw new Error("app.enableSandbox() can only be called before app is ready");
    recordings.add("app", "enableSandbox");
  }

  disableHardwareAcceleration(): void {
    recordings.add("app", "disableHardwareAcceleration");
  }

  // End

  quit(): void {
    if (this.#isQuitting) return;
    this.#isQuitting = true;
    if (this.#mayQuit()) this.exit(0);
    else this.#isQuitting = false;
  }

  #mayQuit(): boolean {
    if (!isAllowed(this, "before-quit")) return false;
    for (const window of [...running.windows]) {
      window.close();
      if (!window.isDestroyed()) return false;
    }
    return isAllowed(this, "will-quit");
  }

  /** Whether windows that close now do so because the app quits. Not a member of Electron's. */
  hostIsQuitting(): boolean {
    return this.#isQuitting;
  }

  exit(exitCode = 0): void {
    this.#isQuitting = true;
    for (const window of [...running.windows]) window.destroy();
    this.emit("quit", {}, exitCode);
    this.#instance.release();
    for (const each of [...running.utilityProcesses]) each.kill();
    const patience = new Promise((resolve) => setTimeout(resolve, EXIT_MS));
    const ended = Promise.allSettled(running.beforeExit.map((each) => each()));
    void Promise.race([ended, patience]).then(() => process.exit(exitCode));
  }

  relaunch(options: { args?: string[]; execPath?: string } = {}): void {
    recordings.add("app", "relaunch", options);
  }

  // Who and where

  getName(): string {
    return this.#name ?? appFacts.name;
  }

  setName(name: string): void {
    this.#name = name;
  }

  getVersion(): string {
    return appFacts.version;
  }

  getAppPath(): string {
    return appFacts.path;
  }

  getPath(name: string): string {
    return getPath(name);
  }

  setPath(name: string, path: string): void {
    recordings.add("app", "setPath", name, path);
    setPath(name, path);
  }

  setAppLogsPath(path?: string): void {
    if (path !== undefined) setPath("logs", path);
  }

  getLocale(): string {
    return process.env.DESKTOP_HOST_LOCALE ?? "en-US";
  }

  getSystemLocale(): string {
    return this.getLocale();
  }

  getLocaleCountryCode(): string {
    return this.getLocale().split("-")[1] ?? "";
  }

  getPreferredSystemLanguages(): string[] {
    return [this.getLocale()];
  }

  // The desktop around it

  setAppUserModelId(id: string): void {
    recordings.add("app", "setAppUserModelId", id);
  }

  setAsDefaultProtocolClient(protocol: string, path?: string, args?: string[]): boolean {
    recordings.add("app", "setAsDefaultProtocolClient", protocol, path, args);
    this.#protocols.add(protocol);
    return true;
  }

  removeAsDefaultProtocolClient(protocol: string): boolean {
    recordings.add("app", "removeAsDefaultProtocolClient", protocol);
    return this.#protocols.delete(protocol);
  }

  isDefaultProtocolClient(protocol: string): boolean {
    return this.#protocols.has(protocol);
  }

  setLoginItemSettings(settings: Settings): void {
    recordings.add("app", "setLoginItemSettings", settings);
    this.#loginItem = { ...this.#loginItem, ...settings };
  }

  getLoginItemSettings(): LoginItemSettings {
    const opens = this.#loginItem.openAtLogin ?? false;
    return {
      openAtLogin: opens,
      wasOpenedAtLogin: false,
      status: opens ? "enabled" : "not-registered",
      executableWillLaunchAtLogin: opens,
      launchItems: [],
    };
  }

  setBadgeCount(count = 0): boolean {
    recordings.add("app", "setBadgeCount", count);
    this.#badgeCount = count;
    return true;
  }

  getBadgeCount(): number {
    return this.#badgeCount;
  }

  setAboutPanelOptions(options: object): void {
    recordings.add("app", "setAboutPanelOptions", options);
  }

  showAboutPanel(): void {
    recordings.add("app", "showAboutPanel");
  }

  setActivationPolicy(policy: string): void {
    recordings.add("app", "setActivationPolicy", policy);
  }

  focus(options: { steal?: boolean } = {}): void {
    recordings.add("app", "focus", options);
  }

  show(): void {
    recordings.add("app", "show");
  }

  hide(): void {
    recordings.add("app", "hide");
  }
}

/** Names of members of ours that Electron's lacks: none but those for main.ts. */
export type InventedByApp = Exclude<keyof App, keyof ElectronApp | `host${string}`>;

export const app: App = new App();
