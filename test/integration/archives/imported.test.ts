import { beforeAll, describe, expect, it } from "vitest";
import { checkStored } from "../../properties/invariants.ts";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { deleteScope, exportOf, importNew } from "./archive-calls.ts";
import { type Everything, makeEverything } from "./everything.ts";
import { handWritten } from "./hand-written.ts";

const daemon = useDaemon();
let everything: Everything;
let scope: ScopeActor;
let ada: AgentActor;
let bob: AgentActor;

beforeAll(async () => {
  everything = await makeEverything(daemon());
  const archive = await exportOf(daemon(), everything.scope.id, { extensions: true });
  await deleteScope(daemon(), everything.scope.id);
  scope = await importNew(daemon(), archive);
  const capabilities = [{ name: "rust" }, { name: "docs" }];
  ada = await scope.agent("ada", { capabilities, notices: false });
  bob = await scope.agent("bob", { notices: false });
});

describe("in an imported scope", () => {
  it("whoever was in lets nobody in any more", async () => {
    for (const token of everything.secrets.filter((secret) => secret !== daemon().adminToken)) {
      expect(await daemon().refused("whoAmI", {}, { token })).toMatchObject({ code: "UNAUTHENTICATED" });
      expect(await daemon().refused("getScope", {}, { token })).toMatchObject({ code: "UNAUTHENTICATED" });
    }
  });

  it("agents that register again find their links and their mail", async () => {
    expect((await bob.call("listPeers", {})).map(({ id }) => id)).toEqual(["ada"]);
    const bodies = (await bob.pull({ limit: 100 })).map(({ body }) => body);
    expect(bodies).toContain("open?");
    expect(bodies).toContain("deferred");
    expect(bodies).toContain("requeued");
    expect(bodies).toContain("queued");
    expect(bodies).toContain("submitted");
    expect((await bob.call("whoAmI", {})).agent.owes).toEqual({ undelivered: 0, unanswered: 3 });
  });

  it("a send under a key it was sent with before is the same send", async () => {
    const before = await scope.revision();
    const receipt = await ada.call("sendMessage", everything.keyed);
    const message = await scope.call("getMessage", { messageId: receipt.messageId });
    expect(message).toMatchObject({ body: "queued", from: "ada" });
    const other = { ...everything.keyed, body: "other" };
    expect(await ada.refused("sendMessage", other)).toMatchObject({ code: "CONFLICT" });
    // Answers, too, and what the human has sent; however the recipient was named.
    const far = (await scope.call("listMessages", { agent: "ada", peerKind: "human" })).messages;
    const answered = far.find(({ body }) => body === "how far?");
    const answer = { to: "human", body: "far", mode: "response", responseTo: answered?.id, idempotencyKey: "far" };
    for (const toKind of [{}, { toKind: "human" }]) {
      const { messageId } = await ada.call("sendMessage", { ...answer, ...toKind } as never);
      expect(messageId).toBe(answered?.responseMessageId);
    }
    await scope.call("sendHumanMessage", { to: "cy", body: "queued", idempotencyKey: "human-key" });
    expect(await scope.revision()).toBe(before);
  });

  it("a request that waits takes its answer, and its asker gets it", async () => {
    const { messages } = await scope.call("listMessages", { agent: "bob", peer: "ada" });
    const open = messages.find(({ body }) => body === "open?");
    const answer = { to: "ada", body: "at last", mode: "response", responseTo: open?.id ?? "" } as const;
    const { messageId } = await bob.call("sendMessage", answer);
    expect(await ada.call("getReceipt", { messageId: open?.id ?? "" })).toMatchObject({ responseMessageId: messageId });
    expect((await ada.pull({ limit: 100 })).map(({ body }) => body)).toContain("at last");
  });

  it("an answer to an A2A client's message completes the client's task", async () => {
    const { messages } = await scope.call("listMessages", { agent: "bob", state: "delivered" });
    const asked = messages.find(({ fromKind, body }) => fromKind === "a2aPrincipal" && body === "submitted");
    await bob.tell(asked?.from ?? "", { body: "there", mode: "response", responseTo: asked?.id ?? "" });
    const again = await exportOf(daemon(), scope.id, { whileRunning: true });
    const task = again.a2aMessages.find(({ busRequestMessageId }) => busRequestMessageId === asked?.id)?.taskId;
    expect(again.a2aTasks.find(({ id }) => id === task)).toMatchObject({ state: "completed" });
  });

  it("tasks go on: the most pressing first, and each once what it waits for is done", async () => {
    const wanted = await ada.call("claimNextTask", {});
    expect(wanted).toMatchObject({ title: "wanted", priority: "urgent" });
    await bob.call("claimTask", { taskId: everything.openTask });
    const entry = { taskId: everything.openTask, kind: "note", text: "now" } as const;
    expect(await bob.call("addTaskProgress", entry)).toMatchObject({ sequence: 2 });
    await bob.call("completeTask", { taskId: everything.openTask });
    await ada.call("completeTask", { taskId: wanted?.id ?? "" });
    const ready = (await scope.call("listTasks", { ready: true })).map(({ title }) => title);
    expect(ready).toEqual(["blocked", "after"]);
  });

  it("a question that was open takes its answer", async () => {
    const escalationId = everything.pendingQuestion;
    await scope.call("resolveEscalation", { escalationId, answer: "this", surface: "window" });
    expect(await ada.call("getEscalation", { escalationId })).toMatchObject({ status: "resolved", answer: "this" });
  });

  it("a stream goes on with its next number, for the publishers it had", async () => {
    const { streamId } = everything;
    const value = { streamId, contentType: "text/plain", value: "six" } as const;
    expect(await ada.call("publishOutput", value)).toMatchObject({ sequence: 6 });
    expect(await bob.refused("publishOutput", value)).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await scope.call("listOutputValues", { streamId, after: 2 })).toMatchObject({ resyncRequired: true });
  });

  it("a publication is hidden until its owner shows it, and takes new clients then", async () => {
    const { publicationId } = everything;
    const card = `${daemon().address}/a2a/agents/${publicationId}/.well-known/agent-card.json`;
    expect((await fetch(card)).status).toBe(404);
    await scope.call("enableAgentCardPublication", { publicationId });
    expect((await fetch(card)).status).toBe(200);
    const { credential } = await scope.call("createA2aPrincipal", { publicationId, label: "new" });
    // The former client's own id of a message is nobody else's.
    const message = { messageId: "client-completed", role: "ROLE_USER", parts: [{ text: "again" }] };
    const sent = await daemon().call("sendA2aMessage", { publicationId, message }, { token: credential });
    expect(sent.task.status.state).toBe("TASK_STATE_SUBMITTED");
  });

  it("what was to fall due does, and everything stored still fits together", async () => {
    const before = (await scope.call("listEscalations", {})).filter(({ status }) => status === "pending");
    expect(before).toHaveLength(1);
    await daemon().advance(1_000_000_001);
    expect((await scope.call("listEscalations", {})).filter(({ status }) => status === "pending")).toEqual([]);
    daemon().sql((db) => checkStored(db, daemon().clock.now()));
  });
});

