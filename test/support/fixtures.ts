import type { OperationInput, OperationName } from "../../protocol/index.ts";
import type { AgentActor, ScopeActor } from "./actors.ts";
import { signIn } from "./browser.ts";
import type { TestDaemon } from "./daemon.ts";
import type { CallOptions } from "./http.ts";

/** A scope with two linked agents, in which every operation can be called. */
export interface World {
  readonly intercom: TestDaemon;
  readonly scope: ScopeActor;
  /** Who acts in agent operations; its lease is the longest there is. */
  readonly alice: AgentActor;
  readonly bob: AgentActor;
  readonly outside: Outside;
  /** Secret of a connector. */
  readonly connector: string;
  /** Name to use for what must be new. */
  fresh(kind: string): string;
}

/** What a world shows to the outside: a stream alice may publish to, and bob as a published agent. */
export interface Outside {
  readonly streamId: string;
  /** Credentials that read and publish the stream. */
  readonly reader: string;
  readonly publisher: string;
  readonly publicationId: string;
  /** Credential of the publication. */
  readonly a2aClient: string;
}

async function makeOutside(scope: ScopeActor, alice: AgentActor, bob: AgentActor): Promise<Outside> {
  const label = `secret of ${scope.id}`;
  const { id: streamId } = await scope.call("createOutputStream", { name: "news", publisherAgentIds: [alice.id] });
  const reader = await scope.call("createOutputPrincipal", { streamId, label, permissions: ["read"] });
  const publisher = await scope.call("createOutputPrincipal", { streamId, label, permissions: ["publish"] });
  const { id: publicationId } = await scope.call("publishAgentCard", { agentId: bob.id });
  const client = await scope.call("createA2aPrincipal", { publicationId, label });
  return {
    streamId,
    reader: reader.credential,
    publisher: publisher.credential,
    publicationId,
    a2aClient: client.credential,
  };
}

const LONG_LEASE_MS = 86_400_000;

/** Text that is in everything a world stores, to find what leaks out of it. */
export function secretOf(world: World): string {
  return `secret of ${world.scope.id}`;
}

let worlds = 0;

/** Agent ids are different in every world. */
export async function makeWorld(intercom: TestDaemon): Promise<World> {
  worlds += 1;
  const prefix = `w${worlds}`;
  const scope = await intercom.scope({ id: `${prefix}-scope` });
  const leaseMs = LONG_LEASE_MS;
  const alice = await scope.agent(`${prefix}-alice`, { leaseMs, displayName: `secret of ${scope.id}` });
  const bob = await scope.agent(`${prefix}-bob`, {
    leaseMs,
    displayName: `secret of ${scope.id}`,
    connectTo: [alice.id],
  });
  const outside = await makeOutside(scope, alice, bob);
  const { credential: connector } = await scope.call("createConnector", { name: `secret of ${scope.id}` });
  let count = 0;
  return { intercom, scope, alice, bob, outside, connector, fresh: (kind) => `${prefix}-${kind}-${++count}` };
}

export interface Prepared<N extends OperationName = OperationName> {
  readonly input: OperationInput<N>;
  /** Set where the call ends the caller, so that it must not be one the world still needs. */
  readonly caller?: AgentActor;
}

type Fixtures = { readonly [N in OperationName]: (world: World) => Promise<Prepared<N>> | Prepared<N> };

const nothing = () => ({ input: {} });

async function task(world: World): Promise<string> {
  return (await world.alice.call("addTask", { title: secretOf(world) })).id;
}

async function claimed(world: World): Promise<string> {
  const taskId = await task(world);
  await world.alice.call("claimTask", { taskId });
  return taskId;
}

async function question(world: World): Promise<string> {
  return (await world.alice.call("askHuman", { question: secretOf(world) })).id;
}

/** A question whose answer alice has not read. */
async function resolved(world: World): Promise<string> {
  const escalationId = await question(world);
  await world.scope.call("resolveEscalation", { escalationId, answer: secretOf(world) });
  return escalationId;
}

/** A message from bob that alice has taken out of her inbox. */
async function delivered(world: World): Promise<string> {
  await world.alice.drain();
  const id = await world.bob.tell(world.alice, { body: secretOf(world) });
  await world.alice.pull();
  return id;
}

/** A request of alice that bob has answered. */
async function answered(world: World): Promise<string> {
  const id = await world.alice.tell(world.bob, { body: secretOf(world), mode: "request" });
  await world.bob.drain();
  const response = { mode: "response", responseTo: id, body: secretOf(world) } as const;
  await world.bob.tell(world.alice, response);
  return id;
}

