import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { issue, makeStream, outputRows, rowNo, say } from "../../support/outputs.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
const full = { status: 429, code: "BACKPRESSURE" };

describe("a stream", () => {
  test("is opened, shown, listed in order of age, and removed", async () => {
    const scope = await intercom().scope();
    await scope.agent("b");
    await scope.agent("a");
    const made = await scope.call("createOutputStream", { name: "build-status", publisherAgentIds: ["b", "a"] });
    expect(made).toEqual({
      id: expect.stringMatching(/^out_[0-9a-f]{32}$/),
      scopeId: scope.id,
      name: "build-status",
      retentionLimit: 1000,
      currentSequence: 0,
      minimumCursor: 0,
      publisherAgentIds: ["a", "b"],
      createdAt: intercom().clock.instant(),
      updatedAt: intercom().clock.instant(),
    });
    const second = await scope.call("createOutputStream", { name: "another", retentionLimit: 1 });
    expect(second).toMatchObject({ retentionLimit: 1, publisherAgentIds: [] });
    expect(await scope.call("listOutputStreams", {})).toEqual([made, second]);
    expect(await scope.call("getOutputStream", { streamId: made.id })).toEqual(made);
    expect(await scope.call("removeOutputStream", { streamId: made.id })).toEqual({ removed: true });
    expect(await scope.call("listOutputStreams", {})).toEqual([second]);
    for (const name of ["getOutputStream", "removeOutputStream", "latestOutput", "listOutputValues"] as const) {
      expect(await scope.refused(name, { streamId: made.id })).toMatchObject({ status: 404, code: "NOT_FOUND" });
    }
  });

  test("takes its values, grants and credentials along, and leaves its name free", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const reader = await issue(scope, stream.id, "read");
    await say(agent, stream.id, "kept nowhere else");
    await say(agent, stream.id, "with a key", { key: "k" });
    await scope.call("removeOutputStream", { streamId: stream.id });
    expect(await scope.call("listOutputPrincipals", {})).toEqual([]);
    expect(await reader.refused("latestOutput", { streamId: stream.id })).toMatchObject({ code: "UNAUTHENTICATED" });
    const again = await scope.call("createOutputStream", { name: stream.name });
    expect(again).toMatchObject({ currentSequence: 0, publisherAgentIds: [] });
    expect(again.id).not.toBe(stream.id);
    // A new stream may get the number of the old one, but nothing of what belonged to it.
    expect(await reader.refused("latestOutput", { streamId: again.id })).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(
      await agent.refused("publishOutput", { streamId: again.id, contentType: "text/plain", value: "x" }),
    ).toMatchObject({
      code: "PERMISSION_DENIED",
    });
    const stored = intercom().sql((database) =>
      ["output_values", "idempotency"].map((table) => JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all())),
    );
    expect(stored.join()).not.toMatch(/kept nowhere else|with a key/);
  });

  test("has a name of its own in its scope, and in no other", async () => {
    const { scope, stream } = await makeStream(intercom());
    const before = outputRows(intercom());
    expect(await scope.refused("createOutputStream", { name: stream.name })).toMatchObject({
      status: 409,
      code: "CONFLICT",
      details: { streamId: stream.id },
    });
    expect(outputRows(intercom())).toEqual(before);
    await scope.call("createOutputStream", { name: stream.name.toUpperCase() });
    await (await intercom().scope()).call("createOutputStream", { name: stream.name });
  });

  test("is not opened for agents that are not there, or named twice", async () => {
    const scope = await intercom().scope();
    await scope.agent("here");
    const other = await intercom().scope();
    await other.agent("elsewhere");
    const before = outputRows(intercom());
    const open = (...publisherAgentIds: string[]) =>
      scope.refused("createOutputStream", { name: "n", publisherAgentIds });
    expect(await open("here", "nobody")).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await open("elsewhere")).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await open("here", "here")).toMatchObject({
      status: 400,
      message: "publisherAgentIds: expected each agent id once",
    });
    expect(outputRows(intercom())).toEqual(before);
  });

  test("is one of 1,000 in its scope", async () => {
    const { scope, stream } = await makeStream(intercom());
    const scopeNo = rowNo(intercom(), "scopes", scope.id);
    intercom().sql((database) => {
      const insert = database.prepare(
        `INSERT INTO output_streams (id, scope_no, name, retention_limit, created_at, updated_at) VALUES (?, ?, ?, 1, 0, 0)`,
      );
      for (let n = 2; n < LIMITS.outputStreamsPerScope; n += 1)
        insert.run(`out_${scope.id}_${n}`, scopeNo, `filled-${n}`);
    });
    await scope.call("createOutputStream", { name: "the-last" });
    const revision = await scope.revision();
    expect(await scope.refused("createOutputStream", { name: "one-more" })).toMatchObject(full);
    expect(await scope.revision()).toBe(revision);
    expect(await scope.call("listOutputStreams", {})).toHaveLength(LIMITS.outputStreamsPerScope);
    await scope.call("removeOutputStream", { streamId: stream.id });
    await scope.call("createOutputStream", { name: "one-more" });
    expect(await scope.refused("createOutputStream", { name: "two-more" })).toMatchObject(full);
  });
});

