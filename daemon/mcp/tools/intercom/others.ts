import { z } from "zod";
import { operations } from "../../../../protocol/index.ts";
import { agentPage, agentView, viewAgent } from "../shared/agent-view.ts";
import { NEXT } from "../shared/forgiving-tool.ts";
import { withCursor } from "../shared/pages.ts";
import { ownSummary } from "../shared/summary.ts";
import { intercomTool } from "./intercom-tool.ts";

const cursor = operations.listAgentsPage.input.shape.after.meta({ description: "nextCursor of the page before." });

export const intercomWhoami = intercomTool({
  name: "intercom_whoami",
  title: "Who am I on the intercom",
  description: "Your intercom id, name, folder and model as others see them. Others reach you by the id or the name.",
  readOnly: true,
  alwaysLoad: true,
  input: z.strictObject({}),
  output: agentView.omit({ owes: true, reachable: true }).extend({ scope: z.string() }),
  async run(_input, { me }) {
    const { owes: _, reachable: __, ...view } = viewAgent(me.agent);
    return { ...view, scope: me.identity.scopeId };
  },
});

export const intercomTeam = intercomTool({
  name: "intercom_team",
  title: "Show the team",
  description:
    "Your manager, which is the human who owns this scope, and the coworkers that are live now. Call it to find out whom " +
    "you can work with at this moment; intercom_list also shows those that are away.",
  readOnly: true,
  input: z.strictObject({ cursor }),
  output: z.object({ manager: z.literal("human"), coworkers: z.array(agentView), nextCursor: z.string().optional() }),
  async run({ cursor }, { call }) {
    const live = (await call("listPeers", {})).filter(({ reachable }) => reachable);
    const { items, nextCursor } = agentPage(live, cursor);
    return { manager: "human" as const, coworkers: [...items], ...withCursor(nextCursor) };
  },
});

export const intercomList = intercomTool({
  name: "intercom_list",
  title: "List agents",
  description:
    "All agents you may message, those that can be reached first: id, name, program, folder, what each says it is doing, and " +
    "what it owes. Messages to those that are away wait for them.",
  readOnly: true,
  input: z.strictObject({ cursor }),
  output: z.object({ agents: z.array(agentView), total: z.int(), nextCursor: z.string().optional() }),
  async run({ cursor }, { call }) {
    const peers = await call("listPeers", {});
    const { items, nextCursor } = agentPage(peers, cursor);
    return { agents: [...items], total: peers.length, ...withCursor(nextCursor) };
  },
});

export const intercomStatus = intercomTool({
  name: "intercom_status",
  title: "Show the status",
  description: "Whether you are connected, how many messages wait for you, and how many asks you have not replied to.",
  readOnly: true,
  input: z.strictObject({}),
  output: z.object({
    connected: z.literal(true),
    leaseExpiresAt: z.string(),
    pendingMessages: z.int(),
    unresolvedAsks: z.int(),
    next: z.string().meta({ description: NEXT }),
  }),
  async run(_input, { me }) {
    const { undelivered, unanswered } = me.agent.owes;
    const next =
      undelivered + unanswered > 0
        ? "Call intercom_pending to read what waits; answer asks with intercom_reply."
        : "Nothing waits for you.";
    return {
      connected: true as const,
      leaseExpiresAt: me.identity.leaseExpiresAt,
      pendingMessages: undelivered,
      unresolvedAsks: unanswered,
      next,
    };
  },
});

export const intercomSetSummary = intercomTool({
  name: "intercom_set_summary",
  title: "Publish a summary",
  description: "Publish in one sentence what you are working on, so that others find you. An empty text takes it back.",
  ...ownSummary,
});
