import type { DesktopState, LiveChange, LiveState } from "../../protocol/desktop/index.ts";
import { agentKey, applyLiveChange, emptyLiveState, type LiveAgent } from "../../protocol/desktop/live.ts";
import type { ScopeOverview } from "../../protocol/objects/daemon.ts";
import type { Escalation } from "../../protocol/objects/escalation.ts";
import type { Event } from "../../protocol/objects/event.ts";
import type { Message } from "../../protocol/objects/message.ts";
import type { Link, LinkRequest } from "../../protocol/objects/scope.ts";
import type { Task, TaskProgress } from "../../protocol/objects/task.ts";
import type { HostListener } from "../host.ts";

/**
 * What a daemon would hold, in memory: enough of it for pages to be looked at and tested without one. It keeps the promises of
 * the contract that pages rely on, such as that the first answer wins, and none of the others.
 */
export class World {
  live: LiveState;
  desktop: DesktopState | undefined;
  readonly questions = new Map<string, Escalation>();
  readonly messages: Message[] = [];
  readonly tasks = new Map<string, Task>();
  readonly progress: TaskProgress[] = [];
  readonly events: Event[] = [];
  readonly links: Link[] = [];
  readonly linkRequests: LinkRequest[] = [];
  /** Every call and request of the page, for specs to look at. */
  readonly calls: { readonly name: string; readonly input: unknown }[] = [];
  /** Calls of these names fail, as if the daemon were gone. */
  readonly broken = new Set<string>();
  /** How long a call takes in ms. */
  latencyMs = 0;
  #listener: HostListener | undefined;
  #sequence = 0;
  #ids = 0;

  constructor(nowIso: string) {
    this.live = {
      ...emptyLiveState(nowIso),
      link: { state: "live", since: nowIso },
      daemon: {
        instanceId: "inst_world",
        version: "0.1.0",
        protocolVersion: "1.0",
        startedAt: nowIso,
        storage: { backend: "sqlite", databaseBytes: 4_812_000, walBytes: 96_000 },
      },
    };
  }

  nextId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${String(this.#ids).padStart(6, "0")}`;
  }

  attach(listener: HostListener): void {
    this.#listener = listener;
  }

  /** Changes the picture and tells the page. */
  apply(changes: readonly LiveChange[], desktop = this.desktop): void {
    this.live = changes.reduce(applyLiveChange, this.live);
    this.desktop = desktop;
    this.#sequence += 1;
    this.#listener?.frame({ sequence: this.#sequence, changes, ...(desktop ? { desktop } : {}) });
  }

  goTo(destination: Parameters<HostListener["destination"]>[0]): void {
    this.#listener?.destination(destination);
  }

  addScope(scopeId: string): void {
    this.apply([{ kind: "scopes", put: [this.overviewOf(scopeId)], drop: [] }]);
  }

  putAgent(agent: LiveAgent): void {
    this.apply([{ kind: "agents", put: [agent], drop: [] }]);
  }

  /** Counts are taken from what there is, so they agree with it. */
  overviewOf(scopeId: string): ScopeOverview {
    const agents = Object.values(this.live.agents).filter((agent) => agent.scopeId === scopeId);
    const tasks = [...this.tasks.values()].filter((task) => task.scopeId === scopeId);
    const messages = this.messages.filter((message) => message.scopeId === scopeId);
    return {
      scopeId,
      createdAt: this.live.daemon?.startedAt ?? "",
      linkPolicy: "open",
      agents: agents.length,
      reachableAgents: agents.filter(({ reachable }) => reachable).length,
      readyAgents: agents.filter(({ ready }) => ready).length,
      openTasks: tasks.filter(({ status }) => status === "open").length,
      claimedTasks: tasks.filter(({ status }) => status === "claimed").length,
      pendingEscalations: [...this.questions.values()].filter(
        (one) => one.scopeId === scopeId && one.status === "pending",
      ).length,
      pendingLinkRequests: this.linkRequests.filter((one) => one.scopeId === scopeId && one.status === "pending")
        .length,
      undeliveredMessages: messages.filter(({ state }) => state === "queued").length,
      unreadHumanMessages: messages.filter(({ toKind, state }) => toKind === "human" && state === "delivered").length,
    };
  }

  /** Records an event and hands it on together with the counts it may have changed. */
  tell(scopeId: string, type: string, subjectId: string, attributes: Event["attributes"]): void {
    const event: Event = {
      id: this.nextId("evt"),
      scopeId,
      type,
      subjectId,
      revision: this.events.length + 1,
      attributes,
      createdAt: new Date().toISOString(),
    };
    this.events.push(event);
    this.apply([
      { kind: "events", events: [event] },
      { kind: "scopes", put: [this.overviewOf(scopeId)], drop: [] },
    ]);
  }

  /** Keeps a question and shows the page where it stands. */
  putQuestion(question: Escalation, type: string, attributes: Event["attributes"] = {}): Escalation {
    this.questions.set(question.id, question);
    const isPending = question.status === "pending";
    this.apply([
      { kind: "questions", put: isPending ? [question] : [], closed: isPending ? [] : [question], drop: [] },
    ]);
    this.tell(question.scopeId, type, question.id, {
      agentId: question.agentId,
      status: question.status,
      ...attributes,
    });
    return question;
  }

  agent(scopeId: string, agentId: string): LiveAgent | undefined {
    return this.live.agents[agentKey(scopeId, agentId)];
  }
}
