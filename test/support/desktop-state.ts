import {
  agentKey,
  type DesktopState,
  desktopSettings,
  emptyLiveState,
  type LiveAgent,
  type LiveState,
} from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";

/** A moment of a day in the middle of the week, for states that are made up. */
export const NOW = Date.UTC(2026, 5, 10, 12);

/** RFC 3339 instant `ms` after {@link NOW}. */
export function instantAt(ms = 0): string {
  return new Date(NOW + ms).toISOString();
}

export function question(fields: Partial<Escalation> = {}): Escalation {
  return {
    id: "escalation_1",
    scopeId: "shop",
    agentId: "builder",
    kind: "input",
    urgency: "normal",
    question: "Which port?",
    options: [],
    context: [],
    status: "pending",
    createdAt: instantAt(),
    ...fields,
  };
}

export function liveAgent(fields: Partial<LiveAgent> = {}): LiveAgent {
  return {
    id: "builder",
    scopeId: "shop",
    displayName: "Builder",
    capabilities: [],
    lifecycle: "idle",
    ready: true,
    reachable: true,
    executionId: "execution_1",
    registeredAt: instantAt(),
    updatedAt: instantAt(),
    lastSeenAt: instantAt(),
    owes: { undelivered: 0, unanswered: 0 },
    ...fields,
  };
}

export function liveState({
  agents = [],
  questions = [],
  link = { state: "live", since: instantAt() },
}: {
  readonly agents?: readonly LiveAgent[];
  readonly questions?: readonly Escalation[];
  readonly link?: LiveState["link"];
} = {}): LiveState {
  return {
    ...emptyLiveState(instantAt()),
    link,
    agents: Object.fromEntries(agents.map((agent) => [agentKey(agent.scopeId, agent.id), agent])),
    questions: Object.fromEntries(questions.map((each) => [each.id, each])),
  };
}

export function desktopState(fields: Partial<DesktopState> = {}): DesktopState {
  return {
    platform: "linux",
    version: "0.0.0",
    locale: "en",
    supervisor: { state: "ready", since: instantAt(), failures: 0 },
    settings: desktopSettings.parse({}),
    tray: "available",
    dataDir: "/data",
    logDir: "/logs",
    notices: [],
    ...fields,
  };
}
