import { describe, expect, it } from "vitest";
import { escapeBlockForTerminal, escapeForTerminal } from "./terminal-text.ts";

describe("text of a stranger on a terminal", () => {
  it.each([
    ["plain text, umlauts äöü, 漢字, 🚀 and 👩‍💻", "plain text, umlauts äöü, 漢字, 🚀 and 👩‍💻"],
    ["\u001b[2J\u001b]0;title\u0007", "\\e[2J\\e]0;title\\u{7}"],
    ["one\ntwo\r\tthree", "one\\ntwo\\r\\tthree"],
    ["\u009b31m", "\\u{9b}31m"],
    ["a\u202egnp.exe", "a\\u{202e}gnp.exe"],
    ["\u2066x\u2069\u200b\ufeff\u2028", "\\u{2066}x\\u{2069}\\u{200b}\\u{feff}\\u{2028}"],
    ["\u{e0041}", "\\u{e0041}"],
    ["\ud800", "\\u{d800}"],
  ])("%j", (input, expected) => {
    expect(escapeForTerminal(input)).toBe(expected);
  });

  it("keeps lines and tabs of a block, and nothing else that steers", () => {
    expect(escapeBlockForTerminal("a\r\n\tb\rc\u001b")).toBe("a\n\tb\\rc\\e");
  });
});
