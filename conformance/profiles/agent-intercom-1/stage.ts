import {
  type Event,
  LIMITS,
  type Message,
  type OperationInput,
  type OperationResult,
  type Registration,
} from "../../../protocol/index.ts";
import { CheckFailure } from "../../core/failure.ts";
import type { Run } from "../../core/run.ts";
import { removeAtEnd } from "../../core/scopes.ts";
import type { HttpClient } from "../../http/client.ts";
import { Party } from "./party.ts";

/** One execution of one agent. */
export class AgentParty extends Party {
  readonly id: string;
  readonly executionId: string;

  constructor(http: HttpClient, { agentId, executionId, agentToken }: Registration) {
    super(http, agentToken);
    this.id = agentId;
    this.executionId = executionId;
  }

  /** Reserves what waits and commits it. */
  async pull(input: OperationInput<"reserveInbox"> = {}): Promise<Message[]> {
    const reserved = await this.call("reserveInbox", input);
    return reserved ? this.call("commitInbox", { reservationId: reserved.id }) : [];
  }

  /** Sends a message and gives its id. */
  async tell(to: AgentParty, input: Partial<OperationInput<"sendMessage">> = {}): Promise<string> {
    return (await this.call("sendMessage", { to: to.id, body: "Hello.", ...input })).messageId;
  }

  /** Adds a task and claims it. */
  async claimed(): Promise<string> {
    const { id: taskId } = await this.call("addTask", { title: "Claimed" });
    await this.call("claimTask", { taskId });
    return taskId;
  }
}

/** The owner of a scope made for one check. */
export class OwnerParty extends Party {
  readonly run: Run;
  readonly scopeId: string;

  constructor(run: Run, scopeId: string, token: string | undefined) {
    super(run.http, token);
    this.run = run;
    this.scopeId = scopeId;
  }

  /** The same owner by the admin credential and the scope header. */
  get byHeader(): Party {
    return new Party(this.http, this.run.adminToken, this.scopeId);
  }

  /** Registers an agent; its display name is its id unless given. */
  async agent(id: string, input: Partial<OperationInput<"registerAgent">> = {}): Promise<AgentParty> {
    return new AgentParty(this.http, await this.call("registerAgent", { id, displayName: id, ...input }));
  }

  /** Two agents that are linked. */
  async pair(): Promise<[AgentParty, AgentParty]> {
    const ada = await this.agent("ada");
    return [ada, await this.agent("ben", { connectTo: [ada.id] })];
  }

  /** Current revision of the scope's events: it stands still while nothing changes. */
  async revision(): Promise<number> {
    return (await this.call("listEvents", { after: 0, limit: 1 })).currentRevision;
  }

  /** Every event after a revision. */
  async events(after = 0): Promise<Event[]> {
    const all: Event[] = [];
    for (let cursor = after; ; ) {
      const page = await this.call("listEvents", { after: cursor, limit: LIMITS.eventBatch });
      all.push(...page.events);
      if (page.events.length < LIMITS.eventBatch) return all;
      cursor = page.nextRevision;
    }
  }

  /** The newest event of a type after a revision. @throws {CheckFailure} when there is none */
  async eventOf(type: string, after = 0): Promise<Event> {
    const events = await this.events(after);
    const found = events.findLast((event) => event.type === type);
    if (found) return found;
    throw new CheckFailure(`There is no event ${type}`, { expected: type, got: events.map((event) => event.type) });
  }
}

/** What every check of `agent-intercom-1` begins with: the target, and a scope of its own whenever it asks for one. */
export class Stage {
  readonly run: Run;
  readonly nobody: Party;
  readonly admin: Party;

  constructor(run: Run) {
    this.run = run;
    this.nobody = new Party(run.http);
    this.admin = new Party(run.http, run.adminToken);
  }

  async scope(input: Partial<OperationInput<"createScope">> = {}): Promise<OwnerParty> {
    const id = this.run.unique("conformance");
    removeAtEnd(this.run, id);
    const { scopeId, scopeToken } = await this.admin.call("createScope", { id, ...input });
    return new OwnerParty(this.run, scopeId, scopeToken);
  }

  /** A scope with two linked agents. */
  async team(): Promise<{ owner: OwnerParty; ada: AgentParty; ben: AgentParty }> {
    const owner = await this.scope();
    const [ada, ben] = await owner.pair();
    return { owner, ada, ben };
  }

  /** The archive of a scope that is gone, to import it again. */
  async archive(): Promise<OperationResult<"exportScope">> {
    const owner = await this.scope();
    const ada = await owner.agent("ada");
    await ada.call("addTask", { title: "Archived" });
    await ada.call("retire", {});
    const archive = await this.admin.call("exportScope", { scopeId: owner.scopeId });
    await this.admin.call("deleteScope", { scopeId: owner.scopeId, confirmScopeId: owner.scopeId });
    return archive;
  }
}
