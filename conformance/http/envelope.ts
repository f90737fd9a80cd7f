import { ERROR_STATUS, type ErrorCode, type ErrorValue } from "../../protocol/index.ts";
import { CheckFailure } from "../core/failure.ts";
import type { Answer } from "./client.ts";

/** The result in a successful answer. @param status the only one allowed; any 2xx unless given @throws {CheckFailure} */
export function resultOf(answer: Answer, status?: number): unknown {
  const { request, body } = answer;
  const got = { status: answer.status, body };
  const ok = status === undefined ? answer.status >= 200 && answer.status <= 299 : answer.status === status;
  if (!ok) throw new CheckFailure("The call did not succeed", { request, expected: { status: status ?? "2xx" }, got });
  checkHeaders(answer);
  if (!isRecord(body) || body.ok !== true || !("result" in body)) {
    throw new CheckFailure("The answer has no envelope", { request, expected: { ok: true, result: "..." }, got });
  }
  return body.result;
}

/** The error in a refusal. @throws {CheckFailure} unless it carries this code, with the status that belongs to it */
export function refusalOf(answer: Answer, code: ErrorCode): ErrorValue {
  const { request, body } = answer;
  const expected = { status: ERROR_STATUS[code], code };
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
  const got = error
    ? { status: answer.status, code: error.code, message: error.message }
    : { status: answer.status, body };
  if (answer.status !== expected.status || error?.code !== code) {
    throw new CheckFailure("The call was not refused as it should be", { request, expected, got });
  }
  checkHeaders(answer);
  if ((body as { ok?: unknown }).ok !== false || typeof error.message !== "string" || error.message === "") {
    const envelope = { ok: false, error: { code, message: "..." } };
    throw new CheckFailure("The refusal has no proper envelope", { request, expected: envelope, got: body });
  }
  return error as unknown as ErrorValue;
}

/** What every JSON answer says of itself. */
function checkHeaders({ request, headers }: Answer): void {
  const type = headers.get("content-type") ?? "";
  if (!/^application\/json\b/.test(type)) {
    throw new CheckFailure("The answer is not JSON", {
      request,
      expected: "Content-Type: application/json",
      got: type,
    });
  }
  const cache = headers.get("cache-control") ?? "";
  if (!/\bno-store\b/.test(cache)) {
    throw new CheckFailure("The answer may be cached", { request, expected: "Cache-Control: no-store", got: cache });
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
