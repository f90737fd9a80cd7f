import type { OperationName } from "../../../protocol/index.ts";

/** For every operation that takes a key: the same call with other content. `claimNextTask` has none: a wait is not content. */
export const OTHER_CONTENT: Partial<Record<OperationName, Readonly<Record<string, unknown>>>> = {
  askHuman: { question: "something else?" },
  cancelEscalation: { reason: "for another reason" },
  resolveEscalation: { answer: "another answer" },
  deferEscalation: { delayMs: 1000 },
  withdrawAnswer: { escalationId: "ask_other" },
  resolveLinkRequest: { accept: true },
  sendMessage: { body: "something else" },
  sendHumanMessage: { body: "something else" },
  addTask: { title: "something else" },
  claimTask: { taskId: "task_other" },
  releaseTask: { taskId: "task_other" },
  completeTask: { note: "another note" },
  cancelTask: { reason: "for another reason" },
  addTaskProgress: { text: "something else" },
  createOutputStream: { retentionLimit: 7 },
  publishOutput: { value: "something else" },
};