describe("publishers", () => {
  test("are added and removed, each change once", async () => {
    const { scope, stream, agent } = await makeStream(intercom(), { publisherAgentIds: [] });
    const input = { streamId: stream.id, agentId: agent.id };
    intercom().clock.advance(1000);
    const changed = { ...stream, publisherAgentIds: [agent.id], updatedAt: intercom().clock.instant() };
    const events = await scope.eventsOf(async () => {
      expect(await scope.call("addOutputPublisher", input)).toEqual(changed);
      intercom().clock.advance(1000);
      expect(await scope.call("addOutputPublisher", input)).toEqual(changed);
      expect(await scope.call("removeOutputPublisher", input)).toMatchObject({ publisherAgentIds: [] });
      expect(await scope.call("removeOutputPublisher", input)).toMatchObject({ publisherAgentIds: [] });
    });
    expect(events).toEqual([
      ["output.publisher_added", stream.id, { agentId: agent.id, actor: "scope" }],
      ["output.publisher_removed", stream.id, { agentId: agent.id, actor: "scope" }],
    ]);
    expect(await scope.refused("addOutputPublisher", { ...input, agentId: "nobody" })).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await scope.refused("removeOutputPublisher", { ...input, agentId: "nobody" })).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  test("are the agents, whichever execution speaks for them", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    await say(agent, stream.id, "first");
    const next = await scope.agent(agent.id);
    const value = { streamId: stream.id, contentType: "text/plain", value: "from the old one" };
    expect(await agent.refused("publishOutput", value)).toMatchObject({
      code: "UNAUTHENTICATED",
      details: { reason: "replaced" },
    });
    expect(await say(next, stream.id, "second")).toMatchObject({
      sequence: 2,
      producerType: "agent",
      producerId: agent.id,
    });
    await next.call("retire", {});
    expect(await next.refused("publishOutput", value)).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("keep their grant on the list while they are off the list themselves, and it can be taken back", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    await scope.call("removeAgent", { agentId: agent.id });
    const value = { streamId: stream.id, contentType: "text/plain", value: "x" };
    expect(await agent.refused("publishOutput", value)).toMatchObject({ code: "UNAUTHENTICATED" });
    expect((await scope.call("getOutputStream", { streamId: stream.id })).publisherAgentIds).toEqual([agent.id]);
    const input = { streamId: stream.id, agentId: agent.id };
    // Nobody is given a grant who is not there.
    expect(await scope.refused("addOutputPublisher", input)).toMatchObject({ code: "NOT_FOUND" });
    const back = await scope.agent(agent.id);
    await say(back, stream.id, "with the grant it had");
    await scope.call("removeAgent", { agentId: agent.id });
    expect(await scope.call("removeOutputPublisher", input)).toMatchObject({ publisherAgentIds: [] });
    const later = await scope.agent(agent.id);
    expect(await later.refused("publishOutput", value)).toMatchObject({ status: 403, code: "PERMISSION_DENIED" });
  });

  test("are 128 at most", async () => {
    const { scope, stream } = await makeStream(intercom(), { publisherAgentIds: [] });
    const [first, last, more] = ["first", "last", "more"];
    for (const id of [first, last, more]) await scope.agent(id);
    const scopeNo = rowNo(intercom(), "scopes", scope.id);
    const ids = Array.from({ length: LIMITS.outputPublishers }, (_, n) => `filled-${n}`);
    intercom().sql((database) => {
      const insert = database.prepare(
        `INSERT INTO agents (id, scope_no, execution_no, display_name, capabilities, lifecycle, ready, notices, registered_at, updated_at, last_seen_at)
         SELECT ?, ?, execution_no, 'filled', '[]', 'offline', 0, 0, 0, 0, 0 FROM agents WHERE scope_no = ? AND id = 'first'`,
      );
      for (const id of ids) insert.run(id, scopeNo, scopeNo);
    });
    const wide = await scope.call("createOutputStream", { name: "wide", publisherAgentIds: ids });
    expect(wide.publisherAgentIds).toHaveLength(LIMITS.outputPublishers);
    expect(
      await scope.refused("createOutputStream", { name: "wider", publisherAgentIds: [...ids, first] }),
    ).toMatchObject({
      status: 400,
      message: "publisherAgentIds: expected at most 128 agent ids",
    });
    for (const agentId of ids.slice(1)) await scope.call("addOutputPublisher", { streamId: stream.id, agentId });
    await scope.call("addOutputPublisher", { streamId: stream.id, agentId: last });
    expect(await scope.refused("addOutputPublisher", { streamId: stream.id, agentId: more })).toMatchObject(full);
    // One that is there already is none more.
    await scope.call("addOutputPublisher", { streamId: stream.id, agentId: last });
    await scope.call("removeOutputPublisher", { streamId: stream.id, agentId: last });
    await scope.call("addOutputPublisher", { streamId: stream.id, agentId: more });
  });
});
