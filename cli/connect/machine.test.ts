import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import type { Io } from "../io.ts";
import { isPassing, thisLauncher, thisMachine } from "./machine.ts";

const io = (env: NodeJS.ProcessEnv = {}) => ({ env }) as Io;
const root = join(import.meta.dirname, "../..");

describe("the launcher in a checkout", () => {
  it("is its own start script", () => {
    const { command, args } = thisLauncher(io(), "linux");
    expect(command).toBe(join(root, "bin", "agent-intercom"));
    expect(args).toBeUndefined();
    expect(existsSync(command)).toBe(true);
  });

  it("is Node with a script on Windows, where a shell script starts nothing", () => {
    const { command, args } = thisLauncher(io(), "win32");
    expect([isAbsolute(command), existsSync(command)]).toEqual([true, true]);
    expect(args).toEqual([join(root, "build", "bootstrap.mjs"), "cli"]);
    expect(existsSync(args?.[0] ?? "")).toBe(true);
  });
});

it("knows a copy that npx made by its folder", () => {
  expect(isPassing({ command: "/home/a/.npm/_npx/0123/node_modules/.bin/agent-intercom" })).toBe(true);
  expect(isPassing({ command: "C:\\node.exe", args: ["C:\\npm-cache\\_npx\\0123\\main.js"] })).toBe(true);
  expect(isPassing({ command: "/usr/bin/node", args: ["/usr/lib/agent-intercom/dist/cli/main.js"] })).toBe(false);
});

it("the home folder is the one the environment names", () => {
  const named = process.platform === "win32" ? { USERPROFILE: "C:\\home" } : { HOME: "/home/ada" };
  expect(thisMachine(io(named)).homedir).toBe(Object.values(named)[0]);
  expect(isAbsolute(thisMachine(io()).homedir)).toBe(true);
});
