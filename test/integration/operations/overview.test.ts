import { expect, test } from "vitest";
import { TestDaemon } from "../../support/daemon.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

const NOTHING = {
  agents: 0,
  reachableAgents: 0,
  readyAgents: 0,
  openTasks: 0,
  claimedTasks: 0,
  pendingEscalations: 0,
  pendingLinkRequests: 0,
  undeliveredMessages: 0,
  unreadHumanMessages: 0,
};

test("the overview of an empty daemon is empty", async () => {
  const daemon = await TestDaemon.start();
  const overview = await daemon.admin.call("overview", {});
  expect(overview).toMatchObject({
    generatedAt: daemon.clock.instant(),
    eventSequence: 0,
    totals: { scopes: 0, ...NOTHING },
    scopes: [],
    storage: { backend: "sqlite" },
  });
  expect(overview.storage.databaseBytes).toBeGreaterThan(0);
  await daemon.close();
});

test("the overview counts what each scope holds, and the sum of it", async () => {
  const scope = await intercom().scope({ linkPolicy: "open" });
  const other = await intercom().scope();
  const createdAt = intercom().clock.instant();
  const of = async (scopeId: string) => {
    const { scopes, totals } = await intercom().admin.call("overview", {});
    return { own: scopes.find((each) => each.scopeId === scopeId), totals };
  };
  expect((await of(scope.id)).own).toEqual({ scopeId: scope.id, createdAt, linkPolicy: "open", ...NOTHING });

  const [a, b] = [await scope.agent("a"), await scope.agent("b", { leaseMs: 30_000 })];
  const off = await scope.agent("off");
  await a.ready();
  await off.call("heartbeat", { lifecycle: "offline", ready: false });
  await (await scope.agent("gone")).call("retire", {});
  await scope.agent("removed");
  await scope.call("removeAgent", { agentId: "removed" });
  await a.tell(b);
  await a.tell(b);
  await b.pull({ limit: 1 });
  await a.tell(b, { expiresInMs: 1000 });
  await a.tell("human", { toKind: "human" });
  const read = await a.tell("human", { toKind: "human" });
  await scope.call("acknowledgeHumanMessages", { messageIds: [read] });
  await scope.call("addTask", { title: "t" });
  await scope.call("addTask", { title: "t" });
  await b.call("claimNextTask", {});
  await a.call("askHuman", { question: "q" });
  const { id: escalationId } = await a.call("askHuman", { question: "q" });
  await a.call("cancelEscalation", { escalationId });
  await scope.call("updateScope", { linkPolicy: "explicit" });
  await a.call("requestLink", { to: "b" });
  await other.agent("c");

  const { own, totals } = await of(scope.id);
  const counts = {
    agents: 4,
    reachableAgents: 2,
    readyAgents: 1,
    openTasks: 1,
    claimedTasks: 1,
    pendingEscalations: 1,
    pendingLinkRequests: 1,
    undeliveredMessages: 2,
    unreadHumanMessages: 1,
  };
  expect(own).toEqual({ scopeId: scope.id, createdAt, linkPolicy: "explicit", ...counts });
  expect(totals).toEqual({ scopes: 2, ...counts, agents: 5, reachableAgents: 3 });

  // Time alone changes it, too: a message expires, then a lease, whose claim goes back. The notices of that do not count.
  await intercom().advance(1000);
  expect((await of(scope.id)).own).toMatchObject({ undeliveredMessages: 1 });
  await intercom().advance(29_000);
  expect((await of(scope.id)).own).toMatchObject({
    reachableAgents: 1,
    openTasks: 2,
    claimedTasks: 0,
    undeliveredMessages: 1,
  });

  await intercom().admin.call("deleteScope", { scopeId: scope.id, confirmScopeId: scope.id });
  expect((await of(other.id)).totals).toMatchObject({ scopes: 1, agents: 1, undeliveredMessages: 0 });
});
