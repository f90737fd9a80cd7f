import type { LiveAgent } from "../../../protocol/desktop/live.ts";

/** What an agent's row is sorted under, most pressing first. */
export const GROUPS = ["needs-you", "working", "idle", "offline"] as const;
export type Group = (typeof GROUPS)[number];

/** `questions`: how many of the agent's questions are pending. */
export function groupOf(agent: LiveAgent, questions: number): Group {
  // A question stays open when its asker has gone, and its answer is kept for it.
  if (questions > 0) return "needs-you";
  if (!agent.reachable || agent.lifecycle === "offline") return "offline";
  if (agent.lifecycle === "needs_input") return "needs-you";
  return agent.lifecycle === "working" || agent.lifecycle === "starting" ? "working" : "idle";
}

export interface Section {
  readonly group: Group;
  readonly agents: readonly LiveAgent[];
}

/** Agents that hold the text in something they are known by, in groups; those seen last first. Empty groups are left out. */
export function sectionsOf(
  agents: Iterable<LiveAgent>,
  questionsOf: (agent: LiveAgent) => number,
  text: string,
): readonly Section[] {
  const wanted = text.trim().toLowerCase();
  const groups = new Map<Group, LiveAgent[]>(GROUPS.map((group) => [group, []]));
  for (const agent of agents) {
    if (holds(agent, wanted)) groups.get(groupOf(agent, questionsOf(agent)))?.push(agent);
  }
  return GROUPS.flatMap((group) => {
    const members = (groups.get(group) ?? []).sort(byName);
    return members.length > 0 ? [{ group, agents: group === "offline" ? members.sort(seenLast) : members }] : [];
  });
}

function holds({ id, displayName, summary, metadata, scopeId }: LiveAgent, wanted: string): boolean {
  if (wanted === "") return true;
  const known = [id, displayName, summary, metadata?.harness, metadata?.model, metadata?.cwd, scopeId];
  return known.some((value) => value?.toLowerCase().includes(wanted));
}

/** By name, so that a row does not move each time its agent is heard of. */
function byName(a: LiveAgent, b: LiveAgent): number {
  return a.displayName.localeCompare(b.displayName) || a.id.localeCompare(b.id);
}

function seenLast(a: LiveAgent, b: LiveAgent): number {
  return b.lastSeenAt.localeCompare(a.lastSeenAt);
}

/** The last part of a path of any operating system: what a folder is called. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
