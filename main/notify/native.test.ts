import { EventEmitter } from "node:events";
import type { NotificationConstructorOptions } from "electron";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import type { Electron } from "../ports/electron.ts";
import { Explanations } from "./explanations.ts";
import { NativeNotifier, type NoticeContent } from "./native.ts";

class FakeNotification extends EventEmitter {
  static all: FakeNotification[] = [];
  static supported = true;
  readonly options: NotificationConstructorOptions;
  readonly calls: string[] = [];

  constructor(options: NotificationConstructorOptions) {
    super();
    this.options = options;
    FakeNotification.all.push(this);
  }

  static isSupported(): boolean {
    return FakeNotification.supported;
  }

  show(): void {
    this.calls.push("show");
  }

  close(): void {
    this.calls.push("close");
    this.emit("close", {});
  }
}

const content: NoticeContent = {
  id: "q",
  title: "Builder asks",
  body: "<b>a</b> & b",
  isSilent: true,
  urgency: "critical",
  actions: ["Deny", "Allow"],
  reply: "Your answer",
};

function stage(platform: "darwin" | "linux" | "win32") {
  const notifier = new NativeNotifier(FakeNotification as unknown as Electron["Notification"], platform, systemTimers);
  const heard: unknown[][] = [];
  const hear =
    (name: string) =>
    (...values: unknown[]): void =>
      void heard.push([name, ...values]);
  const shown = notifier.show(content, {
    onShown: hear("shown"),
    onFailed: hear("failed"),
    onClick: hear("click"),
    onAction: hear("action"),
    onReply: hear("reply"),
    onDismissed: hear("dismissed"),
  });
  return { shown, heard, notification: FakeNotification.all.at(-1) as FakeNotification, notifier };
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeNotification.all = [];
  FakeNotification.supported = true;
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a notification of the system", () => {
  it.each(["darwin", "win32"] as const)("on %s has buttons and a field for the answer", (platform) => {
    const { notification } = stage(platform);
    expect(notification.options).toEqual({
      id: "q",
      title: "Builder asks",
      body: "<b>a</b> & b",
      silent: true,
      actions: [
        { type: "button", text: "Deny" },
        { type: "button", text: "Allow" },
      ],
      hasReply: true,
      replyPlaceholder: "Your answer",
    });
  });

  it("on Linux has neither, and its text is no markup", () => {
    const { notification } = stage("linux");
    expect(notification.options).toEqual({
      id: "q",
      title: "Builder asks",
      body: "‹b>a‹/b> & b",
      silent: true,
      urgency: "critical",
    });
  });

  it("tells what the human does with it", () => {
    const { notification, heard } = stage("darwin");
    notification.emit("show");
    notification.emit("action", { actionIndex: 1, selectionIndex: -1 });
    notification.emit("reply", { reply: "8080" });
    notification.emit("click");
    expect(heard).toEqual([["shown"], ["action", 1], ["reply", "8080"], ["click"]]);
  });

  it.each([
    ["darwin", undefined, true],
    ["win32", "userCanceled", true],
    ["win32", "timedOut", false],
    ["linux", undefined, false],
  ] as const)("on %s closed with reason %s: waved away is %s", (platform, reason, isDismissed) => {
    const { notification, heard } = stage(platform);
    notification.emit("close", { reason });
    expect(heard).toEqual(isDismissed ? [["dismissed"]] : []);
  });

  it.each([
    ["The notification failed with HRESULT 0x803E0111", "denied"],
    ["HRESULT:-2143420143", "denied"],
    ['Error Domain=UNErrorDomain Code=1 "Notifications are not allowed for this application"', "denied"],
    ["the operation could not be completed", "failed"],
  ])("%s", (error, why) => {
    const { notification, heard } = stage("win32");
    notification.emit("failed", {}, error);
    notification.emit("show");
    expect(heard).toEqual([["failed", why, error]]);
  });

  it("counts as failed when nothing is heard of it", () => {
    const { heard } = stage("linux");
    vi.advanceTimersByTime(10_000);
    expect(heard).toEqual([["failed", "failed", "nothing was heard of it"]]);
  });

  it("counts as failed where there is nothing to show it", () => {
    FakeNotification.supported = false;
    const { heard } = stage("linux");
    expect(heard).toEqual([["failed", "failed", "there is nothing that shows notifications"]]);
  });

  it("is not heard of after it was taken away", () => {
    const { shown, notification, heard } = stage("darwin");
    shown.close();
    notification.emit("click");
    expect([notification.calls, heard, vi.getTimerCount()]).toEqual([["show", "close"], [], 0]);
  });
});

describe("an explanation", () => {
  it("replaces the one before, and opens what it is about; also where it cannot be shown", () => {
    const { notifier } = stage("linux");
    const opened: string[] = [];
    const explanations = new Explanations(notifier, (id) => opened.push(id));
    explanations.show({ title: "Question of Builder", body: "late", escalationId: "a" });
    explanations.show({ title: "Question of Builder", body: "late", escalationId: "b" });
    const [first, second] = FakeNotification.all.slice(-2) as [FakeNotification, FakeNotification];
    expect(first.calls).toEqual(["show", "close"]);
    second.emit("click");
    FakeNotification.supported = false;
    explanations.show({ title: "Question of Builder", body: "late", escalationId: "c" });
    expect(opened).toEqual(["b", "c"]);
  });
});