async function reserved(world: World): Promise<string> {
  await world.alice.drain();
  await world.bob.tell(world.alice, { body: secretOf(world) });
  const reservation = await world.alice.call("reserveInbox", {});
  return (reservation as { id: string }).id;
}

async function stranger(world: World): Promise<AgentActor> {
  return world.scope.agent(world.fresh("agent"), { displayName: secretOf(world), leaseMs: LONG_LEASE_MS });
}

async function stream(world: World): Promise<string> {
  const publisherAgentIds = [world.alice.id];
  return (await world.scope.call("createOutputStream", { name: world.fresh("stream"), publisherAgentIds })).id;
}

async function reader(world: World): Promise<string> {
  const { streamId } = world.outside;
  const issue = { streamId, label: secretOf(world), permissions: ["read" as const] };
  return (await world.scope.call("createOutputPrincipal", issue)).principal.id;
}

async function publication(world: World): Promise<string> {
  return (await world.scope.call("publishAgentCard", { agentId: (await stranger(world)).id })).id;
}

async function a2aClient(world: World): Promise<string> {
  const { publicationId } = world.outside;
  return (await world.scope.call("createA2aPrincipal", { publicationId, label: secretOf(world) })).principal.id;
}

function a2aMessage(world: World) {
  return { messageId: world.fresh("message"), role: "ROLE_USER", parts: [{ text: secretOf(world) }] };
}

async function connector(world: World): Promise<string> {
  const name = `${secretOf(world)} ${world.fresh("connector")}`;
  return (await world.scope.call("createConnector", { name })).connector.id;
}

/** An archive of a scope in which nothing has happened. */
export function emptyArchive(scopeId: string): OperationInput<"importScope"> {
  const at = "2026-01-01T00:00:00.000Z";
  return {
    format: "october-bus.scope",
    version: 2,
    exportedAt: at,
    scope: { id: scopeId, createdAt: at },
    agents: [],
    links: [],
    messages: [],
    tasks: [],
    taskProgress: [],
    escalations: [],
    agentCardPublications: [],
    a2aTasks: [],
    a2aMessages: [],
    outputStreams: [],
    outputValues: [],
  };
}

/**
 * For every operation an input it accepts, with everything it refers to made afresh. Calls that can wait find what they
 * wait for. Each call of the caller `credentialsFor` names succeeds once.
 */
