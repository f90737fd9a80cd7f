import { Produced } from "../../core/produced.ts";
import type { Run } from "../../core/run.ts";
import { removeAtEnd } from "../../core/scopes.ts";
import { Caller } from "../../http/caller.ts";
import { type Message, messages, receipt, registration, reservation, scopeCredential } from "./objects.ts";

/** One execution of one agent. */
export class Agent extends Caller {
  readonly id: string;
  readonly executionId: string;

  constructor(caller: Caller, { agentId, agentToken, executionId }: Registration) {
    super(caller.http, agentToken);
    this.id = agentId;
    this.executionId = executionId;
  }

  /** Reserves what waits and commits it. */
  async pull(input: { limit?: number; waitMs?: number } = {}): Promise<Message[]> {
    const { limit = 10, waitMs = 0 } = input;
    const reserved = await this.post("/v1/inbox/reserve", { limit, waitMs }, reservation.nullable());
    return reserved ? this.post(`/v1/inbox/${encodeURIComponent(reserved.id)}/commit`, {}, messages) : [];
  }

  async tell(input: Readonly<Record<string, unknown>>): Promise<{ messageId: string }> {
    return this.post("/v1/messages", input, receipt, 202);
  }
}

interface Registration {
  readonly agentId: string;
  readonly agentToken: string;
  readonly executionId: string;
}

/** What the checks of `local-0.1` share: one scope with two agents, and what was done in it so far. */
export class LocalWorld {
  readonly run: Run;
  readonly scopeId: string;
  readonly nobody: Caller;
  readonly admin: Caller;
  readonly owner = new Produced<Caller>("scope-authority", "the scope");
  readonly planner = new Produced<Agent>("registration-and-peer-link", "the agent planner");
  /** Replaced by another execution of the same agent later on. */
  readonly reviewer = new Produced<Agent>("registration-and-peer-link", "the agent reviewer");
  readonly publicationId = new Produced<string>("owner-controlled-agent-card-publication", "the publication");
  readonly streamId = new Produced<string>("addressable-output-streams", "the output stream");
  readonly requestId = new Produced<string>("durable-request-and-idempotency", "the request");
  readonly delivered = new Produced<true>("reservation-delivery-and-acknowledgement", "the delivery of the request");
  /** Everything said so far, to find it where it does not belong. */
  readonly content: string[] = [];

  constructor(run: Run) {
    this.run = run;
    this.scopeId = run.unique("conformance");
    this.nobody = new Caller(run.http);
    this.admin = new Caller(run.http, run.adminToken);
  }

  async createScope(id: string): Promise<{ scopeId: string; scopeToken: string }> {
    removeAtEnd(this.run, id);
    return this.admin.post("/v1/scopes", { id }, scopeCredential, 201);
  }

  async register(owner: Caller, input: Readonly<Record<string, unknown>>): Promise<Agent> {
    return new Agent(owner, await owner.post("/v1/agents", { leaseMs: 30_000, ...input }, registration, 201));
  }

  /** Text of a message, title or question; no event may hold it. */
  says(text: string): string {
    this.content.push(text);
    return text;
  }
}
