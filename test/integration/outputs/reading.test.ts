import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { issue, makeStream, say, sayNumbers } from "../../support/outputs.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { inParallel } from "../../support/waiting.ts";

const intercom = useDaemon();

const sequences = (history: { readonly values: readonly { readonly sequence: number }[] }) =>
  history.values.map(({ sequence }) => sequence);

test("sequences count from 1 without gaps, whoever publishes, and however many at once", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const holder = await issue(scope, stream.id, "publish");
  const streamId = stream.id;
  const published = await inParallel(
    Array.from({ length: 100 }, (_, n) => n),
    (n) => say(n % 2 === 0 ? agent : holder, streamId, String(n)),
  );
  const all = Array.from({ length: 100 }, (_, n) => n + 1);
  expect(published.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual(all);
  const history = await scope.call("listOutputValues", { streamId, limit: 100 });
  expect(sequences(history)).toEqual(all);
  const texts = new Map(published.map(({ sequence, value }) => [sequence, value]));
  for (const { sequence, value } of history.values) expect(value).toBe(texts.get(sequence));
});

test("what is refused takes no sequence", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  await say(agent, stream.id, "one");
  await agent.refused("publishOutput", { streamId: stream.id, contentType: "text/plain", value: 1 });
  await (await scope.agent("other")).refused("publishOutput", {
    streamId: stream.id,
    contentType: "text/plain",
    value: "x",
  });
  expect(await say(agent, stream.id, "two")).toMatchObject({ sequence: 2 });
});

describe("pages", () => {
  test("are 50 values by default and with 0, and 100 at most", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    await sayNumbers(agent, stream.id, 1, 102);
    const list = (input: object) => scope.call("listOutputValues", { streamId: stream.id, ...input });
    for (const input of [{}, { limit: 0 }, { after: 0 }]) {
      const history = await list(input);
      expect(history).toMatchObject({ streamId: stream.id, nextSequence: 50, currentSequence: 102, minimumCursor: 0 });
      expect(history).toMatchObject({ resyncRequired: false });
      expect(history.values).toHaveLength(50);
    }
    expect((await list({ limit: LIMITS.outputPage })).values).toHaveLength(100);
    expect(await scope.refused("listOutputValues", { streamId: stream.id, limit: 101 })).toMatchObject({ status: 400 });
  });

  test("follow each other to the end, where the cursor stays", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    await sayNumbers(agent, stream.id, 1, 7);
    const seen: number[] = [];
    let after = 0;
    for (let round = 0; round < 4; round += 1) {
      const history = await scope.call("listOutputValues", { streamId: stream.id, after, limit: 3 });
      seen.push(...sequences(history));
      after = history.nextSequence;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(after).toBe(7);
  });

  test("of large values are shorter, and leave nothing out", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const value = "a".repeat(LIMITS.outputJsonBytes - 2);
    for (let n = 0; n < 30; n += 1) {
      await agent.call("publishOutput", { streamId: stream.id, contentType: "application/json", value });
    }
    const seen: number[] = [];
    let after = 0;
    while (after < 30) {
      const history = await scope.call("listOutputValues", { streamId: stream.id, after, limit: 100 });
      expect(history.values.length).toBeGreaterThan(0);
      expect(JSON.stringify(history).length).toBeLessThan(5 * 1024 * 1024);
      seen.push(...sequences(history));
      after = history.nextSequence;
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
  });
});