export const fixtures: Fixtures = {
  health: nothing,
  liveness: nothing,
  shutdown: nothing,
  overview: nothing,
  watchAllEvents: nothing,

  createScope: nothing,
  listScopes: nothing,
  rotateScopeToken: async (world) => ({ input: { scopeId: (await world.intercom.scope()).id } }),
  deleteScope: async (world) => {
    const { id } = await world.intercom.scope();
    return { input: { scopeId: id, confirmScopeId: id } };
  },
  getScope: nothing,
  updateScope: () => ({ input: { linkPolicy: "explicit" } }),

  registerAgent: (world) => ({ input: { id: world.fresh("agent"), displayName: secretOf(world) } }),
  listAgents: nothing,
  listAgentsPage: nothing,
  getAgent: (world) => ({ input: { agentId: world.bob.id } }),
  removeAgent: async (world) => ({ input: { agentId: (await stranger(world)).id } }),
  whoAmI: nothing,
  heartbeat: () => ({ input: { lifecycle: "idle", ready: false, leaseMs: LONG_LEASE_MS } }),
  updateProfile: nothing,
  retire: async (world) => ({ input: {}, caller: await stranger(world) }),
  listPeers: nothing,

  createConnector: (world) => ({ input: { name: `${secretOf(world)} ${world.fresh("connector")}` } }),
  listConnectors: nothing,
  rotateConnector: async (world) => ({ input: { connectorId: await connector(world) } }),
  revokeConnector: async (world) => ({ input: { connectorId: await connector(world) } }),
  connect: async (world) => {
    // Once more: names of new agents would run out, and each look for a free one is longer than the last.
    const input = { session: "window", displayName: secretOf(world) };
    await world.intercom.call("connect", input, { token: world.connector });
    return { input };
  },

  linkAgents: async (world) => ({ input: { left: world.alice.id, right: (await stranger(world)).id } }),
  unlinkAgents: async (world) => {
    const other = await stranger(world);
    await world.scope.call("linkAgents", { left: other.id, right: world.bob.id });
    return { input: { left: other.id, right: world.bob.id } };
  },
  listLinks: nothing,
  requestLink: async (world) => ({ input: { to: (await stranger(world)).id } }),
  listLinkRequests: nothing,
  resolveLinkRequest: async (world) => {
    const { id } = await world.bob.call("requestLink", { to: (await stranger(world)).id });
    return { input: { linkRequestId: id, accept: false } };
  },

  sendMessage: (world) => ({ input: { to: world.bob.id, body: secretOf(world) } }),
  getReceipt: async (world) => ({ input: { messageId: await world.alice.tell(world.bob, { body: secretOf(world) }) } }),
  acknowledgeMessages: async (world) => ({ input: { messageIds: [await delivered(world)] } }),
  deferMessages: async (world) => ({ input: { messageIds: [await delivered(world)], delayMs: 1000 } }),
  deadLetterMessage: async (world) => ({ input: { messageId: await delivered(world), reason: secretOf(world) } }),
  listMyMessages: (world) => ({ input: { peer: world.bob.id } }),
  getMyMessage: async (world) => ({ input: { messageId: await delivered(world) } }),
  listMyRequests: async (world) => {
    // One is enough: whoever compares two calls wants both to see the same.
    if ((await world.alice.call("listMyRequests", {})).messages.length === 0) {
      await world.alice.drain();
      await world.bob.tell(world.alice, { body: secretOf(world), mode: "request" });
      await world.alice.pull();
    }
    return { input: {} };
  },
  takeResponse: async (world) => ({ input: { messageId: await answered(world) } }),
  reserveInbox: async (world) => {
    await world.alice.drain();
    await world.bob.tell(world.alice, { body: secretOf(world) });
    return { input: {} };
  },
  commitInbox: async (world) => ({ input: { reservationId: await reserved(world) } }),
  releaseInbox: async (world) => ({ input: { reservationId: await reserved(world) } }),
  sendHumanMessage: (world) => ({ input: { to: world.bob.id, body: secretOf(world) } }),
  listConversations: nothing,
  listMessages: (world) => ({ input: { agent: world.alice.id } }),
  getMessage: async (world) => ({ input: { messageId: await world.alice.tell(world.bob, { body: secretOf(world) }) } }),
  acknowledgeHumanMessages: async (world) => ({
    input: { messageIds: [await world.alice.tell("human", { toKind: "human", body: secretOf(world) })] },
  }),
  requeueMessage: async (world) => {
    const messageId = await delivered(world);
    await world.alice.call("deadLetterMessage", { messageId, reason: secretOf(world) });
    return { input: { messageId } };
  },

  addTask: (world) => ({ input: { title: secretOf(world) } }),
  listTasks: nothing,
  listTasksPage: nothing,
  claimNextTask: async (world) => {
    await task(world);
    return { input: {} };
  },
  getTask: async (world) => ({ input: { taskId: await task(world) } }),
  updateTask: async (world) => ({ input: { taskId: await task(world) } }),
  editTaskDependencies: async (world) => ({ input: { taskId: await task(world) } }),
  claimTask: async (world) => ({ input: { taskId: await task(world) } }),
  releaseTask: async (world) => ({ input: { taskId: await claimed(world) } }),
  completeTask: async (world) => ({ input: { taskId: await claimed(world) } }),
  cancelTask: async (world) => ({ input: { taskId: await task(world) } }),
  addTaskProgress: async (world) => ({
    input: { taskId: await claimed(world), kind: "note", text: secretOf(world) },
  }),
  listTaskProgress: async (world) => ({ input: { taskId: await claimed(world) } }),

  askHuman: (world) => ({ input: { question: secretOf(world), options: ["yes", "no"] } }),
  getEscalation: async (world) => ({ input: { escalationId: await resolved(world) } }),
  cancelEscalation: async (world) => ({ input: { escalationId: await question(world) } }),
  listMyEscalations: nothing,
  listEscalations: nothing,
  listEscalationsPage: nothing,
  listEscalationHistory: (world) => ({ input: { agentId: world.alice.id } }),
  getScopeEscalation: async (world) => ({ input: { escalationId: await question(world) } }),
  resolveEscalation: async (world) => ({ input: { escalationId: await question(world), answer: secretOf(world) } }),
  deferEscalation: async (world) => ({ input: { escalationId: await question(world), delayMs: 60_000 } }),
  withdrawAnswer: async (world) => ({ input: { escalationId: await resolved(world) } }),
  recordEscalationNotice: async (world) => ({
    input: { escalationId: await question(world), surface: "tray", verdict: "shown" },
  }),

  listEvents: nothing,
  listEventsPage: (world) => ({ input: { agentId: world.alice.id } }),

  createOutputStream: (world) => ({ input: { name: world.fresh("stream") } }),
  listOutputStreams: nothing,
  getOutputStream: async (world) => ({ input: { streamId: await stream(world) } }),
  removeOutputStream: async (world) => ({ input: { streamId: await stream(world) } }),
  addOutputPublisher: async (world) => ({ input: { streamId: await stream(world), agentId: world.bob.id } }),
  removeOutputPublisher: async (world) => ({ input: { streamId: await stream(world), agentId: world.alice.id } }),
  createOutputPrincipal: (world) => ({
    input: { streamId: world.outside.streamId, label: secretOf(world), permissions: ["read"] },
  }),
  listOutputPrincipals: nothing,
  rotateOutputPrincipal: async (world) => ({ input: { principalId: await reader(world) } }),
  enableOutputPrincipal: async (world) => ({ input: { principalId: await reader(world) } }),
  disableOutputPrincipal: async (world) => ({ input: { principalId: await reader(world) } }),
  publishOutput: (world) => ({
    input: { streamId: world.outside.streamId, contentType: "text/plain", value: secretOf(world) },
  }),
  listOutputValues: (world) => ({ input: { streamId: world.outside.streamId } }),
  latestOutput: (world) => ({ input: { streamId: world.outside.streamId } }),

  publishAgentCard: async (world) => ({ input: { agentId: (await stranger(world)).id } }),
  listAgentCardPublications: nothing,
  enableAgentCardPublication: async (world) => ({ input: { publicationId: await publication(world) } }),
  disableAgentCardPublication: async (world) => ({ input: { publicationId: await publication(world) } }),
  createA2aPrincipal: (world) => ({
    input: { publicationId: world.outside.publicationId, label: secretOf(world) },
  }),
  listA2aPrincipals: nothing,
  listA2aPrincipalUsage: nothing,
  rotateA2aPrincipal: async (world) => ({ input: { principalId: await a2aClient(world) } }),
  enableA2aPrincipal: async (world) => ({ input: { principalId: await a2aClient(world) } }),
  disableA2aPrincipal: async (world) => ({ input: { principalId: await a2aClient(world) } }),
  getAgentCard: (world) => ({ input: { publicationId: world.outside.publicationId } }),
  sendA2aMessage: (world) => ({
    input: { publicationId: world.outside.publicationId, message: a2aMessage(world) },
  }),
  getA2aTask: async (world) => {
    const { publicationId, a2aClient: token } = world.outside;
    const { task } = await world.intercom.call(
      "sendA2aMessage",
      { publicationId, message: a2aMessage(world) },
      { token },
    );
    return { input: { publicationId, taskId: task.id } };
  },

  storageSummary: nothing,
  pruneScope: () => ({ input: { before: "2020-01-01T00:00:00Z" } }),

  exportScope: async (world) => ({ input: { scopeId: (await world.intercom.scope()).id } }),
  importScope: (world) => ({ input: emptyArchive(world.fresh("scope")) }),
  backup: nothing,

  createSignInLink: nothing,
  listUiSessions: nothing,
  endUiSession: async (world) => ({ input: { sessionId: (await signIn(world.intercom)).session.id } }),
};

export interface ReadyCall {
  readonly input: Record<string, unknown>;
  readonly caller: AgentActor;
}

/** Makes what an operation refers to and gives an input for it. */
export async function prepare(world: World, name: OperationName): Promise<ReadyCall> {
  const prepared = await fixtures[name](world);
  return { input: { ...prepared.input } as Record<string, unknown>, caller: prepared.caller ?? world.alice };
}

/** The credentials an operation asks for. `scope-or-agent` is called by the agent. */
export function credentialsFor(world: World, authority: string, caller: AgentActor = world.alice): CallOptions {
  switch (authority) {
    case "none":
      return {};
    case "admin":
      return { token: world.intercom.adminToken };
    case "scope":
    case "output-read":
      return { token: world.scope.token };
    case "a2a":
      return { token: world.outside.a2aClient };
    case "connector":
      return { token: world.connector };
    default:
      return { token: caller.token };
  }
}
