import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { issue, makeStream, outputRows, say, sayNumbers } from "../../support/outputs.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { inParallel } from "../../support/waiting.ts";

const intercom = useDaemon();
const conflict = { status: 409, code: "CONFLICT" };

describe("publishing with a key", () => {
  test("twice publishes once and answers the same, also after a restart", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const input = {
      streamId: stream.id,
      contentType: "application/json" as const,
      value: { n: [1, "€"] },
      reference: { uri: "https://example.org/", title: "t" },
    };
    const first = await agent.call("publishOutput", input, { key: "k" });
    const rows = outputRows(intercom());
    intercom().clock.advance(60_000);
    expect(await agent.call("publishOutput", input, { key: "k" })).toEqual(first);
    await intercom().restart();
    expect(await agent.call("publishOutput", input, { key: "k" })).toEqual(first);
    expect(outputRows(intercom())).toEqual(rows);
    expect(await scope.call("latestOutput", { streamId: stream.id })).toEqual(first);
    expect(await say(agent, stream.id, "next")).toMatchObject({ sequence: 2 });
  });

  test("many times at once publishes once", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const answers = await inParallel(Array.from({ length: 20 }), () => say(agent, stream.id, "x", { key: "k" }));
    expect(new Set(answers.map(({ sequence }) => sequence))).toEqual(new Set([1]));
    expect(await scope.call("getOutputStream", { streamId: stream.id })).toMatchObject({ currentSequence: 1 });
  });

  test.each([
    ["another value", { value: "other" }],
    ["another type", { contentType: "application/json" }],
    ["a reference", { reference: { uri: "https://example.org/" } }],
  ])("and then %s is a conflict and publishes nothing", async (_, other) => {
    const { stream, agent } = await makeStream(intercom());
    await say(agent, stream.id, "x", { key: "k" });
    const before = outputRows(intercom());
    const input = { streamId: stream.id, contentType: "text/plain", value: "x", ...other };
    expect(await agent.refused("publishOutput", input, { key: "k" })).toMatchObject(conflict);
    expect(outputRows(intercom())).toEqual(before);
  });

  test("belongs to one publisher: the agent in all its executions, or the credential in all its secrets", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const [one, two] = [await issue(scope, stream.id, "publish"), await issue(scope, stream.id, "publish")];
    const bob = await scope.agent("bob");
    await scope.call("addOutputPublisher", { streamId: stream.id, agentId: bob.id });
    const sequences: number[] = [];
    for (const who of [agent, one, two, bob]) {
      sequences.push((await say(who, stream.id, `from ${who.token}`, { key: "k" })).sequence);
    }
    expect(sequences).toEqual([1, 2, 3, 4]);
    const again = await scope.agent(agent.id);
    expect(await say(again, stream.id, `from ${agent.token}`, { key: "k" })).toMatchObject({ sequence: 1 });
    const { credential } = await scope.call("rotateOutputPrincipal", { principalId: one.id });
    const value = { streamId: stream.id, contentType: "text/plain" as const, value: `from ${one.token}` };
    const repeated = await intercom().call("publishOutput", value, { token: credential, key: "k" });
    expect(repeated).toMatchObject({ sequence: 2, producerId: one.id });
    // The old secret is no longer good, not even for what it did itself.
    expect(await one.refused("publishOutput", value, { key: "k" })).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("on another stream is another call", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const other = await scope.call("createOutputStream", { name: "other", publisherAgentIds: [agent.id] });
    await say(agent, stream.id, "x", { key: "k" });
    const input = { streamId: other.id, contentType: "text/plain", value: "x" };
    expect(await agent.refused("publishOutput", input, { key: "k" })).toMatchObject(conflict);
  });

  test("after a refusal is a first call", async () => {
    const { scope, stream, agent } = await makeStream(intercom(), { publisherAgentIds: [] });
    const input = { streamId: stream.id, contentType: "text/plain", value: "x" };
    expect(await agent.refused("publishOutput", input, { key: "k" })).toMatchObject({ code: "PERMISSION_DENIED" });
    await scope.call("addOutputPublisher", { streamId: stream.id, agentId: agent.id });
    expect(await say(agent, stream.id, "x", { key: "k" })).toMatchObject({ sequence: 1 });
  });

  test("answers the same when the value itself is gone, without having kept it", async () => {
    const { stream, agent } = await makeStream(intercom(), { retentionLimit: 1 });
    const first = await say(agent, stream.id, "short-lived content", { key: "k" });
    await sayNumbers(agent, stream.id, 2, 3);
    expect(await say(agent, stream.id, "short-lived content", { key: "k" })).toEqual(first);
    const everything = intercom().sql((database) => {
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
      return tables.map((table) => JSON.stringify(database.prepare(`SELECT * FROM "${table}"`).all())).join();
    });
    expect(everything).not.toContain("short-lived content");
  });

  test("of large values needs no room for them", async () => {
    const { scope, stream, agent } = await makeStream(intercom(), { retentionLimit: 1 });
    const value = "a".repeat(LIMITS.outputTextBytes);
    for (let n = 0; n < 10; n += 1) await say(agent, stream.id, value, { key: `k-${n}` });
    const kept = intercom().sql((database) =>
      database
        .prepare("SELECT SUM(length(result)) FROM idempotency i JOIN scopes s ON s.no = i.scope_no WHERE s.id = ?")
        .pluck()
        .get(scope.id),
    );
    expect(kept).toBeLessThan(10_000);
  });
});

describe("opening a stream with a key", () => {
  test("twice opens one, also after a restart; with other content it is a conflict", async () => {
    const { scope, agent } = await makeStream(intercom());
    const input = { name: "keyed", retentionLimit: 5, publisherAgentIds: [agent.id] };
    const first = await scope.call("createOutputStream", input, { key: "k" });
    expect(await scope.call("createOutputStream", input, { key: "k" })).toEqual(first);
    await intercom().restart();
    expect(await scope.viaAdmin.call("createOutputStream", input, { key: "k" })).toEqual(first);
    expect(await scope.refused("createOutputStream", { ...input, retentionLimit: 6 }, { key: "k" })).toMatchObject(
      conflict,
    );
    // Without the key the name is taken.
    expect(await scope.refused("createOutputStream", input)).toMatchObject(conflict);
    expect(await scope.call("listOutputStreams", {})).toHaveLength(2);
  });

  test("is no other scope's business", async () => {
    const [one, two] = [await intercom().scope(), await intercom().scope()];
    const first = await one.call("createOutputStream", { name: "n" }, { key: "k" });
    const second = await two.call("createOutputStream", { name: "n" }, { key: "k" });
    expect(second.id).not.toBe(first.id);
  });
});

test("a key never brings a credential back", async () => {
  const { scope, stream } = await makeStream(intercom());
  const input = { streamId: stream.id, label: "l", permissions: ["read" as const] };
  const first = await scope.call("createOutputPrincipal", input, { key: "k" });
  const second = await scope.call("createOutputPrincipal", input, { key: "k" });
  expect(second.principal.id).not.toBe(first.principal.id);
  expect(second.credential).not.toBe(first.credential);
});
