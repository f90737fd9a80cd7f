import { expect, it } from "vitest";
import { quoted, shortPath, stepsText } from "./report.ts";

it("shortens paths in the home folder, and no others", () => {
  const linux = { homedir: "/home/ada", platform: "linux" } as const;
  expect(shortPath("/home/ada/.codex/config.toml", linux)).toBe("~/.codex/config.toml");
  expect(shortPath("/home/adam/x", linux)).toBe("/home/adam/x");
  expect(shortPath("C:\\Users\\Ada\\x", { homedir: "C:\\Users\\Ada", platform: "win32" })).toBe("~\\x");
});

it("numbers steps and wraps them under their text", () => {
  expect(stepsText(["Do this and then that", "Rest"], 16)).toBe("1. Do this and\n   then that\n2. Rest");
  expect(stepsText(["a-word-that-is-longer-than-the-line"], 10)).toBe("1. a-word-that-is-longer-than-the-line");
});

it("shows text of files without its control characters", () => {
  expect(quoted('a = "\u001b[2J"\nb = 1\n')).toBe('    a = "\\e[2J"\n    b = 1');
});
