// One page of Chromium under the debugger: the part of a window that is real.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";
import type { EventOf, Session } from "../chromium/protocol.ts";
import { sharedChromium } from "../chromium/shared.ts";
import { makeCodec } from "../page/codec.ts";
import { mainWorldSource, PRELOAD_WORLD, preloadSource, SEND_BINDING } from "../page/injected.ts";
import type { FromPage, ToPage } from "../page/preload.ts";
import { toApp } from "./addresses.ts";
import { createOwnTarget } from "./own-targets.ts";

const codec = makeCodec();

export interface PageOptions {
  readonly width: number;
  readonly height: number;
  /** Path of a sandboxed preload script. */
  readonly preload: string | undefined;
  readonly additionalArguments: readonly string[];
}

/** What a page tells its owner. Every address is the app's, see addresses.ts. */
export interface PageListener {
  messageReceived(message: FromPage): void;
  requestPaused(event: EventOf<"Fetch.requestPaused">): void;
  navigated(url: string): void;
  domReady(): void;
  loaded(): void;
  titleChanged(title: string): void;
  consoleWritten(level: string, message: string): void;
  windowOpened(event: EventOf<"Page.windowOpen">): void;
  crashed(): void;
  gone(): void;
}

export class PageTarget {
  /** Known once `ready`. */
  targetId = "";
  /** Rejected when Chromium is gone before the page was made. */
  readonly ready: Promise<Session>;
  #mainFrame = "";
  #preloadContext: number | undefined;
  readonly #listener: PageListener;

  constructor(options: PageOptions, listener: PageListener) {
    this.#listener = listener;
    this.ready = this.#open(options);
    // Whoever uses the page sees the failure; a window nobody uses must not end the app.
    this.ready.catch(() => undefined);
  }

  get mainFrame(): string {
    return this.#mainFrame;
  }

  /** Runs `code` in the page's own world. @throws what the code threw */
  async evaluate(code: string): Promise<unknown> {
    const session = await this.ready;
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Hands a message to the preload's world; false when there is none (nothing loaded, crashed, no preload). */
  async deliver(message: ToPage): Promise<boolean> {
    const text = codec.encode(message);
    const session = await this.ready;
    if (this.#preloadContext === undefined) return false;
    const delivery = session.send("Runtime.callFunctionOn", {
      functionDeclaration: "function (text) { desktopHostDeliver(text); }",
      executionContextId: this.#preloadContext,
      arguments: [{ value: text }],
    });
    return delivery.then(
      () => true,
      () => false,
    );
  }

  async close(): Promise<void> {
    // A page that is gone already, with or without Chromium, is what we want.
    await this.ready.catch(() => undefined);
    const chromium = await sharedChromium().catch(() => undefined);
    await chromium?.connection.browser.send("Target.closeTarget", { targetId: this.targetId }).catch(() => undefined);
  }

  async #open({ width, height, preload, additionalArguments }: PageOptions): Promise<Session> {
    const { connection } = await sharedChromium();
    this.targetId = await createOwnTarget(connection, width, height);
    const session = await connection.attach(this.targetId);
    this.#listen(session, connection.browser);
    const { frameTree } = await session.send("Page.getFrameTree");
    this.#mainFrame = frameTree.frame.id;
    await Promise.all([
      session.send("Page.enable"),
      session.send("Runtime.enable"),
      session.send("Inspector.enable"),
      session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] }),
      this.resize(width, height, session),
      preload === undefined ? undefined : inject(session, preload, additionalArguments),
    ]);
    return session;
  }

  /** The page's size is the window's: Chromium's own window has toolbars, which Electron's lacks. */
  async resize(width: number, height: number, session?: Session): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await (session ?? (await this.ready)).send("Emulation.setDeviceMetricsOverride", metrics);
  }

  async #loaded(): Promise<void> {
    // A page that is gone by now has no title, and no load to tell of.
    const title = await this.evaluate("document.title").catch(() => undefined);
    if (typeof title !== "string") return;
    if (title !== "") this.#listener.titleChanged(title);
    this.#listener.loaded();
  }

  #listen(session: Session, browser: Session): void {
    const listener = this.#listener;
    session.on("Runtime.executionContextCreated", ({ context }) => {
      const { frameId } = (context.auxData ?? {}) as { frameId?: string };
      if (context.name === PRELOAD_WORLD && frameId === this.#mainFrame) this.#preloadContext = context.id;
    });
    session.on("Runtime.executionContextDestroyed", ({ executionContextId }) => {
      if (executionContextId === this.#preloadContext) this.#preloadContext = undefined;
    });
    session.on("Runtime.executionContextsCleared", () => {
      this.#preloadContext = undefined;
    });
    session.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name === SEND_BINDING) listener.messageReceived(codec.decode(payload) as FromPage);
    });
    session.on("Runtime.consoleAPICalled", ({ type, args }) => {
      listener.consoleWritten(type, args.map(({ value, description }) => value ?? description).join(" "));
    });
    session.on("Runtime.exceptionThrown", ({ exceptionDetails }) => {
      listener.consoleWritten("error", exceptionDetails.exception?.description ?? exceptionDetails.text);
    });
    session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.#mainFrame = frame.id;
      listener.navigated(toApp(frame.url + (frame.urlFragment ?? "")));
    });
    session.on("Page.navigatedWithinDocument", ({ frameId, url }) => {
      if (frameId === this.#mainFrame) listener.navigated(toApp(url));
    });
    session.on("Page.domContentEventFired", () => listener.domReady());
    session.on("Page.loadEventFired", () => void this.#loaded());
    session.on("Page.windowOpen", (event) => listener.windowOpened(event));
    session.on("Fetch.requestPaused", (event) => listener.requestPaused(event));
    session.on("Inspector.targetCrashed", () => {
      this.#preloadContext = undefined;
      listener.crashed();
    });
    browser.on("Target.targetDestroyed", ({ targetId }) => {
      if (targetId === this.targetId) listener.gone();
    });
  }
}

async function inject(session: Session, preload: string, additionalArguments: readonly string[]): Promise<void> {
  const secret = randomBytes(16).toString("hex");
  const { platform, arch, versions, argv } = process;
  const facts = { platform, arch, versions: { ...versions }, argv: [argv[0] ?? "", ...additionalArguments] };
  const script = { path: preload, code: readFileSync(preload, "utf8") };
  await Promise.all([
    session.send("Runtime.addBinding", { name: SEND_BINDING, executionContextName: PRELOAD_WORLD }),
    session.send("Page.addScriptToEvaluateOnNewDocument", { source: mainWorldSource(secret) }),
    session.send("Page.addScriptToEvaluateOnNewDocument", {
      source: preloadSource(secret, facts, script),
      worldName: PRELOAD_WORLD,
    }),
  ]);
}
