import { describe, expect, it } from "vitest";
import { ERROR_CODES, IntercomError } from "../protocol/index.ts";
import { CliError, toCliError } from "./errors.ts";
import { EXIT, EXIT_MEANINGS, EXIT_OF_ERROR } from "./exit-codes.ts";

describe("errors for a person", () => {
  it("every code of the protocol has an exit code, and every exit code a meaning", () => {
    for (const code of ERROR_CODES) {
      expect(toCliError(new IntercomError(code, "it went wrong"))).toMatchObject({
        code,
        exitCode: EXIT_OF_ERROR[code],
      });
    }
    expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.keys(EXIT));
    expect(new Set(Object.values(EXIT)).size).toBe(Object.keys(EXIT).length);
  });

  it.each([
    ["network", EXIT.notRunning],
    ["timeout", EXIT.timeout],
    ["aborted", EXIT.interrupted],
    ["protocol", EXIT.failure],
  ])("a connection that fails by %s exits with %i", (reason, exitCode) => {
    const error = toCliError(new IntercomError("INTERNAL", "no answer", { reason }));
    expect(error.exitCode).toBe(exitCode);
    expect(error.code).not.toBe("INTERNAL");
  });

  it("reads as a sentence, except where it begins with the name of a field", () => {
    const message = (text: string) => toCliError(new IntercomError("INVALID_ARGUMENT", text)).message;
    expect(message("expected more")).toBe("Expected more.");
    expect(message("to: expected an identifier")).toBe("to: expected an identifier.");
    expect(message("Really?")).toBe("Really?");
  });

  it("says who was first when an answer comes second", () => {
    const details = { answeredAt: "2026-01-01T00:00:00.000Z", by: "human", surface: "tray" };
    expect(toCliError(new IntercomError("CONFLICT", "answered already", details)).hint).toMatch(
      /2026-01-01.*human, tray/,
    );
  });

  it("never shows a stack trace, whatever is thrown", () => {
    for (const thrown of [new Error("broken"), "text", undefined, { odd: true }]) {
      const error = toCliError(thrown);
      expect(error).toBeInstanceOf(CliError);
      expect(error.exitCode).toBe(EXIT.failure);
      expect(error.message).not.toMatch(/\bat .*:\d+/);
    }
  });
});
