import { agentKey, type LiveState } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";
import { oneLine } from "./plain-text.ts";

const NAME_WIDTH = 28;
const PLACE_WIDTH = 40;

/** Who asks, as far as is known. What agents say of themselves is a claim: the id beside a name is not. */
export interface Asker {
  readonly name: string;
  /** Program, folder and scope, in one line. */
  readonly place: string;
}

export function askerOf({ scopeId, agentId }: Escalation, agents: LiveState["agents"]): Asker {
  const agent = agents[agentKey(scopeId, agentId)];
  const name = oneLine(agent?.displayName ?? "", NAME_WIDTH);
  const id = oneLine(agentId, NAME_WIDTH);
  const { harness, cwd } = agent?.metadata ?? {};
  const place = [harness, cwd === undefined ? undefined : lastFolder(cwd), scopeId]
    .filter((part): part is string => part !== undefined && part.trim() !== "")
    .map((part) => oneLine(part, PLACE_WIDTH));
  return { name: name === "" || name === id ? id : `${name} (${id})`, place: place.join(" · ") };
}

function lastFolder(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== "") ?? path;
}
