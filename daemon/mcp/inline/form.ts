import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { type Escalation, operations } from "../../../protocol/index.ts";

/** How a question looks in a client that can ask its user. */
export function formFor({ question, options }: Escalation): ElicitRequestFormParams {
  const answer =
    options.length > 0
      ? { type: "string" as const, title: "Answer", enum: [...options] }
      : { type: "string" as const, title: "Answer" };
  return {
    mode: "form",
    message: question,
    requestedSchema: { type: "object", properties: { answer }, required: ["answer"] },
  };
}

/** What the user answered there; undefined when they did not, or not with what could be an answer. */
export function answerIn(response: unknown, { options }: Escalation): string | undefined {
  const { action, content } = (response ?? {}) as { action?: unknown; content?: { answer?: unknown } | null };
  if (action !== "accept") return undefined;
  const answer = operations.resolveEscalation.input.shape.answer.safeParse(content?.answer);
  if (!answer.success) return undefined;
  return options.length === 0 || options.includes(answer.data) ? answer.data : undefined;
}
