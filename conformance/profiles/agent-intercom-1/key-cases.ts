import type { OperationName } from "../../../protocol/index.ts";
import type { Party } from "./party.ts";
import type { OwnerParty, Stage } from "./stage.ts";

/** A call that succeeds once, and the same with other content. */
export interface KeyCase {
  readonly owner: OwnerParty;
  readonly caller: Party;
  readonly input: object;
  /** Absent where no content makes a difference. */
  readonly other?: object;
}

/** For each operation that takes an `Idempotency-Key`. */
export const keyCases: Partial<Record<OperationName, (stage: Stage) => Promise<KeyCase>>> = {
  sendMessage: async (stage) => {
    const { owner, ada, ben } = await stage.team();
    return { owner, caller: ada, input: { to: ben.id, body: "Hello." }, other: { body: "Goodbye." } };
  },
  sendHumanMessage: async (stage) => {
    const { owner, ada } = await stage.team();
    return { owner, caller: owner, input: { to: ada.id, body: "Hello." }, other: { body: "Goodbye." } };
  },
  addTask: async (stage) => {
    const { owner, ada } = await stage.team();
    return { owner, caller: ada, input: { title: "First" }, other: { title: "Second" } };
  },
  claimTask: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: taskId } = await owner.call("addTask", { title: "Task" });
    return { owner, caller: ada, input: { taskId }, other: { taskId: "task_other" } };
  },
  claimNextTask: async (stage) => {
    const { owner, ada } = await stage.team();
    await owner.call("addTask", { title: "Task" });
    return { owner, caller: ada, input: {} };
  },
  releaseTask: async (stage) => {
    const { owner, ada } = await stage.team();
    return { owner, caller: ada, input: { taskId: await ada.claimed() }, other: { taskId: "task_other" } };
  },
  completeTask: async (stage) => {
    const { owner, ada } = await stage.team();
    return { owner, caller: ada, input: { taskId: await ada.claimed(), note: "Done" }, other: { note: "Half done" } };
  },
  cancelTask: async (stage) => {
    const { owner, ada } = await stage.team();
    return { owner, caller: ada, input: { taskId: await ada.claimed(), reason: "One" }, other: { reason: "Another" } };
  },
  addTaskProgress: async (stage) => {
    const { owner, ada } = await stage.team();
    const input = { taskId: await ada.claimed(), kind: "note", text: "First" };
    return { owner, caller: ada, input, other: { text: "Second" } };
  },
  askHuman: async (stage) => {
    const { owner, ada } = await stage.team();
    return { owner, caller: ada, input: { question: "Why?" }, other: { question: "Why not?" } };
  },
  cancelEscalation: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: escalationId } = await ada.call("askHuman", { question: "Why?" });
    return { owner, caller: ada, input: { escalationId, reason: "One" }, other: { reason: "Another" } };
  },
  resolveEscalation: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: escalationId } = await ada.call("askHuman", { question: "Why?" });
    return { owner, caller: owner, input: { escalationId, answer: "So." }, other: { answer: "Not so." } };
  },
  deferEscalation: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: escalationId } = await ada.call("askHuman", { question: "Why?" });
    return { owner, caller: owner, input: { escalationId, delayMs: 60_000 }, other: { delayMs: 120_000 } };
  },
  withdrawAnswer: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: escalationId } = await ada.call("askHuman", { question: "Why?" });
    await owner.call("resolveEscalation", { escalationId, answer: "So." });
    return { owner, caller: owner, input: { escalationId }, other: { escalationId: "ask_other" } };
  },
  resolveLinkRequest: async (stage) => {
    const owner = await stage.scope();
    const [ada, ben] = [await owner.agent("ada"), await owner.agent("ben")];
    const { id: linkRequestId } = await ada.call("requestLink", { to: ben.id });
    return { owner, caller: owner, input: { linkRequestId, accept: true }, other: { accept: false } };
  },
  createOutputStream: async (stage) => {
    const owner = await stage.scope();
    const input = { name: "status", retentionLimit: 2 };
    return { owner, caller: owner, input, other: { retentionLimit: 3 } };
  },
  publishOutput: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: streamId } = await owner.call("createOutputStream", { name: "status", publisherAgentIds: [ada.id] });
    const input = { streamId, contentType: "text/plain", value: "One" };
    return { owner, caller: ada, input, other: { value: "Two" } };
  },
};
