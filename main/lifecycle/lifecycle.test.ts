import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../daemon/runtime/index.ts";
import type { CrashReport } from "../shell.ts";
import { type LaunchRequest, parseLaunch } from "./arguments.ts";
import { watchCrashes } from "./crash.ts";
import { deepLinkIn, parseDeepLink } from "./deep-link.ts";
import { Launches } from "./launches.ts";
import { watchPower } from "./power.ts";
import { Quitting, quitWith } from "./quit.ts";

const ID = `ask_${"0123456789abcdef".repeat(2)}`;
const LINK = `agent-intercom://escalation/${ID}`;

describe("a deep link", () => {
  it("names a question to show", () => {
    expect(parseDeepLink(LINK)).toEqual({ escalationId: ID });
    expect(parseDeepLink(`${LINK}/`)).toEqual({ escalationId: ID });
  });

  it.each([
    `${LINK}?answer=yes`,
    `${LINK}#yes`,
    `${LINK}/answer`,
    `agent-intercom://escalation/${ID.toUpperCase()}`,
    "agent-intercom://escalation/ask_../../x",
    "agent-intercom://escalation/",
    `agent-intercom://decide/${ID}`,
    `agent-intercom:escalation/${ID}`,
    `https://escalation/${ID}`,
    ` ${LINK}`,
    `${LINK}\n`,
  ])("of any other form is none: %j", (url) => {
    expect(parseDeepLink(url)).toBeUndefined();
  });

  it("counts only when there is exactly one", () => {
    expect(deepLinkIn(["--flag", LINK])).toEqual({ escalationId: ID });
    expect(deepLinkIn([LINK, LINK])).toBeUndefined();
    expect(deepLinkIn([LINK, "Agent-Intercom://other"])).toBeUndefined();
    expect(deepLinkIn([])).toBeUndefined();
  });
});

describe("a launch", () => {
  it.each([
    [[], false],
    [["--hidden"], true],
    [["--hidden", "--show"], false],
    [["--show"], false],
    [["--user-data-dir=/x", "/app", "--hidden"], true],
  ])("with %j is hidden: %s", (args, hidden) => {
    expect(parseLaunch(args)).toEqual({ hidden, link: undefined });
  });

  it("that comes before anybody takes it is kept", () => {
    const app = new EventEmitter();
    const launches = new Launches(app as never);
    const taken: LaunchRequest[] = [];
    app.emit("second-instance", {}, ["--hidden"]);
    const prevented: string[] = [];
    app.emit("open-url", { preventDefault: () => void prevented.push(LINK) }, LINK);
    launches.take((request) => void taken.push(request));
    app.emit("activate");
    app.emit("second-instance", {}, [LINK]);
    expect(prevented).toEqual([LINK]);
    expect(taken).toEqual([
      { hidden: false, link: undefined },
      { hidden: false, link: { escalationId: ID } },
      { hidden: false, link: undefined },
      { hidden: false, link: { escalationId: ID } },
    ]);
  });
});

describe("quitting", () => {
  function scene(failing?: string) {
    const done: string[] = [];
    const step = (name: string) => ({
      name,
      run: async () => {
        await Promise.resolve();
        if (name === failing) throw new Error(name);
        done.push(name);
      },
    });
    const exit = () => void done.push("exit");
    return { done, quitting: new Quitting({ steps: [step("intake"), step("daemon")], logger: silentLogger, exit }) };
  }

  it("does one thing after the other, once, and ends the process once", async () => {
    const { done, quitting } = scene();
    expect(quitting.hasBegun).toBe(false);
    const first = quitting.quit();
    expect(quitting.hasBegun).toBe(true);
    await Promise.all([first, quitting.quit(), quitting.prepare()]);
    expect(done).toEqual(["intake", "daemon", "exit"]);
  });

  it("goes on when a step fails", async () => {
    const { done, quitting } = scene("intake");
    await quitting.quit();
    expect(done).toEqual(["daemon", "exit"]);
  });

  it("leaves the end to an update that is being installed", async () => {
    const { done, quitting } = scene();
    await quitting.prepare();
    expect(done).toEqual(["intake", "daemon"]);
    await quitting.quit();
    expect(done).toEqual(["intake", "daemon", "exit"]);
  });

  it("is what everything leads to that would end the app", () => {
    const [app, powerMonitor, process] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
    const done: string[] = [];
    const quit = async (): Promise<void> => void done.push("quit");
    quitWith({ quit }, { app, powerMonitor } as never, process as never);
    const event = { preventDefault: () => void done.push("prevented") };
    app.emit("before-quit", event);
    powerMonitor.emit("shutdown", event);
    process.emit("SIGTERM");
    expect(done).toEqual(["prevented", "quit", "prevented", "quit", "quit"]);
    // A listener of any kind keeps Electron from quitting with the last window.
    expect(app.listenerCount("window-all-closed")).toBe(1);
  });
});

describe("a crash", () => {
  function scene(choice: "relaunch" | "quit" | Error) {
    const process = new EventEmitter();
    const shown: CrashReport[] = [];
    const done: string[] = [];
    watchCrashes({
      process: process as never,
      logger: silentLogger,
      homedir: "/home/me",
      show: async (report) => {
        shown.push(report);
        if (choice instanceof Error) throw choice;
        return choice;
      },
      relaunch: () => void done.push("relaunch"),
      quit: () => void done.push("quit"),
    });
    return { process, shown, done };
  }

  it("is told once, without secrets, and leads to what the human chooses", async () => {
    const { process, shown, done } = scene("relaunch");
    const token = "t".repeat(43);
    const error = new Error(`no use of ${token}`);
    error.stack = `Error: ${token}\n    at /home/me/app/main.js:1`;
    process.emit("uncaughtException", error);
    process.emit("uncaughtException", new Error("what follows from it"));
    await Promise.resolve();
    expect(shown).toEqual([{ message: "no use of [redacted]", details: "Error: [redacted]\n    at ~/app/main.js:1" }]);
    expect(done).toEqual(["relaunch"]);
  });

  it("that cannot even be shown ends the app", async () => {
    const { process, done } = scene(new Error("no display"));
    process.emit("uncaughtException", new Error("first"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual(["quit"]);
  });

  it("is not what a promise is that nobody waited for", () => {
    const { process, shown, done } = scene("quit");
    process.emit("unhandledRejection", new Error("late"));
    expect([shown, done]).toEqual([[], []]);
  });
});

it("sleep and waking up are told to everybody", () => {
  const monitor = new EventEmitter();
  const heard: string[] = [];
  watchPower(monitor as never, [
    { suspend: () => void heard.push("first sleeps"), resume: () => void heard.push("first wakes") },
    { resume: () => void heard.push("second wakes") },
  ]);
  monitor.emit("suspend");
  monitor.emit("resume");
  expect(heard).toEqual(["first sleeps", "first wakes", "second wakes"]);
});
