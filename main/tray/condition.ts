import type { DesktopState, LiveAgent, LiveState } from "../../protocol/desktop/index.ts";

/** A connection that breaks comes back within moments, as a rule: until then nothing is said of it. */
export const LOST_GRACE_MS = 3_000;

/** How the daemon is, from what its supervisor and the connection to it say. */
export type DaemonCondition = DesktopState["supervisor"]["state"] | "lost" | "refused";

const DOWN: ReadonlySet<DaemonCondition> = new Set([
  "stopped",
  "unresponsive",
  "backing-off",
  "failed",
  "incompatible",
  "lost",
  "refused",
]);

export function daemonCondition({ link }: LiveState, { supervisor }: DesktopState, now: number): DaemonCondition {
  if (supervisor.state !== "ready") return supervisor.state;
  if (link.state === "refused") return "refused";
  return link.state === "lost" && now - Date.parse(link.since) >= LOST_GRACE_MS ? "lost" : "ready";
}

/** True where the human should know that nothing gets through at the moment. */
export function isDown(condition: DaemonCondition): boolean {
  return DOWN.has(condition);
}

export interface AgentCounts {
  /** Reachable at the moment. */
  readonly here: number;
  readonly working: number;
  /** Agents with a question to the human, put off ones among them: they wait all the same. */
  readonly waiting: number;
}

export function agentCounts({ agents, questions }: LiveState): AgentCounts {
  const here = Object.values(agents).filter(({ reachable }: LiveAgent) => reachable);
  return {
    here: here.length,
    working: here.filter(({ lifecycle }) => lifecycle === "working").length,
    waiting: new Set(Object.values(questions).map(({ scopeId, agentId }) => `${scopeId}/${agentId}`)).size,
  };
}
