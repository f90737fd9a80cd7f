import { describe, expect, test } from "vitest";
import { ERROR_CODES, IntercomError } from "../../protocol/index.ts";
import { A2aError, toRefusal } from "./errors.ts";

function reasonIn(error: unknown): { httpStatus: number; reason: unknown; message: unknown } {
  const { httpStatus, body } = toRefusal(error);
  const { error: status } = body as { error: { code: number; message: string; details: [{ reason: string }] } };
  expect(status.code).toBe(httpStatus);
  return { httpStatus, reason: status.details[0].reason, message: status.message };
}

describe("what the core refuses, in A2A's words", () => {
  test.each([
    ["INVALID_ARGUMENT", 400, "INVALID_PARAMS"],
    ["UNAUTHENTICATED", 401, "UNAUTHENTICATED"],
    ["NOT_FOUND", 404, "TASK_NOT_FOUND"],
    ["CONFLICT", 400, "INVALID_REQUEST"],
    ["BACKPRESSURE", 429, "SERVER_ERROR"],
  ] as const)("%s", (code, httpStatus, reason) => {
    expect(reasonIn(new IntercomError(code, "Why"))).toEqual({ httpStatus, reason, message: "Why" });
  });

  test("every code has one", () => {
    for (const code of ERROR_CODES)
      expect(reasonIn(new IntercomError(code, "Why")).reason, code).toEqual(expect.any(String));
  });
});

test("a refusal of A2A's own carries its reason in the form of google.rpc.Status", () => {
  expect(toRefusal(new A2aError("VERSION_NOT_SUPPORTED", "A2A-Version: expected 1.0"))).toEqual({
    httpStatus: 400,
    headers: {},
    body: {
      error: {
        code: 400,
        status: "FAILED_PRECONDITION",
        message: "A2A-Version: expected 1.0",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "VERSION_NOT_SUPPORTED",
            domain: "a2a-protocol.org",
          },
        ],
      },
    },
  });
});

test("a defect shows nothing of its inside", () => {
  for (const defect of [
    new Error("SELECT secret"),
    new IntercomError("INTERNAL", "SELECT secret"),
    "secret",
    undefined,
  ]) {
    const refusal = toRefusal(defect);
    expect(refusal.httpStatus).toBe(500);
    expect(JSON.stringify(refusal)).not.toMatch(/secret|errors\.test/);
  }
});

test("says when to come again where that is known, and closes what it will not read", () => {
  const headersFor = (details: Record<string, unknown>, code: "BACKPRESSURE" | "INVALID_ARGUMENT" = "BACKPRESSURE") =>
    toRefusal(new IntercomError(code, "Why", details)).headers;
  expect(headersFor({ reason: "admission" })).toEqual({ "Retry-After": "1" });
  expect(headersFor({ reason: "rate", retryAfterSeconds: 17 })).toEqual({ "Retry-After": "17" });
  expect(headersFor({ limit: 5000 })).toEqual({});
  expect(headersFor({ reason: "too_large" }, "INVALID_ARGUMENT")).toEqual({ Connection: "close" });
  expect(toRefusal(new IntercomError("UNAUTHENTICATED", "Why")).headers).toEqual({ "WWW-Authenticate": "Bearer" });
});
