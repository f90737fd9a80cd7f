import type { A2aTask, Escalation, LinkRequest, Message, Task } from "../../../protocol/index.ts";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import type { TestDaemon } from "../../support/daemon.ts";

/** A scope that has one of everything in every state, at rest: nobody is running in it. */
export interface Everything {
  readonly scope: ScopeActor;
  /** Everything that lets somebody in, or once did. */
  readonly secrets: readonly string[];
  readonly publicationId: string;
  readonly streamId: string;
  readonly openTask: string;
  readonly pendingQuestion: string;
  /** Input of a message that is there, sent by ada to bob. */
  readonly keyed: { readonly to: string; readonly body: string; readonly idempotencyKey: string };
}

const LEASE_MS = 86_400_000;
const CONTEXT = [
  { kind: "text" as const, title: "Zoë 🚀", text: 'with "quotes"\n' },
  { kind: "url" as const, title: "page", uri: "https://example.org/", mediaType: "text/html" },
];

let count = 0;

export async function makeEverything(intercom: TestDaemon): Promise<Everything> {
  count += 1;
  const scope = await intercom.scope({ id: `everything-${count}` });
  const maker = new Maker(intercom, scope);
  const agents = await maker.agents();
  await maker.links(agents);
  const keyed = await maker.messages(agents);
  const openTask = await maker.tasks(agents);
  const pendingQuestion = await maker.questions(agents);
  const publicationId = await maker.outside(agents);
  const streamId = await maker.outputs(agents);
  await scope.call("removeAgent", { agentId: agents.dan.id });
  for (const agent of [agents.ada, agents.bob, agents.cy]) await agent.call("retire", {});
  return { scope, secrets: maker.secrets, publicationId, streamId, openTask, pendingQuestion, keyed };
}

type Agents = Readonly<Record<"ada" | "bob" | "cy" | "dan", AgentActor>>;

class Maker {
  readonly #intercom: TestDaemon;
  readonly #scope: ScopeActor;
  readonly secrets: string[];

  constructor(intercom: TestDaemon, scope: ScopeActor) {
    this.#intercom = intercom;
    this.#scope = scope;
    this.secrets = [scope.token, intercom.adminToken];
  }