describe("retention", () => {
  test("keeps the newest values, and tells whoever is behind", async () => {
    const { scope, stream, agent } = await makeStream(intercom(), { retentionLimit: 2 });
    const reader = await issue(scope, stream.id, "read");
    for (const text of ["queued", "building", "ready"]) await say(agent, stream.id, text);
    const list = (after: number) => reader.call("listOutputValues", { streamId: stream.id, after, limit: 10 });
    expect(await reader.call("latestOutput", { streamId: stream.id })).toMatchObject({ sequence: 3, value: "ready" });
    expect(await list(1)).toMatchObject({
      values: [
        { sequence: 2, value: "building" },
        { sequence: 3, value: "ready" },
      ],
      nextSequence: 3,
      currentSequence: 3,
      minimumCursor: 1,
      resyncRequired: false,
    });
    expect(await list(0)).toEqual({
      streamId: stream.id,
      values: [],
      nextSequence: 3,
      currentSequence: 3,
      minimumCursor: 1,
      resyncRequired: true,
    });
    expect(await list(3)).toMatchObject({ values: [], nextSequence: 3, resyncRequired: false });
    expect(await scope.call("getOutputStream", { streamId: stream.id })).toMatchObject({ minimumCursor: 1 });
  });

  test("of one value keeps the newest", async () => {
    const { scope, stream, agent } = await makeStream(intercom(), { retentionLimit: 1 });
    await sayNumbers(agent, stream.id, 1, 5);
    expect(await scope.call("listOutputValues", { streamId: stream.id, after: 4 })).toMatchObject({
      values: [{ sequence: 5, value: "5" }],
      minimumCursor: 4,
    });
    const rows = intercom().sql((database) =>
      database
        .prepare("SELECT v.sequence FROM output_values v JOIN output_streams s ON s.no = v.stream_no WHERE s.id = ?")
        .pluck()
        .all(stream.id),
    );
    expect(rows).toEqual([5]);
  });

  test("is 1 to 10,000 values", async () => {
    const scope = await intercom().scope();
    await scope.call("createOutputStream", { name: "wide", retentionLimit: LIMITS.outputRetentionMax });
    for (const retentionLimit of [0, -1, 1.5, LIMITS.outputRetentionMax + 1, "5"]) {
      expect(await scope.refused("createOutputStream", { name: "n", retentionLimit })).toMatchObject({ status: 400 });
    }
  });

  test("loses exactly one value for each that is published beyond it", async () => {
    const { scope, stream, agent } = await makeStream(intercom(), { retentionLimit: 3 });
    for (let n = 1; n <= 6; n += 1) {
      await say(agent, stream.id, String(n));
      const floor = Math.max(0, n - 3);
      const kept = await scope.call("listOutputValues", { streamId: stream.id, after: floor });
      expect(kept).toMatchObject({ minimumCursor: floor, currentSequence: n, resyncRequired: false });
      expect(sequences(kept)).toEqual([n - 2, n - 1, n].filter((sequence) => sequence > 0));
    }
  });
});

describe("a cursor", () => {
  test("beyond the newest value is refused, the newest itself is the end", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    await sayNumbers(agent, stream.id, 1, 2);
    const streamId = stream.id;
    expect(await scope.call("listOutputValues", { streamId, after: 2 })).toMatchObject({ values: [], nextSequence: 2 });
    for (const after of [3, Number.MAX_SAFE_INTEGER]) {
      expect(await scope.refused("listOutputValues", { streamId, after })).toMatchObject({
        status: 400,
        code: "INVALID_ARGUMENT",
        message: "after: expected at most the current sequence 2",
      });
      // Also when it could wait for them.
      expect(await scope.refused("listOutputValues", { streamId, after, waitMs: 25_000 })).toMatchObject({
        status: 400,
      });
    }
    for (const after of [-1, 1.5, "x", "9007199254740992"]) {
      expect(await scope.refused("listOutputValues", { streamId, after })).toMatchObject({ status: 400 });
    }
  });
});

test("the newest value of an empty stream is null", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const reader = await issue(scope, stream.id, "read");
  for (const who of [scope, scope.viaAdmin, reader]) {
    expect(await who.call("latestOutput", { streamId: stream.id })).toBeNull();
    expect(await who.call("listOutputValues", { streamId: stream.id })).toMatchObject({
      values: [],
      currentSequence: 0,
    });
  }
  const value = await say(agent, stream.id, "");
  for (const who of [scope, scope.viaAdmin, reader]) {
    expect(await who.call("latestOutput", { streamId: stream.id })).toEqual(value);
  }
});

test("everything is there after a restart", async () => {
  const { scope, stream, agent } = await makeStream(intercom(), { retentionLimit: 2 });
  const reader = await issue(scope, stream.id, "read");
  await sayNumbers(agent, stream.id, 1, 3);
  const streamId = stream.id;
  const before = await reader.call("listOutputValues", { streamId, after: 1 });
  const shown = await scope.call("getOutputStream", { streamId });
  await intercom().restart();
  expect(await reader.call("listOutputValues", { streamId, after: 1 })).toEqual(before);
  expect(await scope.call("getOutputStream", { streamId })).toEqual(shown);
  expect(await say(agent, streamId, "4")).toMatchObject({ sequence: 4 });
});
