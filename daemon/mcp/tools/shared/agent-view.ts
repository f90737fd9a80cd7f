import { z } from "zod";
import { type Agent, lifecycle, owes } from "../../../../protocol/index.ts";
import { clip } from "../../result-room.ts";
import { fittingPage, type Page } from "./pages.ts";

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
  model: z.string().optional(),
  folder: z.string().optional().meta({ description: "The folder it says it works in." }),
  owes,
});
export type AgentView = z.output<typeof agentView>;

/** What another agent has to know of an agent, and what that says of itself. */
export function viewAgent(agent: Agent): AgentView {
  const { id, displayName: name, reachable, lifecycle, summary, metadata = {}, owes } = agent;
  return {
    id,
    name: clip(name, NAME_ROOM),
    reachable,
    lifecycle,
    ...(summary ? { summary: clip(summary, SENTENCE_ROOM) } : {}),
    ...(metadata.harness === undefined ? {} : { client: clip(metadata.harness, NAME_ROOM) }),
    ...(metadata.model === undefined ? {} : { model: clip(metadata.model, NAME_ROOM) }),
    ...(metadata.cwd === undefined ? {} : { folder: clip(metadata.cwd, SENTENCE_ROOM) }),
    owes,
  };
}

/** Where an agent stands in a list: those that can be reached come first. */
function cursorOf({ id, reachable }: AgentView): string {
  return `${reachable ? "1" : "2"}:${id}`;
}

/** As many agents as fit, after a cursor. */
export function agentPage(agents: readonly Agent[], cursor = ""): Page<AgentView> {
  const rest = agents
    .map(viewAgent)
    .filter((agent) => cursorOf(agent) > cursor)
    .sort((a, b) => (cursorOf(a) < cursorOf(b) ? -1 : 1));
  return fittingPage({ items: rest }, cursorOf);
}
