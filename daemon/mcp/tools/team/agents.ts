import { z } from "zod";
import { operations } from "../../../../protocol/index.ts";
import { describeFields } from "../../operation-tool.ts";
import { agentPage, agentView } from "../shared/agent-view.ts";
import { forgivingTool, NEXT } from "../shared/forgiving-tool.ts";
import { withCursor } from "../shared/pages.ts";

const { displayName } = operations.registerAgent.input.shape;
const { after } = operations.listAgentsPage.input.shape;

export const listAgents = forgivingTool({
  name: "list_agents",
  title: "List agents",
  description:
    "The other agents you may message, those that can be reached first: id, name, what each is doing, and what it owes " +
    "(messages it has not taken yet, requests it has not answered). Call it to find out whom to ask. In a scope where " +
    "agents have to be linked, agents that are not here need request_link first.",
  readOnly: true,
  alwaysLoad: true,
  input: z.strictObject({
    cursor: after.meta({ description: "nextCursor of the page before; absent: from the beginning." }),
  }),
  output: z.object({
    agents: z.array(agentView),
    total: z.int(),
    nextCursor: z.string().optional(),
    next: z.string().optional().meta({ description: NEXT }),
  }),
  async run({ cursor }, { call }) {
    const peers = await call("listPeers", {});
    const { items, nextCursor } = agentPage(peers, cursor);
    const alone = peers.length === 0 ? { next: "Nobody you may message is here. Look again later." } : {};
    return { agents: [...items], total: peers.length, ...withCursor(nextCursor), ...alone };
  },
});

export const requestLink = forgivingTool({
  name: "request_link",
  title: "Request a link",
  description:
    "Ask the human to let you message an agent that list_agents does not show. Only for scopes where agents have to be " +
    "linked. It returns at once; a notice in your inbox tells what the human decided.",
  idempotent: true,
  input: z.strictObject({
    agent: displayName.meta({ description: "Exact id of the agent." }),
    ...describeFields(operations.requestLink.input.shape, {
      reason: "Why you need to message it; the human reads this.",
    }),
  }),
  output: z.object({
    requestId: z.string(),
    agent: z.string(),
    status: operations.requestLink.result.shape.status,
    next: z.string().meta({ description: NEXT }),
  }),
  next: {
    NOT_FOUND: "Only the exact id finds an agent you are not linked with. Ask the human for it with ask_human.",
    CONFLICT: "Call list_agents: it may be there already.",
  },
  async run({ agent, reason }, { call }) {
    const { id, to, status } = await call("requestLink", {
      to: agent.trim(),
      ...(reason === undefined ? {} : { reason }),
    });
    const next = "Go on with other work; check_inbox tells what the human decided. Then use send_message.";
    return { requestId: id, agent: to, status, next };
  },
});
