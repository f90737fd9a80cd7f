import type { Translator } from "../../../i18n/index.ts";
import type { IntercomError } from "../../../protocol/errors.ts";
import { clockTime } from "../../lib/time.ts";

function detail(error: IntercomError, name: string): string | undefined {
  const value = error.details?.[name];
  return typeof value === "string" ? value : undefined;
}

/** Who was faster, when an answer came too late for that; undefined when that is not what happened. */
export function lostText(error: IntercomError, t: Translator): string | undefined {
  if (error.code !== "CONFLICT") return undefined;
  const answeredAt = detail(error, "answeredAt");
  if (detail(error, "status") === "cancelled") return t("answer.lost.cancelled");
  if (answeredAt === undefined) return undefined;
  return t("answer.lost.answered", {
    time: clockTime(answeredAt, Date.now(), t.locale),
    where: detail(error, "surface") ?? "other",
    by: detail(error, "by") ?? "human",
  });
}

/** Why an answer could not be taken back. */
export function withdrawText(error: IntercomError, agent: string, t: Translator): string {
  switch (detail(error, "reason")) {
    case "read":
    case "reserved":
      return t("answer.undo.read", { agent });
    case "late":
      return t("answer.undo.late");
    case "too_late":
    case "not_answered":
      return t("answer.undo.tooLate");
    default:
      return error.message;
  }
}
