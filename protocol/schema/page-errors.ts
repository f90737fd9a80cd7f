import { ERROR_CODES, ERROR_STATUS } from "../errors.ts";
import { ERROR_DETAILS, ERROR_GUIDANCE, EVERY_CALL } from "./guidance.ts";
import { code, page, table } from "./markdown.ts";

/** The page of error codes, what is known beside them, and what to do. */
export function errorsPage(): string {
  return page("Errors", [
    'A failure is `{"ok": false, "error": {"code", "message", "details"?}}`. Branch on `code`, and where it matters on ' +
      "`details`; never on `message`, which is for people and may change. Treat a code you do not know by its status: 4xx like " +
      "`INVALID_ARGUMENT`, 5xx like `INTERNAL`.",
    table(
      ["code", "status", "meaning", "retry"],
      ERROR_CODES.map((name) => [
        code(name),
        String(ERROR_STATUS[name]),
        ERROR_GUIDANCE[name].meaning,
        ERROR_GUIDANCE[name].retry,
      ]),
    ),
    "The [A2A interface](operations.md#op-senda2amessage) answers errors in the words of A2A instead. How to repeat a call " +
      "whose answer was lost: [idempotency](idempotency.md).",
    "## Every call",
    "Codes that any call may answer besides its own:",
    table(
      ["code", "answered by"],
      Object.entries(EVERY_CALL).map(([name, who]) => [code(name), who]),
    ),
    "## Details",
    "What `details` may hold. All of it is optional, and more may be added.",
    table(
      ["code", "details", "meaning"],
      ERROR_DETAILS.map(([name, details, meaning]) => [code(name), details, meaning]),
    ),
  ]);
}
