import {
  EVENT_TYPES,
  type Event,
  type EventType,
  eventDefinitionOf,
  LIMITS,
  type Message,
  type OperationInput,
  type OperationName,
  type OperationResult,
  type Registration,
} from "../../protocol/index.ts";
import type { Refusal, TestDaemon } from "./daemon.ts";
import type { CallOptions } from "./http.ts";

/** Somebody with a credential. */
export class Actor {
  readonly intercom: TestDaemon;
  readonly token: string;

  constructor(intercom: TestDaemon, token: string) {
    this.intercom = intercom;
    this.token = token;
  }

  protected get credentials(): CallOptions {
    return { token: this.token };
  }

  call<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    options: CallOptions = {},
  ): Promise<OperationResult<N>> {
    return this.intercom.call(name, input, { ...this.credentials, ...options });
  }

  refused(name: OperationName, input: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<Refusal> {
    return this.intercom.refused(name, input, { ...this.credentials, ...options });
  }
}

/** Who holds the admin credential. */
export class AdminActor extends Actor {
  constructor(intercom: TestDaemon) {
    super(intercom, intercom.adminToken);
  }
}

/** The owner of a scope. */
export class ScopeActor extends Actor {
  readonly id: string;

  constructor(intercom: TestDaemon, id: string, token: string) {
    super(intercom, token);
    this.id = id;
  }

  /** The same owner by the admin credential and the scope header. */
  get viaAdmin(): ScopeActor {
    return new OwnerByHeader(this.intercom, this.id);
  }

  /** Registers an agent; its display name is its id unless given. */
  async agent(id: string, input: Partial<OperationInput<"registerAgent">> = {}): Promise<AgentActor> {
    const registration = await this.call("registerAgent", { id, displayName: id, ...input });
    return new AgentActor(this.intercom, this, registration);
  }

  /** Registers agents in the order given and links each with the first. */
  async agents<const Ids extends readonly string[]>(...ids: Ids): Promise<{ [K in keyof Ids]: AgentActor }> {
    const agents: AgentActor[] = [];
    for (const id of ids) {
      agents.push(await this.agent(id, agents.length === 0 ? {} : { connectTo: [ids[0] as string] }));
    }
    return agents as { [K in keyof Ids]: AgentActor };
  }

  /** Current revision of the scope's events. */
  async revision(): Promise<number> {
    // The page begins at the end of what is known, so this stays cheap in a scope with many events.
    return (await this.call("listEvents", { after: 0, limit: 1 })).currentRevision;
  }

  /** Every event after a revision. Their attributes have been checked against the table of events. */
  async events(after = 0): Promise<Event[]> {
    const all: Event[] = [];
    for (let cursor = after; ; ) {
      const page = await this.call("listEvents", { after: cursor, limit: LIMITS.eventBatch });
      all.push(...page.events);
      cursor = page.nextRevision;
      if (page.events.length < LIMITS.eventBatch) break;
    }
    all.forEach(checkEvent);
    return all;
  }

  /** The events `work` causes, short: `[type, subject, attributes]`. */
  async eventsOf(work: () => Promise<unknown>): Promise<[string, string, Record<string, string>][]> {
    const before = await this.revision();
    await work();
    return (await this.events(before)).map((event) => [event.type, event.subjectId, event.attributes]);
  }
}

class OwnerByHeader extends ScopeActor {
  constructor(intercom: TestDaemon, id: string) {
    super(intercom, id, intercom.adminToken);
  }

  protected override get credentials(): CallOptions {
    return { token: this.token, scopeId: this.id };
  }
}

/** One execution of one agent. */
export class AgentActor extends Actor {
  readonly scope: ScopeActor;
  readonly id: string;
  readonly executionId: string;
  readonly leaseExpiresAt: string;

  constructor(intercom: TestDaemon, scope: ScopeActor, registration: Registration) {
    super(intercom, registration.agentToken);
    this.scope = scope;
    this.id = registration.agentId;
    this.executionId = registration.executionId;
    this.leaseExpiresAt = registration.leaseExpiresAt;
  }

  /** Says it is there. */
  ready(lifecycle: "ready" | "working" | "idle" = "ready"): Promise<OperationResult<"heartbeat">> {
    return this.call("heartbeat", { lifecycle, ready: true });
  }

  /** Reserves and commits what waits in the inbox. */
  async pull(input: OperationInput<"reserveInbox"> = {}): Promise<Message[]> {
    const reservation = await this.call("reserveInbox", input);
    return reservation ? this.call("commitInbox", { reservationId: reservation.id }) : [];
  }

  /** Ends what `pull` began: everything in the inbox is dealt with. */
  async drain(): Promise<Message[]> {
    const messages = await this.pull();
    await this.call("acknowledgeMessages", { messageIds: messages.map(({ id }) => id) });
    return messages;
  }

  /** Sends a message and gives its id. */
  async tell(to: string | Actor, input: Partial<OperationInput<"sendMessage">> = {}): Promise<string> {
    const recipient = to instanceof AgentActor ? to.id : (to as string);
    return (await this.call("sendMessage", { to: recipient, body: "hello", ...input })).messageId;
  }
}

/** @throws when an event is not as its type promises, or carries what that does not know */
export function checkEvent(event: Event): void {
  if (!EVENT_TYPES.includes(event.type as EventType)) throw new Error(`Unknown event type ${event.type}`);
  const { subjectId, attributes } = eventDefinitionOf(event.type as EventType);
  for (const parsed of [subjectId.safeParse(event.subjectId), attributes.strict().safeParse(event.attributes)]) {
    if (!parsed.success) throw new Error(`${event.type}: ${parsed.error.message} in ${JSON.stringify(event)}`);
  }
}
