import { describe, expect, it } from "vitest";
import { silentLogger } from "../../daemon/runtime/index.ts";
import { guardContents } from "./navigation.ts";
import { addressOf } from "./open-external.ts";
import { guardSession, mayLoad } from "./session.ts";
import { webPreferences } from "./web-preferences.ts";

type Handler = (...args: never[]) => unknown;

describe("a session", () => {
  const handlers: Record<string, Handler> = {};
  const keep = (name: string) => (handler: unknown) => {
    handlers[name] = handler as Handler;
  };
  guardSession(
    {
      webRequest: { onBeforeRequest: keep("request") },
      setPermissionRequestHandler: keep("permission"),
      setPermissionCheckHandler: keep("check"),
      setDevicePermissionHandler: keep("device"),
    } as never,
    { isPackaged: true, logger: silentLogger },
  );
  const call = (name: string, ...args: unknown[]): unknown =>
    (handlers[name] as (...all: unknown[]) => unknown)(...args);
  const answered = (name: string, ...before: unknown[]): unknown => {
    let answer: unknown;
    const [first, ...rest] = before;
    const given = (value: unknown): void => {
      answer = value;
    };
    if (name === "request") call(name, first, given);
    else call(name, {}, first, given, ...rest);
    return answer;
  };

  it.each([
    ["app://ui/index.html", true, true],
    ["app://other/index.html", false, false],
    ["https://example.com/", false, false],
    ["http://127.0.0.1:4766/", false, false],
    ["file:///etc/passwd", false, false],
    ["ws://localhost/", false, false],
    ["data:text/html,x", false, false],
    ["devtools://devtools/x.html", false, true],
    ["chrome-extension://x/y.js", false, false],
  ])("loads %s: installed %s, developing %s", (url, installed, developing) => {
    expect(mayLoad(url, true)).toBe(installed);
    expect(mayLoad(url, false)).toBe(developing);
    expect(answered("request", { url })).toEqual({ cancel: !installed });
  });

  it("grants a page to copy text, and nothing else", () => {
    const ours = { requestingUrl: "app://ui/index.html" };
    expect(answered("permission", "clipboard-sanitized-write", ours)).toBe(true);
    expect(answered("permission", "clipboard-sanitized-write", { requestingUrl: "https://example.com" })).toBe(false);
    for (const permission of [
      "notifications",
      "media",
      "geolocation",
      "clipboard-read",
      "openExternal",
      "fullscreen",
    ]) {
      expect(answered("permission", permission, ours), permission).toBe(false);
      expect(call("check", null, permission, "app://ui"), permission).toBe(false);
    }
    expect(call("check", null, "clipboard-sanitized-write", "app://ui")).toBe(true);
    expect(call("check", null, "clipboard-sanitized-write", "https://example.com")).toBe(false);
    expect(call("device")).toBe(false);
  });
});

describe("a page", () => {
  const listeners: Record<string, Handler> = {};
  let openHandler: Handler = () => undefined;
  guardContents(
    {
      on: (name: string, listener: Handler) => {
        listeners[name] = listener;
      },
      setWindowOpenHandler: (handler: Handler) => {
        openHandler = handler;
      },
    } as never,
    silentLogger,
  );
  const isPrevented = (name: string, event: object = {}): boolean => {
    let prevented = false;
    const preventDefault = (): void => {
      prevented = true;
    };
    (listeners[name] as (event: object) => void)({ ...event, preventDefault });
    return prevented;
  };

  it("stays where it is", () => {
    const initiator = { url: "app://ui/index.html#inbox" };
    expect(isPrevented("will-navigate", { url: "https://example.com/", initiator })).toBe(true);
    expect(isPrevented("will-navigate", { url: "app://ui/answer.html", initiator })).toBe(true);
    expect(isPrevented("will-navigate", { url: "app://ui/index.html", initiator: undefined })).toBe(true);
    expect(isPrevented("will-navigate", { url: "app://ui/index.html#tasks", initiator })).toBe(false);
    expect(isPrevented("will-frame-navigate", { isMainFrame: false, url: "app://ui/index.html" })).toBe(true);
    expect(isPrevented("will-redirect")).toBe(true);
  });

  it("embeds nothing and opens nothing", () => {
    expect(isPrevented("will-attach-webview")).toBe(true);
    expect((openHandler as (details: object) => unknown)({ url: "https://example.com" })).toEqual({ action: "deny" });
  });

  it("has no way to Node, and developer tools only while developing", () => {
    expect(webPreferences({ preload: "/preload.cjs", isPackaged: true })).toEqual({
      preload: "/preload.cjs",
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      webviewTag: false,
      spellcheck: false,
      devTools: false,
    });
    expect(webPreferences({ preload: "/preload.cjs", isPackaged: false }).devTools).toBe(true);
  });
});

describe("a link to the web", () => {
  it("leads below the home page of the package", () => {
    expect(addressOf("issues", "https://example.com/owner/product/")).toBe("https://example.com/owner/product/issues");
    expect(addressOf("documentation", "https://example.com/product?x=1")).toBe("https://example.com/product#readme");
  });

  it.each([undefined, "", "http://example.com", "file:///etc/passwd", "javascript:alert(1)"])(
    "leads nowhere when the home page is %s",
    (homepage) => {
      expect(() => addressOf("license", homepage)).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
    },
  );
});
