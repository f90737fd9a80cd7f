import { HUMAN_PARTY } from "../../../protocol/index.ts";
import { equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import type { Stage } from "./stage.ts";

const TO_HUMAN = { to: HUMAN_PARTY, toKind: "human" as const };

/** The human as a party of messages, and what the daemon itself tells. */
export const humanChecks: readonly Check<Stage>[] = [
  {
    name: "messages-to-the-human",
    proves: "Any agent leaves the human a note without a link; the owner reads it and marks it as read.",
    async run(stage) {
      const owner = await stage.scope();
      const ada = await owner.agent("ada");
      const { messageId } = await ada.call("sendMessage", { ...TO_HUMAN, body: "All is well." });
      const { messages } = await owner.call("listMessages", { agent: ada.id, peerKind: "human" });
      matches("the human's conversation", messages, [{ id: messageId, toKind: "human", body: "All is well." }]);
      const read = { messageIds: [messageId] };
      equal("the messages marked as read", await owner.call("acknowledgeHumanMessages", read), { acknowledged: 1 });
      matches("the receipt", await ada.call("getReceipt", { messageId }), { state: "acknowledged" });
      const question = { ...TO_HUMAN, body: "Why?", mode: "request" };
      await ada.refused("sendMessage", question, "INVALID_ARGUMENT");
      await ada.refused("sendMessage", { to: "somebody", toKind: "human", body: "Hello." }, "INVALID_ARGUMENT");
      await ada.refused("acknowledgeHumanMessages", read, "PERMISSION_DENIED");
    },
  },
  {
    name: "messages-from-the-human",
    proves: "The owner writes to any agent as the human, and an agent answers the human's request.",
    async run(stage) {
      const owner = await stage.scope();
      const ada = await owner.agent("ada");
      const sent = await owner.call("sendHumanMessage", { to: ada.id, body: "How far are you?", mode: "request" });
      const received = await ada.pull();
      matches("what the agent receives", received, [{ id: sent.messageId, fromKind: "human", from: HUMAN_PARTY }]);
      const answer = { to: HUMAN_PARTY, body: "Half way.", mode: "response" as const, responseTo: sent.messageId };
      const { messageId } = await ada.call("sendMessage", answer);
      const request = await owner.call("getMessage", { messageId: sent.messageId });
      matches("the request", request, { responseMessageId: messageId });
      const response = await owner.call("getMessage", { messageId });
      matches("the answer", response, { toKind: "human", body: "Half way.", responseTo: sent.messageId });
      await ada.refused("sendHumanMessage", { to: ada.id, body: "Hello." }, "PERMISSION_DENIED");
      await owner.refused("sendHumanMessage", { to: "nobody", body: "Hello." }, "NOT_FOUND");
    },
  },
  {
    name: "notices",
    proves: "The human's answers and the daemon's notices come to the inbox, unless the agent does without them.",
    async run(stage) {
      const owner = await stage.scope();
      const ada = await owner.agent("ada");
      const quiet = await owner.agent("quiet", { notices: false });
      for (const agent of [ada, quiet]) {
        const { id: escalationId } = await agent.call("askHuman", { question: "Go on?" });
        await owner.call("resolveEscalation", { escalationId, answer: "Yes, do." });
        const taskId = await agent.claimed();
        await owner.call("cancelTask", { taskId });
        const expected = [
          { fromKind: "human", body: "Yes, do.", about: { kind: "escalation", id: escalationId } },
          { fromKind: "system", mode: "notify", about: { kind: "task", id: taskId } },
        ];
        matches(`what ${agent.id} receives`, await agent.pull(), agent === ada ? expected : []);
      }
    },
  },
];
