import type { Message, SendMessageResult } from "@a2a-js/sdk";
import { Role, type Task } from "@a2a-js/sdk";
import { type Client, ClientFactory, RestTransportFactory } from "@a2a-js/sdk/client";
import type { AgentCardPublication, OperationInput } from "../../protocol/index.ts";
import type { AgentActor, ScopeActor } from "./actors.ts";
import type { TestDaemon } from "./daemon.ts";
import { type Answer, exchange } from "./http.ts";

/** A refusal as A2A 1.0 writes it. */
export interface A2aFailure {
  readonly httpStatus: number;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A published agent with one client of it. */
export class PublishedAgent {
  readonly intercom: TestDaemon;
  readonly scope: ScopeActor;
  readonly agent: AgentActor;
  readonly publication: AgentCardPublication;
  readonly principalId: string;
  readonly credential: string;

  private constructor(
    agent: AgentActor,
    publication: AgentCardPublication,
    issued: { principalId: string; credential: string },
  ) {
    this.intercom = agent.intercom;
    this.scope = agent.scope;
    this.agent = agent;
    this.publication = publication;
    this.principalId = issued.principalId;
    this.credential = issued.credential;
  }

  /** Publishes an agent of a scope of its own. */
  static async make(
    intercom: TestDaemon,
    input: Partial<OperationInput<"registerAgent">> = {},
  ): Promise<PublishedAgent> {
    const agent = await (await intercom.scope()).agent("ada", { leaseMs: 86_400_000, ...input });
    const publication = await agent.scope.call("publishAgentCard", { agentId: agent.id });
    return new PublishedAgent(agent, publication, await issue(agent.scope, publication.id));
  }

  /** The same agent as somebody else sees it. */
  async other(): Promise<PublishedAgent> {
    return new PublishedAgent(this.agent, this.publication, await issue(this.scope, this.publication.id));
  }

  /** A client of the A2A project's own SDK that has read the card. */
  async client(cardUrl = this.publication.cardUrl): Promise<Client> {
    const fetchImpl: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("Authorization", `Bearer ${this.credential}`);
      return fetch(input, { ...init, headers });
    };
    const factory = new ClientFactory({ transports: [new RestTransportFactory({ fetchImpl })] });
    return factory.createFromUrl(cardUrl, "");
  }

  /** Sends a request below the publication, right or wrong, and hands back whatever came. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    token: string | undefined = this.credential,
  ): Promise<Answer> {
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const request = { method, path: `/a2a/agents/${this.publication.id}/${path}`, body: text };
    return exchange(this.intercom.address, request, { token, headers });
  }

  /** Sends the body of a SendMessage. */
  post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask("POST", "message:send", body, headers);
  }

  /** Rows of everything a message of a client could have made. */
  work(): number {
    return this.intercom.sql((database) => {
      const scopeNo = database.prepare("SELECT no FROM scopes WHERE id = ?").pluck().get(this.scope.id);
      const count = (sql: string) => database.prepare(sql).pluck().get(scopeNo) as number;
      return (
        count("SELECT COUNT(*) FROM messages WHERE scope_no = ?") +
        count("SELECT COUNT(*) FROM a2a_tasks WHERE scope_no = ?") +
        count("SELECT revision FROM scopes WHERE no = ?")
      );
    });
  }
}

async function issue(scope: ScopeActor, publicationId: string) {
  const { principal, credential } = await scope.call("createA2aPrincipal", { publicationId, label: "client" });
  return { principalId: principal.id, credential };
}

let messages = 0;

/** A message of a client as the SDK has it. */
export function textMessage(text: string, more: Partial<Message> = {}): { message: Message } & Envelope {
  messages += 1;
  const message: Message = {
    messageId: `message-${messages}`,
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  };
  return { message, tenant: "", configuration: undefined, metadata: undefined };
}

interface Envelope {
  readonly tenant: string;
  readonly configuration: undefined;
  readonly metadata: undefined;
}

/** A message of a client as it travels. */
export function wireMessage(text = "hello", more: Readonly<Record<string, unknown>> = {}) {
  messages += 1;
  return { message: { messageId: `message-${messages}`, role: "ROLE_USER", parts: [{ text }], ...more } };
}

/** @throws when the agent answered with a message instead of a task */
export function asTask(result: SendMessageResult): Task {
  if (!("status" in result)) throw new Error(`Not a task: ${JSON.stringify(result)}`);
  return result;
}

/** Texts of a task's history or of an artifact. */
export function textsOf(items: readonly { readonly parts: Message["parts"] }[]): string[] {
  return items.flatMap(({ parts }) =>
    parts.map(({ content }) => (content?.$case === "text" ? content.value : `a part of ${content?.$case}`)),
  );
}

/** The refusal in an answer. @throws when it is not one in A2A's form */
export function failureOf(answer: Answer): A2aFailure {
  const { error } = (answer.body ?? {}) as { error?: Record<string, unknown> };
  const [info, ...more] = (error?.details ?? []) as Record<string, string>[];
  const fits =
    answer.status >= 400 &&
    error?.code === answer.status &&
    info?.["@type"] === "type.googleapis.com/google.rpc.ErrorInfo" &&
    info.domain === "a2a-protocol.org" &&
    more.length === 0;
  if (!fits) throw new Error(`Not a refusal of A2A: ${answer.status} ${JSON.stringify(answer.body)}`);
  return {
    httpStatus: answer.status,
    status: String(error.status),
    reason: String(info.reason),
    message: String(error.message),
  };
}
