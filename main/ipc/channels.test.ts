import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import { silentLogger } from "../../daemon/runtime/index.ts";
import { type DesktopState, emptyLiveState, type IpcAnswer } from "../../protocol/desktop/index.ts";
import { IPC_CHANNELS, ipcName } from "../../protocol/desktop/names.ts";
import { IntercomError } from "../../protocol/errors.ts";
import { type IpcHandlers, registerIpc } from "./register.ts";
import { TrustedPages } from "./trusted-pages.ts";

class FakeContents extends EventEmitter {
  readonly id: number;
  readonly sent: unknown[][] = [];
  isGone = false;

  constructor(id: number) {
    super();
    this.id = id;
  }

  send(...args: unknown[]): void {
    this.sent.push(args);
  }

  isDestroyed(): boolean {
    return this.isGone;
  }
}

function scene(handlers: Partial<IpcHandlers> = {}) {
  const open = new Map<string, (event: unknown, request: unknown) => Promise<IpcAnswer<unknown>>>();
  const pages = new TrustedPages({
    timers: systemTimers,
    read: () => ({ live: emptyLiveState("2026-01-01T00:00:00.000Z"), desktop: {} as DesktopState }),
  });
  const contents = new FakeContents(7);
  const page = pages.trust(contents as never);
  registerIpc({
    ipcMain: { handle: (name: string, listener: never) => void open.set(name, listener) } as never,
    pages,
    logger: silentLogger,
    handlers: {
      attach: (_request: unknown, { frames }: { frames: { attach(): unknown } }) => frames.attach(),
      ...handlers,
    } as never,
  });
  const invoke = (channel: string, request: unknown, from: object = {}) => {
    const senderFrame = { url: "app://ui/index.html", parent: null, ...from };
    return open.get(`intercom:${channel}`)?.({ sender: contents, senderFrame, ...from }, request);
  };
  return { open, contents, page, pages, invoke };
}

const DENIED = { ok: false, error: { code: "PERMISSION_DENIED", message: expect.any(String) } };

describe("the channels", () => {
  it("are those of the contract and no other", () => {
    expect([...scene().open.keys()].toSorted()).toEqual(IPC_CHANNELS.map(ipcName.request).toSorted());
  });

  it("answer a page of ours", async () => {
    const { invoke, page } = scene();
    expect(page.isAttached).toBe(false);
    expect(await invoke("attach", {})).toMatchObject({ ok: true, result: { sequence: 0 } });
    expect(page.isAttached).toBe(true);
  });

  it.each([
    ["a page of the web", { senderFrame: { url: "https://example.com/", parent: null } }],
    ["a file", { senderFrame: { url: "file:///index.html", parent: null } }],
    ["another host of the scheme", { senderFrame: { url: "app://other/index.html", parent: null } }],
    ["a frame in a page", { senderFrame: { url: "app://ui/index.html", parent: {} } }],
    ["a frame that is gone", { senderFrame: null }],
    ["a window that nobody has registered", { sender: new FakeContents(8) }],
  ])("do not answer %s", async (_who, from) => {
    const { invoke, page } = scene();
    expect(await invoke("attach", {}, from)).toEqual(DENIED);
    expect(page.isAttached).toBe(false);
  });

  it("do not answer a page whose window is gone", async () => {
    const { invoke, contents } = scene();
    contents.emit("destroyed");
    expect(await invoke("attach", {})).toEqual(DENIED);
  });

  it.each([
    ["attach", { extra: 1 }, "extra: unknown field"],
    ["attach", undefined, "expected object"],
    ["call", { operation: "shutdown", input: {} }, "operation: "],
    ["call", { operation: "deleteScope", input: {} }, "operation: "],
    ["call", { operation: "overview", input: [] }, "input: "],
    ["openLink", { link: "https://example.com" }, "link: "],
    ["openMain", { view: "nowhere" }, "view: "],
    ["changeSettings", { theme: "pink" }, "theme: "],
    ["changeSettings", { notifications: { loud: true } }, "notifications.loud: unknown field"],
    ["copyText", { text: "x".repeat(70_000) }, "text: "],
    ["showing", { escalationId: "../x" }, "escalationId: "],
  ])("refuse %s %j and name the field", async (channel, request, problem) => {
    const answer = await scene().invoke(channel, request);
    expect(answer).toMatchObject({
      ok: false,
      error: { code: "INVALID_ARGUMENT", message: expect.stringContaining(problem) },
    });
  });

  it("turn errors into values, expected ones and defects", async () => {
    const { invoke } = scene({
      openLogs: () => {
        throw new IntercomError("CONFLICT", "not now", { reason: "busy" });
      },
      quit: () => Promise.reject(new TypeError("a defect")),
    });
    expect(await invoke("openLogs", {})).toEqual({
      ok: false,
      error: { code: "CONFLICT", message: "not now", details: { reason: "busy" } },
    });
    expect(await invoke("quit", {})).toMatchObject({ ok: false, error: { code: "INTERNAL" } });
  });
});

describe("a trusted page", () => {
  it("is told of changes only while it is attached", async () => {
    const { pages, contents, invoke } = scene();
    const link = { kind: "link", link: { state: "live", since: "2026-01-01T00:00:00.000Z" } } as const;
    pages.tell({ changes: [link] });
    await invoke("attach", {});
    pages.tell({ changes: [link] });
    expect(contents.sent).toEqual([["intercom:push:frame", { sequence: 1, changes: [link] }]]);
    contents.emit("did-start-navigation", { isMainFrame: true, isSameDocument: false });
    pages.tell({ changes: [link] });
    expect(contents.sent).toHaveLength(1);
  });

  it("stays attached when it only moves within itself", async () => {
    const { contents, page, invoke } = scene();
    await invoke("attach", {});
    contents.emit("did-start-navigation", { isMainFrame: true, isSameDocument: true });
    contents.emit("did-start-navigation", { isMainFrame: false, isSameDocument: false });
    expect(page.isAttached).toBe(true);
  });

  it("gets nothing any more when its window is just closing", async () => {
    const { page, contents, invoke } = scene();
    await invoke("attach", {});
    contents.isGone = true;
    page.go({ view: "about" });
    expect(contents.sent).toEqual([]);
  });
});
