import { LIMITS } from "../../../protocol/limits.ts";
import type { Escalation } from "../../../protocol/objects/escalation.ts";

/** How a question is answered: by one of the agent's own options, by allowing or denying, or in words only. */
export type AnswerShape = "options" | "permission" | "words";

export function shapeOf({ kind, options }: Pick<Escalation, "kind" | "options">): AnswerShape {
  if (options.length > 0) return "options";
  return kind === "permission" ? "permission" : "words";
}

/** Under which key the words for a question are kept. */
export function draftKey(questionId: string): string {
  return `answer.${questionId}`;
}

/** Bytes by which a text is longer than an answer, or a note beside one, may be; 0 when it is not. */
export function bytesOver(text: string, as: "answer" | "note"): number {
  const most = as === "answer" ? LIMITS.answerBytes : LIMITS.reasonBytes;
  return Math.max(0, new TextEncoder().encode(text).length - most);
}