describe("exporting while agents are running", () => {
  it("is refused unless asked for, and then shows what they hold as free", async () => {
    const busy = await daemon().scope({ linkPolicy: "open" });
    const [eve, fay] = [await busy.agent("eve"), await busy.agent("fay")];
    for (const body of ["new", "again"]) await eve.tell(fay, { body });
    await fay.pull({ limit: 1 });
    await fay.call("reserveInbox", {});
    const { id: taskId } = await eve.call("addTask", { title: "held" });
    await fay.call("claimTask", { taskId });
    const refusal = await daemon().admin.refused("exportScope", { scopeId: busy.id });
    expect(refusal).toMatchObject({ code: "CONFLICT", details: { reason: "running" } });
    for (const extensions of [false, true]) {
      const archive = await exportOf(daemon(), busy.id, { whileRunning: true, extensions });
      expect(archive.messages.map(({ body, state }) => [body, state])).toEqual([
        ["new", "delivered"],
        ["again", "queued"],
      ]);
      expect(archive.tasks).toMatchObject([{ id: taskId, status: "open" }]);
      expect(archive.tasks[0]).not.toHaveProperty("claimedBy");
    }
    // An agent that says it is off, or whose lease has run out, does not run.
    await eve.call("heartbeat", { lifecycle: "offline", ready: false });
    expect((await daemon().admin.refused("exportScope", { scopeId: busy.id })).details).toMatchObject({
      agentId: "fay",
    });
    await daemon().advance(300_001);
    expect((await exportOf(daemon(), busy.id)).tasks).toMatchObject([{ status: "open" }]);
  });

  it("is for the admin only, and for scopes that are there", async () => {
    for (const token of [undefined, scope.token, ada.token]) {
      for (const [name, input] of [
        ["exportScope", { scopeId: scope.id }],
        ["importScope", handWritten("no")],
        ["backup", {}],
      ] as const) {
        expect(await daemon().refused(name, input, { token })).toMatchObject({ code: "UNAUTHENTICATED" });
      }
    }
    expect(await daemon().admin.refused("exportScope", { scopeId: "none" })).toMatchObject({ code: "NOT_FOUND" });
  });
});

it("order of what came into being in one millisecond survives, whichever list of an archive it is in", async () => {
  const scope = await daemon().scope({ linkPolicy: "open" });
  const [gil] = [await scope.agent("gil"), await scope.agent("hal")];
  const bodies = Array.from({ length: 30 }, (_, index) => `message ${index}`);
  for (const [index, body] of bodies.entries()) {
    if (index % 3 === 0) await scope.call("sendHumanMessage", { to: "hal", body });
    else await gil.tell("hal", { body });
    const title = `task ${index}`;
    await scope.call("addTask", index % 2 === 0 ? { title, requires: ["x"] } : { title });
    if (index % 5 === 0) {
      const [task] = (await scope.call("listTasks", {})).slice(-1);
      await scope.call("cancelTask", { taskId: task?.id ?? "" });
    }
  }
  const order = async (of: ScopeActor) => ({
    messages: (await of.call("listMessages", { limit: 100 })).messages.map(({ body }) => body),
    tasks: (await of.call("listTasks", {})).map(({ title }) => title),
  });
  const before = await order(scope);
  expect(before.messages).toEqual(bodies.toReversed());
  await daemon().advance(300_001);
  const archive = await exportOf(daemon(), scope.id, { extensions: true });
  await deleteScope(daemon(), scope.id);
  const imported = await importNew(daemon(), archive);
  expect(await order(imported)).toEqual(before);
  const hal = await imported.agent("hal");
  expect((await hal.pull({ limit: 100 })).map(({ body }) => body)).toEqual(bodies);
});
