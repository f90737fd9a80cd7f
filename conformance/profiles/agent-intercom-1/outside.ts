import { equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { Party } from "./party.ts";
import type { Stage } from "./stage.ts";

const WAIT_MS = 10_000;

/** A published agent with the credential of somebody who may write to it. */
export async function published(stage: Stage) {
  const owner = await stage.scope();
  const ada = await owner.agent("ada");
  const { id: publicationId } = await owner.call("publishAgentCard", { agentId: ada.id });
  const { principal, credential } = await owner.call("createA2aPrincipal", { publicationId, label: "Partner" });
  return { owner, ada, publicationId, principalId: principal.id, partner: new Party(stage.run.http, credential) };
}

/** A message as A2A has it. */
export function a2aMessage(messageId: string, text: string) {
  return { messageId, role: "ROLE_USER" as const, parts: [{ text }] };
}

/** Outputs, A2A and archives beyond October Bus 0.1. */
export const outsideChecks: readonly Check<Stage>[] = [
  {
    name: "output-values-wait",
    proves: "A reader of a stream waits for the next value.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const { id: streamId } = await owner.call("createOutputStream", { name: "status", publisherAgentIds: [ada.id] });
      const waiting = owner.call("listOutputValues", { streamId, after: 0, waitMs: WAIT_MS });
      waiting.catch(() => {});
      await ada.call("publishOutput", { streamId, contentType: "application/json", value: { done: true } });
      matches("what the wait brings", (await waiting).values, [{ sequence: 1, value: { done: true } }]);
      const after = { streamId, after: 1, waitMs: 20 };
      equal("what a wait in vain brings", (await owner.call("listOutputValues", after)).values, []);
    },
  },
  {
    name: "a2a-task-with-its-answer",
    proves: "Whoever wrote over A2A reads the task, and the agent's answer in it; others do not.",
    async run(stage) {
      const { owner, ada, publicationId, partner } = await published(stage);
      const message = a2aMessage("message-1", "How far are you?");
      const { task } = await partner.call("sendA2aMessage", { publicationId, message });
      const [request] = await ada.pull();
      matches("what the agent receives", request, { fromKind: "a2aPrincipal", body: "How far are you?" });
      const reading = { publicationId, taskId: task.id };
      matches("the task at work", await partner.call("getA2aTask", reading), {
        status: { state: "TASK_STATE_WORKING" },
      });
      const response = { to: request?.from ?? "", mode: "response" as const, responseTo: request?.id ?? "" };
      await ada.call("sendMessage", { ...response, body: "Half way." });
      const answered = await partner.call("getA2aTask", reading);
      equal("the state of the answered task", answered.status.state, "TASK_STATE_COMPLETED");
      equal("whether the answer is in it", JSON.stringify(answered).includes("Half way."), true);
      const other = await owner.call("createA2aPrincipal", { publicationId, label: "Another" });
      const { status } = await new Party(stage.run.http, other.credential).send("getA2aTask", reading);
      equal("the status for somebody else", status, 404);
    },
  },
  {
    name: "export-while-running",
    proves: "A scope is exported while its agents run when this is asked for, and its extensions can be imported.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const { scopeId } = owner;
      const taskId = await ada.claimed();
      await owner.call("updateTask", { taskId, priority: "urgent" });
      await stage.admin.refused("exportScope", { scopeId }, "CONFLICT");
      const archive = await stage.admin.call("exportScope", { scopeId, whileRunning: true, extensions: true });
      matches("the task in the archive", archive.tasks, [{ id: taskId, status: "open" }]);
      await stage.admin.call("deleteScope", { scopeId, confirmScopeId: scopeId });
      const { scopeToken } = await stage.admin.call("importScope", archive);
      const imported = await new Party(stage.run.http, scopeToken).call("getTask", { taskId });
      matches("the imported task", imported, { status: "open", priority: "urgent" });
    },
  },
];
