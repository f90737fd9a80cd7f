import process from "node:process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import { hasStatusHost, runProgram, type Spawned, watchStatusHost } from "./status-host.ts";

const env = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/bus" };

describe("whether a Linux desktop shows icons of apps", () => {
  const ask = async (answers: Readonly<Record<string, Spawned>>, environment: NodeJS.ProcessEnv = env) => {
    const asked: string[] = [];
    const spawn = async (command: string): Promise<Spawned> => {
      asked.push(command);
      return answers[command] ?? "absent";
    };
    return [await hasStatusHost({ env: environment, spawn }), ...asked];
  };

  it.each<[string, Readonly<Record<string, Spawned>>, (boolean | string)[]]>([
    ["the first tool says yes", { gdbus: { printed: "(true,)\n" } }, [true, "gdbus"]],
    ["it says no", { gdbus: { printed: "(false,)\n" } }, [false, "gdbus"]],
    ["it finds no bus", { gdbus: "failed" }, [false, "gdbus"]],
    ["only the other one is there", { "dbus-send": { printed: "   boolean true\n" } }, [true, "gdbus", "dbus-send"]],
    ["there is no tool", {}, [true, "gdbus", "dbus-send"]],
  ])("%s", async (_, answers, expected) => {
    expect(await ask(answers)).toEqual(expected);
  });

  it("nobody is asked where there is no session bus", async () => {
    expect(await ask({}, {})).toEqual([false]);
  });

  it("programs are run without a shell", async () => {
    expect(await runProgram(process.execPath, ["-p", "'$HOME; true'"])).toEqual({ printed: "$HOME; true\n" });
    expect(await runProgram(process.execPath, ["-e", "process.exit(1)"])).toBe("failed");
    expect(await runProgram("/nowhere/at/all", [])).toBe("absent");
  });
});

describe("looking for a bar", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function watch(...looks: boolean[]) {
    const heard: (boolean | "missing")[] = [];
    const end = watchStatusHost({
      timers: systemTimers,
      look: async () => looks.shift() ?? false,
      onFound: (isThere) => heard.push(isThere),
      onMissing: () => heard.push("missing"),
    });
    return { heard, end };
  }

  it("ends with the first that is found", async () => {
    const { heard } = watch(false, true);
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect([heard, vi.getTimerCount()]).toEqual([[false, true], 0]);
  });

  it("says so when there is none, once, and gives up after a while", async () => {
    const { heard } = watch();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect([heard, vi.getTimerCount()]).toEqual([[false, false, "missing", false, false], 0]);
  });

  it("can be ended", async () => {
    const { heard, end } = watch(true);
    end();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(heard).toEqual([]);
  });
});