  /** Things happen at different instants, some of them in the same. */
  async #later(ms = 7): Promise<void> {
    await this.#intercom.advance(ms);
  }

  async agents(): Promise<Agents> {
    const scope = this.#scope;
    const ada = await scope.agent("ada", {
      displayName: "Ada Ä",
      summary: "thinks",
      capabilities: [{ name: "rust", description: "writes it" }, { name: "docs" }],
      metadata: { harness: "test", pid: 7 },
      leaseMs: LEASE_MS,
    });
    const bob = await scope.agent("bob", { notices: false, leaseMs: LEASE_MS });
    await this.#later();
    const cy = await scope.agent("cy", { leaseMs: LEASE_MS });
    const dan = await scope.agent("dan", { leaseMs: LEASE_MS });
    for (const agent of [ada, bob, cy, dan]) this.secrets.push(agent.token, agent.executionId);
    return { ada, bob, cy, dan };
  }

  async links({ ada, bob, cy, dan }: Agents): Promise<void> {
    for (const peer of [bob, cy, dan]) await this.#scope.call("linkAgents", { left: peer.id, right: ada.id });
    const ask = (from: AgentActor, to: AgentActor) => from.call("requestLink", { to: to.id, reason: "to talk" });
    const resolve = async (request: LinkRequest, accept: boolean) => {
      await this.#scope.call("resolveLinkRequest", { linkRequestId: request.id, accept });
    };
    await resolve(await ask(bob, cy), false);
    await this.#later();
    await resolve(await ask(cy, dan), true);
    await this.#scope.call("unlinkAgents", { left: "cy", right: "dan" });
    await bob.call("requestLink", { to: dan.id });
  }

  async messages({ ada, bob, cy, dan }: Agents): Promise<Everything["keyed"]> {
    const scope = this.#scope;
    await ada.drain();
    await cy.drain();
    const answered = await ada.tell(bob, { mode: "request", body: "answered?", context: CONTEXT, idempotencyKey: "q" });
    const open = await ada.tell(bob, { mode: "request", body: "open?" });
    const acknowledged = await ada.tell(bob, { body: "acknowledged" });
    const dead = await ada.tell(bob, { body: "dead" });
    const requeued = await ada.tell(bob, { body: "requeued", expiresInMs: 100_000_000 });
    const deferred = await ada.tell(bob, { body: "deferred" });
    await ada.tell(bob, { mode: "request", body: "expires delivered", expiresInMs: 1000 });
    await this.#later();
    await bob.pull();
    await bob.call("sendMessage", {
      to: "ada",
      body: "answer",
      mode: "response",
      responseTo: answered,
      idempotencyKey: "answer",
    });
    await bob.call("acknowledgeMessages", { messageIds: [answered, acknowledged] });
    await bob.call("deadLetterMessage", { messageId: dead, reason: "nonsense" });
    await bob.call("deadLetterMessage", { messageId: requeued, reason: "too early" });
    await scope.call("requeueMessage", { messageId: requeued });
    await bob.call("deferMessages", { messageIds: [deferred], delayMs: 3_600_000 });
    await bob.call("releaseInbox", { reservationId: (await bob.call("reserveInbox", {}))?.id ?? "" });
    await ada.tell(cy, { mode: "request", body: "expires undelivered", expiresInMs: 1000 });
    await ada.tell(cy, { body: "dealt with" });
    await cy.drain();
    await ada.tell(cy, { mode: "request", body: "expires unseen", expiresInMs: 1000 });
    await dan.tell(ada, { body: "from one who goes" });
    await ada.tell(dan, { body: "to one who goes" });
    await this.#later(2000);
    await this.#human(ada);
    const keyed = { to: "bob", body: "queued", idempotencyKey: "key", context: CONTEXT, expiresInMs: 2_000_000_000 };
    await ada.call("sendMessage", keyed);
    void open;
    return keyed;
  }

  async #human(ada: AgentActor): Promise<void> {
    const scope = this.#scope;
    await ada.drain();
    const { messageId } = await scope.call("sendHumanMessage", { to: "ada", mode: "request", body: "how far?" });
    await ada.pull();
    const answer = { to: "human", toKind: "human", body: "far", mode: "response", idempotencyKey: "far" } as const;
    await ada.call("sendMessage", { ...answer, responseTo: messageId });
    await ada.tell("human", { toKind: "human", body: "unread" });
    const read = await ada.tell("human", { toKind: "human", body: "read" });
    await scope.call("acknowledgeHumanMessages", { messageIds: [read] });
    await scope.call("sendHumanMessage", { to: "cy", body: "queued", idempotencyKey: "human-key" });
    await ada.tell("human", { toKind: "human", body: "nobody looks", expiresInMs: 1 });
    await this.#later();
  }

  async tasks({ ada, bob, cy }: Agents): Promise<string> {
    const scope = this.#scope;
    const add = (actor: AgentActor | ScopeActor, title: string, more: object = {}): Promise<Task> =>
      actor.call("addTask", { title, ...more });
    const done = await add(ada, "done", { description: "long", priority: "high", requires: ["rust"] });
    const cancelled = await add(scope, "cancelled", { priority: "low" });
    const wanted = await add(ada, "wanted", { priority: "urgent", requires: ["docs", "rust"] });
    await this.#later();
    await add(cy, "blocked", { dependencies: [wanted.id, done.id] });
    await add(cy, "stuck", { dependencies: [cancelled.id, done.id] });
    const released = await add(scope, "released", { dependencies: [done.id] });
    await ada.call("claimTask", { taskId: done.id });
    for (const kind of ["progress", "note", "blocker"] as const) {
      await ada.call("addTaskProgress", { taskId: done.id, kind, text: `${kind} §` });
    }
    await ada.call("completeTask", { taskId: done.id, note: "it is" });
    await bob.call("claimTask", { taskId: cancelled.id });
    await bob.call("addTaskProgress", { taskId: cancelled.id, kind: "note", text: "in vain" });
    await scope.call("cancelTask", { taskId: cancelled.id, reason: "no need" });
    await bob.call("claimTask", { taskId: released.id });
    await bob.call("addTaskProgress", { taskId: released.id, kind: "blocker", text: "no idea" });
    await bob.call("releaseTask", { taskId: released.id });
    const after = await add(ada, "after", { dependencies: [released.id] });
    await add(ada, "far after", { dependencies: [after.id, wanted.id] });
    return released.id;
  }

  async questions({ ada, cy }: Agents): Promise<string> {
    const scope = this.#scope;
    const ask = (question: string, more: object = {}): Promise<Escalation> =>
      ada.call("askHuman", { question, ...more });
    const pending = await ask("which?", { options: ["this", "that"], urgency: "high", context: CONTEXT });
    const answered = await ask("may I?", { kind: "permission" });
    const takenBack = await ask("hello?");
    const late = await ask("now?", { expiresInMs: 1000 });
    await ask("ever?", { expiresInMs: 1000 });
    await scope.call("deferEscalation", { escalationId: pending.id, delayMs: 86_400_000 });
    await cy.call("askHuman", { question: "later?", expiresInMs: 1_000_000_000 });
    const answer = { answer: "yes", surface: "tray", note: "with care" } as const;
    await scope.call("resolveEscalation", { escalationId: answered.id, ...answer });
    await ada.call("getEscalation", { escalationId: answered.id });
    await ada.call("cancelEscalation", { escalationId: takenBack.id, reason: "found it" });
    await this.#later(2000);
    await scope.call("resolveEscalation", { escalationId: late.id, answer: "too late", by: "rule", surface: "api" });
    return pending.id;
  }

  async outside({ bob, cy }: Agents): Promise<string> {
    const scope = this.#scope;
    const publication = await scope.call("publishAgentCard", { agentId: "bob" });
    const hidden = await scope.call("publishAgentCard", { agentId: "cy" });
    const issued = await scope.call("createA2aPrincipal", { publicationId: publication.id, label: "client" });
    this.secrets.push(issued.credential, issued.principal.id);
    const send = async (text: string): Promise<A2aTask> => {
      const message = { messageId: `client-${text}`, role: "ROLE_USER", parts: [{ text }] };
      const input = { publicationId: publication.id, message };
      return (await this.#intercom.call("sendA2aMessage", input, { token: issued.credential })).task;
    };
    for (const text of ["completed", "failed", "working"]) await send(text);
    const taken: Message[] = await bob.pull({ limit: 100 });
    const byBody = (body: string) => taken.find((message) => message.body === body) as Message;
    const completed = byBody("completed");
    await bob.tell(completed.from, { body: "done so", mode: "response", responseTo: completed.id });
    await bob.call("deadLetterMessage", { messageId: byBody("failed").id, reason: "cannot" });
    await send("submitted");
    await scope.call("disableAgentCardPublication", { publicationId: hidden.id });
    await cy.drain();
    return publication.id;
  }

  async outputs({ ada }: Agents): Promise<string> {
    const scope = this.#scope;
    const publisherAgentIds = ["ada", "dan"];
    const stream = await scope.call("createOutputStream", { name: "news", retentionLimit: 3, publisherAgentIds });
    await scope.call("createOutputStream", { name: "silent" });
    const publisher = await scope.call("createOutputPrincipal", {
      streamId: stream.id,
      label: "machine",
      permissions: ["publish", "read"],
    });
    this.secrets.push(publisher.credential);
    const streamId = stream.id;
    for (const value of ["one", "two", "three"]) {
      await ada.call("publishOutput", { streamId, contentType: "text/plain", value });
    }
    await this.#later();
    const value = { z: [1, { deep: null }], a: 0.5, "": "Zoë" };
    const reference = { uri: "https://example.org/build", title: "build" };
    const token = publisher.credential;
    const input = { streamId, contentType: "application/json", value, reference } as const;
    await this.#intercom.call("publishOutput", input, { token });
    await ada.call("publishOutput", { streamId, contentType: "application/json", value: false });
    return streamId;
  }
}
