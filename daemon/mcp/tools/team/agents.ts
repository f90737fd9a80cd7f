import { z } from "zod";
import { type Agent, lifecycle, operations, owes } from "../../../../protocol/index.ts";
import { describeFields } from "../../operation-tool.ts";
import { clip } from "../../result-room.ts";
import { resolvePeer } from "../peers.ts";
import { fittingPage, withCursor } from "./pages.ts";
import { forgivingTool, NEXT } from "./team-tool.ts";

const { displayName } = operations.registerAgent.input.shape;
const { after } = operations.listAgentsPage.input.shape;

/** Room for a name and for a sentence an agent says of itself, characters of JSON. */
const NAME_ROOM = 300;
export const SENTENCE_ROOM = 600;

export const agentView = z.object({
  id: z.string(),
  name: z.string(),
  reachable: z.boolean().meta({ description: "false: messages wait until it is back." }),
  lifecycle,
  summary: z.string().optional().meta({ description: "What it says it is doing." }),
  client: z.string().optional().meta({ description: "The program it says it runs in." }),
  folder: z.string().optional().meta({ description: "The folder it says it works in." }),
  owes: owes.optional(),
});

/** What another agent has to know of an agent, and what that says of itself. */
export function viewAgent({ id, displayName: name, reachable, lifecycle, summary, metadata }: Agent) {
  return {
    id,
    name: clip(name, NAME_ROOM),
    reachable,
    lifecycle,
    ...(summary ? { summary: clip(summary, SENTENCE_ROOM) } : {}),
    ...(metadata?.harness === undefined ? {} : { client: clip(metadata.harness, NAME_ROOM) }),
    ...(metadata?.cwd === undefined ? {} : { folder: clip(metadata.cwd, SENTENCE_ROOM) }),
  };
}

/** Where an agent stands in the list: those that can be reached come first. */
function cursorOf({ id, reachable }: { readonly id: string; readonly reachable: boolean }): string {
  return `${reachable ? "1" : "2"}:${id}`;
}

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
  async run({ cursor = "" }, { call }) {
    const peers = await call("listPeers", {});
    const rest = peers
      .map((agent) => ({ ...viewAgent(agent), owes: agent.owes }))
      .filter((agent) => cursorOf(agent) > cursor)
      .sort((a, b) => (cursorOf(a) < cursorOf(b) ? -1 : 1));
    const { items, nextCursor } = fittingPage({ items: rest }, cursorOf);
    const alone =
      peers.length === 0 ? { next: "Nobody else is here yet. Whoever comes later can still read your messages." } : {};
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

/** Who a model means, among those it may message. @throws {IntercomError} NOT_FOUND, or CONFLICT with the ids */
export function peerMeant(peers: readonly Agent[], wanted: string, field: string): string {
  return resolvePeer(
    peers.map(({ id, displayName }) => ({ id, displayName: displayName.trim() })),
    wanted.trim(),
    field,
  );
}
