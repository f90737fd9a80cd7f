import { afterEach, expect, it } from "vitest";
import { AdminClient, AgentSession, type ScopeClient } from "../../../client/index.ts";
import { LiveView } from "../../../client/live/index.ts";
import { agentKey, applyLiveChange, emptyLiveState, type LiveChange } from "../../../protocol/desktop/index.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { inParallel, until } from "../../support/waiting.ts";

const SCOPE = "team";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Scene {
  readonly daemon: TestDaemon;
  readonly admin: AdminClient;
  readonly owner: ScopeClient;
  readonly view: LiveView;
  /** Everything the view said, in order. */
  readonly said: LiveChange[];
}

async function open(): Promise<Scene> {
  const daemon = await TestDaemon.start();
  closing.push(() => daemon.close());
  const admin = adminOf(daemon);
  await admin.createScope({ id: SCOPE, linkPolicy: "open" });
  const said: LiveChange[] = [];
  const view = new LiveView({ onChanges: (changes) => said.push(...changes) });
  closing.push(() => view.close());
  return { daemon, admin, owner: admin.scope(SCOPE), view, said };
}

function adminOf(daemon: TestDaemon): AdminClient {
  return new AdminClient({ address: daemon.address, adminToken: daemon.adminToken });
}

async function join(owner: ScopeClient, id: string): Promise<AgentSession> {
  const session = await AgentSession.start({ scope: owner, registration: { id, displayName: id } });
  closing.push(() => session.close());
  return session;
}

const live = ({ view }: Scene) => until("the picture is live", () => view.state.link.state === "live");

it("begins with what is there", async () => {
  const scene = await open();
  const { owner, view, admin } = scene;
  const ada = await join(owner, "ada");
  const asked = await ada.client.askHuman({ question: "Now?" });
  expect(view.state.link.state).toBe("connecting");
  view.use(admin);
  await live(scene);
  const { scopes, agents, questions, daemon } = view.state;
  expect(scopes[SCOPE]).toMatchObject({ agents: 1, pendingEscalations: 1 });
  expect(agents[agentKey(SCOPE, "ada")]).toMatchObject({ id: "ada", scopeId: SCOPE, reachable: true });
  expect(questions).toEqual({ [asked.id]: asked });
  expect(daemon?.instanceId).toBe((await admin.health()).instanceId);
});

it("follows what happens, and its changes add up to its state", async () => {
  const scene = await open();
  const { owner, view, admin, said } = scene;
  view.use(admin);
  await live(scene);
  const [ada, ben] = [await join(owner, "ada"), await join(owner, "ben")];
  const { id } = await ada.client.askHuman({ question: "Now?", options: ["Yes", "No"] });
  await ben.client.sendMessage({ to: "ada", body: "hello", mode: "request" });
  await until("the question shows", () => view.state.questions[id]);
  await until("the debt shows", () => view.state.agents[agentKey(SCOPE, "ada")]?.owes.undelivered === 1);
  await owner.resolveEscalation({ escalationId: id, answer: "Yes" });
  await until("the question is gone", () => !(id in view.state.questions));
  expect(said.flatMap((change) => (change.kind === "questions" ? change.closed : []))).toMatchObject([
    { id, status: "resolved", answer: "Yes" },
  ]);
  await owner.removeAgent({ agentId: "ben" });
  await until("the agent is gone", () => !(agentKey(SCOPE, "ben") in view.state.agents));
  await until("the counts follow", () => view.state.scopes[SCOPE]?.agents === 1);
  expect(said.reduce(applyLiveChange, emptyLiveState(""))).toEqual(view.state);
  const types = said.flatMap((change) => (change.kind === "events" ? change.events.map(({ type }) => type) : []));
  expect(types).toEqual(expect.arrayContaining(["agent.registered", "escalation.created", "escalation.resolved"]));
});

it("sees scopes come and go", async () => {
  const scene = await open();
  const { view, admin } = scene;
  view.use(admin);
  await live(scene);
  await admin.createScope({ id: "other", linkPolicy: "open" });
  await join(admin.scope("other"), "eve");
  await until("the new scope shows", () => view.state.scopes.other && view.state.agents[agentKey("other", "eve")]);
  await admin.deleteScope({ scopeId: "other", confirmScopeId: "other" });
  await until("it is gone", () => !("other" in view.state.scopes) && !(agentKey("other", "eve") in view.state.agents));
});

it("reads many changes together", async () => {
  const scene = await open();
  const { owner, view, daemon } = scene;
  let calls = 0;
  const counting: typeof fetch = (...request) => {
    calls += 1;
    return fetch(...request);
  };
  view.use(new AdminClient({ address: daemon.address, adminToken: daemon.adminToken, fetch: counting }));
  await live(scene);
  const agents = await inParallel(["ada", "ben", "cyd"], (id) => join(owner, id));
  const before = calls;
  const asking = agents.flatMap((agent) => Array.from({ length: 60 }, (_, index) => ({ agent, index })));
  await inParallel(asking, ({ agent, index }) => agent.client.askHuman({ question: `Question ${index}?` }));
  await until("all questions show", () => Object.keys(view.state.questions).length === 180);
  expect(calls - before).toBeLessThan(120);
});

it("keeps what it knew while the daemon is away, and puts it right afterwards", async () => {
  const scene = await open();
  const { owner, view, daemon, admin } = scene;
  const ada = await join(owner, "ada");
  const first = await ada.client.askHuman({ question: "First?" });
  view.use(admin);
  await live(scene);
  await daemon.restart();
  await until("the loss is noticed", () => view.state.link.state !== "live");
  expect(Object.keys(view.state.questions)).toEqual([first.id]);
  // Another process has another credential, so the old one is refused until a new client comes.
  const restarted = adminOf(daemon);
  await restarted.scope(SCOPE).resolveEscalation({ escalationId: first.id, answer: "Yes" });
  view.use(restarted);
  await live(scene);
  expect(view.state.questions).toEqual({});
  expect(view.state.agents[agentKey(SCOPE, "ada")]).toBeDefined();
});

it("says that its credential is refused, and goes on trying", async () => {
  const scene = await open();
  const { view, daemon } = scene;
  view.use(new AdminClient({ address: daemon.address, adminToken: "x".repeat(43) }));
  const link = await until("it is refused", () => view.state.link.state === "refused" && view.state.link);
  expect(link.error?.code).toBe("UNAUTHENTICATED");
  view.use(adminOf(daemon));
  await live(scene);
});

it("is lost as soon as it has no daemon to follow", async () => {
  const scene = await open();
  scene.view.use(scene.admin);
  await live(scene);
  scene.view.use(undefined);
  expect(scene.view.state.link.state).toBe("lost");
  expect(scene.view.state.scopes[SCOPE]).toBeDefined();
});
