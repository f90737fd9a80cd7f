import type { OperationInput, OperationName, OperationResult } from "../../../../protocol/index.ts";
import { type Actor, AdminActor, type AgentActor, ScopeActor } from "../../../support/actors.ts";
import type { TestDaemon } from "../../../support/daemon.ts";
import type { CallOptions } from "../../../support/http.ts";

/** An event as it must be: type, subject, attributes. */
export type Expected = readonly [type: string, subjectId: string, attributes: Readonly<Record<string, string>>];

/** The call that makes a transition, and what it must be recorded as. */
export interface Call<N extends OperationName = OperationName> {
  readonly name: N;
  readonly input: OperationInput<N>;
  readonly credentials: CallOptions;
  readonly expected: (result: OperationResult<N>) => readonly Expected[];
}

/** Time that passes, and what it must be recorded as. */
export interface Passing {
  readonly passesMs: number;
  readonly expected: () => readonly Expected[];
}

/** Any call; the stage has checked that its parts fit each other. */
export interface AnyCall {
  readonly name: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly credentials: CallOptions;
  readonly expected: (result: unknown) => readonly Expected[];
}

export type Act = AnyCall | Passing;

/** Longer than the whole walk takes. */
export const LEASE_MS = 86_400_000;

/** A scope with two linked agents that take no notices, and everything a row needs to bring about its beginning. */
export class Stage {
  readonly intercom: TestDaemon;
  readonly scope: ScopeActor;
  readonly ada: AgentActor;
  readonly ben: AgentActor;
  readonly #texts: string[];

  private constructor(intercom: TestDaemon, texts: string[], scope: ScopeActor, ada: AgentActor, ben: AgentActor) {
    this.intercom = intercom;
    this.#texts = texts;
    this.scope = scope;
    this.ada = ada;
    this.ben = ben;
  }

  /** @param texts gets every text and secret that must be in no event */
  static async set(intercom: TestDaemon, texts: string[]): Promise<Stage> {
    const scope = await intercom.scope();
    const quiet = { notices: false, leaseMs: LEASE_MS };
    const ada = await scope.agent("ada", { ...quiet, displayName: textOf(texts) });
    const ben = await scope.agent("ben", { ...quiet, connectTo: ["ada"] });
    texts.push(intercom.adminToken, scope.token, ada.token, ben.token);
    return new Stage(intercom, texts, scope, ada, ben);
  }

  get admin(): AdminActor {
    return new AdminActor(this.intercom);
  }

  /** A text that is nowhere else. */
  text(): string {
    return textOf(this.#texts);
  }

  /** Remembers a secret and gives it back. */
  secret(value: string): string {
    this.#texts.push(value);
    return value;
  }

  /** The call an actor makes. */
  call<N extends OperationName>(actor: Actor, name: N, input: OperationInput<N>, expected: Call<N>["expected"]): Act {
    return { name, input, credentials: { token: actor.token }, expected } as AnyCall;
  }

  /** Time passes until something falls due. */
  passes(passesMs: number, expected: Passing["expected"]): Act {
    return { passesMs, expected };
  }

  /** One more agent. */
  async agent(id: string, input: Partial<OperationInput<"registerAgent">> = {}): Promise<AgentActor> {
    const agent = await this.scope.agent(id, { notices: false, leaseMs: LEASE_MS, ...input });
    this.secret(agent.token);
    return agent;
  }

  async send(input: Partial<OperationInput<"sendMessage">> = {}): Promise<string> {
    return this.ada.tell(this.ben, { body: this.text(), ...input });
  }

  /** A message that ben holds in a reservation. */
  async reserved(input: Partial<OperationInput<"sendMessage">> = {}) {
    const messageId = await this.send(input);
    const reservation = await this.ben.call("reserveInbox", {});
    return { messageId, reservationId: (reservation as { id: string }).id };
  }

  async delivered(input: Partial<OperationInput<"sendMessage">> = {}): Promise<string> {
    const { messageId, reservationId } = await this.reserved(input);
    await this.ben.call("commitInbox", { reservationId });
    return messageId;
  }

  /** A message that was delivered before and that ben holds once more. */
  async redelivered() {
    const messageId = await this.delivered();
    const reservation = await this.ben.call("reserveInbox", {});
    return { messageId, reservationId: (reservation as { id: string }).id };
  }

  /** A request of ada's with ben's response, which she has not taken yet. */
  async answered() {
    const request = await this.delivered({ mode: "request" });
    const input = { mode: "response", responseTo: request, body: this.text() } as const;
    return { request, response: await this.ben.tell(this.ada, input) };
  }

  async task(input: Partial<OperationInput<"addTask">> = {}): Promise<string> {
    return (await this.ada.call("addTask", { title: this.text(), description: this.text(), ...input })).id;
  }

  async claimed(): Promise<string> {
    const taskId = await this.task();
    await this.ben.call("claimTask", { taskId });
    return taskId;
  }

  async question(input: Partial<OperationInput<"askHuman">> = {}): Promise<string> {
    return (await this.ada.call("askHuman", { question: this.text(), ...input })).id;
  }

  async stream(): Promise<string> {
    return (await this.scope.call("createOutputStream", { name: "news", publisherAgentIds: ["ada"] })).id;
  }

  async reader(streamId: string): Promise<string> {
    const input = { streamId, label: this.text(), permissions: ["read", "publish"] as const };
    const { principal, credential } = await this.scope.call("createOutputPrincipal", {
      ...input,
      permissions: [...input.permissions],
    });
    this.secret(credential);
    return principal.id;
  }

  /** Ben, made known to A2A clients. */
  async publication(): Promise<string> {
    return (await this.scope.call("publishAgentCard", { agentId: "ben" })).id;
  }

  /** A client of a publication, with a call that sends one of its messages. */
  async a2aClient(publicationId: string) {
    const { principal, credential } = await this.scope.call("createA2aPrincipal", {
      publicationId,
      label: this.text(),
    });
    const token = this.secret(credential);
    const client = new ScopeActor(this.intercom, this.scope.id, token);
    let sent = 0;
    const message = (more: Record<string, unknown> = {}) => ({
      publicationId,
      message: {
        messageId: `client-${++sent}`,
        role: "ROLE_USER" as const,
        parts: [{ text: this.text() }],
        ...more,
      },
    });
    const send = async (more: Record<string, unknown> = {}) =>
      (await client.call("sendA2aMessage", message(more))).task;
    return { principalId: principal.id, client, message, send };
  }
}

let count = 0;

function textOf(texts: string[]): string {
  count += 1;
  const text = `c0ntent-${count}-of-a-test`;
  texts.push(text);
  return text;
}
