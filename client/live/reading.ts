import {
  type AgentKey,
  agentKey,
  type DaemonFacts,
  type LiveAgent,
  type LiveState,
} from "../../protocol/desktop/index.ts";
import { type Escalation, LIMITS } from "../../protocol/index.ts";
import type { AdminClient, ScopeClient } from "../clients.ts";

/** A whole picture, and the position in the stream of events it was true at. */
export interface Reading {
  readonly parts: Pick<LiveState, "daemon" | "scopes" | "agents" | "questions">;
  readonly eventSequence: number;
}

/**
 * Reads everything. The position comes first, so a change during the reading is told again later rather than missed.
 * @throws {IntercomError}
 */
export async function readAll(admin: AdminClient, signal: AbortSignal): Promise<Reading> {
  const [{ eventSequence, scopes, storage }, health] = await Promise.all([
    admin.overview({}, { signal }),
    admin.health({}, { signal }),
  ]);
  const { instanceId, runtimeVersion, protocolVersion, startedAt } = health;
  const daemon: DaemonFacts = { storage, instanceId, version: runtimeVersion, protocolVersion, startedAt };
  const read = await Promise.all(
    scopes.map(async ({ scopeId }) => {
      const scope = admin.scope(scopeId);
      const [agents, questions] = await Promise.all([readAgents(scope, scopeId, signal), readQuestions(scope, signal)]);
      return { agents, questions };
    }),
  );
  return {
    eventSequence,
    parts: {
      daemon,
      scopes: Object.fromEntries(scopes.map((scope) => [scope.scopeId, scope])),
      agents: Object.fromEntries(
        read.flatMap(({ agents }) => agents).map((agent): [AgentKey, LiveAgent] => [agentKeyOf(agent), agent]),
      ),
      questions: Object.fromEntries(
        read.flatMap(({ questions }) => questions).map((question) => [question.id, question]),
      ),
    },
  };
}

export function agentKeyOf({ scopeId, id }: LiveAgent): AgentKey {
  return agentKey(scopeId, id);
}

/** Every agent of a scope. */
export async function readAgents(scope: ScopeClient, scopeId: string, signal: AbortSignal): Promise<LiveAgent[]> {
  return everyPage(async (place) => {
    const { agents, nextCursor } = await scope.listAgentsPage(place, { signal });
    return { items: agents.map((agent) => ({ ...agent, scopeId })), nextCursor };
  });
}

/** Every pending question of a scope. */
export async function readQuestions(scope: ScopeClient, signal: AbortSignal): Promise<Escalation[]> {
  return everyPage(async (place) => {
    const page = await scope.listEscalationsPage({ status: "pending", ...place }, { signal });
    return { items: page.escalations, nextCursor: page.nextCursor };
  });
}

interface Place {
  readonly limit: number;
  readonly after?: string;
}

async function everyPage<T>(
  read: (place: Place) => Promise<{ readonly items: readonly T[]; readonly nextCursor: string | undefined }>,
): Promise<T[]> {
  const found: T[] = [];
  for (let after: string | undefined; ; ) {
    const page = await read({ limit: LIMITS.pageMax, ...(after ? { after } : {}) });
    found.push(...page.items);
    if (page.nextCursor === undefined) return found;
    after = page.nextCursor;
  }
}
