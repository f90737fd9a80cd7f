import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IntercomError, LIMITS, type OutputHistory, type OutputValue } from "../protocol/index.ts";
import { type Script, scriptedFetch } from "../test/fixtures/scripted-fetch.ts";
import { OutputClient, ScopeClient } from "./index.ts";
import type { FollowedOutput } from "./output-stream.ts";

const address = "http://127.0.0.1:4766";
const streamId = "out_1";

function value(sequence: number): OutputValue {
  return {
    streamId,
    sequence,
    producerType: "agent",
    producerId: "ada",
    contentType: "text/plain",
    value: `v${sequence}`,
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

function page(sequences: number[], more: Partial<OutputHistory> = {}): OutputHistory {
  return {
    streamId,
    values: sequences.map(value),
    nextSequence: sequences.at(-1) ?? 9,
    currentSequence: 9,
    minimumCursor: 0,
    resyncRequired: false,
    ...more,
  };
}

function client(script: Script, options: { retries?: number } = {}) {
  const scripted = scriptedFetch(script);
  const credential = "cred_1.secret";
  return {
    ...scripted,
    client: new OutputClient({ address, credential, fetch: scripted.fetch, random: () => 0, ...options }),
  };
}

/** A client that gets these answers in turn, then none. */
function following(...answers: (OutputHistory | Error | Response)[]) {
  const listOutputValues = () => {
    const answer = answers.shift();
    if (answer === undefined) return new Promise<never>(() => {});
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return client({ listOutputValues }, { retries: 0 });
}

/** Collects in the background. */
function collect(stream: AsyncGenerator<FollowedOutput, void, undefined>) {
  const seen: FollowedOutput[] = [];
  const finished = (async () => {
    for await (const item of stream) seen.push(item);
  })();
  const failed = finished.then(
    () => undefined,
    (error: unknown) => error,
  );
  return { seen, finished, failed };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("OutputClient", () => {
  it("publishes with a key of its own, which stays the same when the answer is lost", async () => {
    let lost = 2;
    const { client: output, calls } = client({
      publishOutput: () => {
        if (lost-- > 0) throw new TypeError("lost");
        return value(1);
      },
    });
    const published = output.publish({ streamId, contentType: "text/plain", value: "v1" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await published).toEqual(value(1));
    expect(calls).toHaveLength(3);
    const keys = new Set(calls.map(({ headers }) => headers["Idempotency-Key"]));
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^\w{9}-[0-9a-f-]{36}$/);
    expect(calls[0]).toMatchObject({
      token: "cred_1.secret",
      input: { streamId, contentType: "text/plain", value: "v1" },
    });
    await output.publish({ streamId, contentType: "text/plain", value: "v1" });
    expect(keys).not.toContain(calls[3]?.headers["Idempotency-Key"]);
    await output.publish({ streamId, contentType: "text/plain", value: "v1" }, { idempotencyKey: "mine" });
    expect(calls[4]?.headers["Idempotency-Key"]).toBe("mine");
  });

  it("reads the newest value and the history", async () => {
    const { client: output, calls } = client({ latestOutput: () => null, listOutputValues: () => page([3, 4]) });
    expect(await output.latest({ streamId })).toBeNull();
    const { history } = output;
    expect((await history({ streamId, after: 2, limit: 2 })).values).toEqual([value(3), value(4)]);
    expect(calls[1]?.input).toEqual({ streamId, after: "2", limit: "2" });
  });

  it("asks for the credential at each call", async () => {
    const { fetch, calls } = scriptedFetch({ latestOutput: () => null });
    let credential = "one";
    const output = new OutputClient({ address, credential: () => credential, fetch });
    await output.latest({ streamId });
    credential = "two";
    await output.latest({ streamId });
    expect(calls.map(({ token }) => token)).toEqual(["one", "two"]);
  });
});

describe("OutputClient.follow", () => {
  it("reads page after page, through failures", async () => {
    const { client: output, calls } = following(page([1, 2]), new TypeError("gone"), page([3]));
    const controller = new AbortController();
    const { seen, finished } = collect(output.follow({ streamId, after: 0, signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual([1, 2, 3].map((sequence) => ({ sequence, output: value(sequence) })));
    expect(calls.map(({ input }) => input.after)).toEqual(["0", "2", "2", "3"]);
    expect(calls[0]?.input).toMatchObject({ limit: String(LIMITS.outputPage), waitMs: String(LIMITS.waitMaxMs) });
    controller.abort();
    await finished;
    expect(vi.getTimerCount()).toBe(0);
  });

  it("begins with what is published next", async () => {
    const { client: output, calls } = following(page([1], { currentSequence: 41 }), page([42]));
    const { seen } = collect(output.follow({ streamId }));
    await vi.advanceTimersByTimeAsync(0);
    expect(calls[1]?.input).toMatchObject({ after: "41" });
    expect(seen).toEqual([{ sequence: 42, output: value(42) }]);
  });

  it("tells that values are gone, and goes on with those that are left", async () => {
    const gone = page([], { resyncRequired: true, minimumCursor: 5, nextSequence: 9 });
    const { client: output, calls } = following(gone, page([6, 7, 8, 9]));
    const { seen } = collect(output.follow({ streamId, after: 2 }));
    await vi.advanceTimersByTimeAsync(150);
    expect(seen.map(({ sequence, resync }) => [sequence, resync])).toEqual([
      [5, true],
      [6, undefined],
      [7, undefined],
      [8, undefined],
      [9, undefined],
    ]);
    expect(calls[1]?.input).toMatchObject({ after: "5" });
  });

  it("calls it a resync when the daemon came back with an older history", async () => {
    const beyond = new IntercomError("INVALID_ARGUMENT", "after: beyond the newest value");
    const { client: output, calls } = following(page([20]), beyond, page([], { currentSequence: 9 }), page([10]));
    const { seen } = collect(output.follow({ streamId, after: 19 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toEqual([
      { sequence: 20, output: value(20) },
      { sequence: 9, resync: true },
      { sequence: 10, output: value(10) },
    ]);
    expect(calls[3]?.input).toMatchObject({ after: "9" });
  });

  it("does not spin on empty answers, and stays below what a credential may ask", async () => {
    const empty = following(page([]), page([]), page([]));
    collect(empty.client.follow({ streamId, after: 9 }));
    await vi.advanceTimersByTimeAsync(1_500);
    expect(empty.calls).toHaveLength(2);

    const busy = following(...Array.from({ length: 1000 }, (_, n) => page([n + 1])));
    collect(busy.client.follow({ streamId, after: 0 }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(busy.calls.length).toBeGreaterThan(300);
    expect(busy.calls.length).toBeLessThan(LIMITS.outputReadsPerMinute * 0.75);
  });

  it("does not wait between full pages", async () => {
    const full = (first: number) => page(Array.from({ length: LIMITS.outputPage }, (_, n) => first + n));
    const { client: output, calls } = following(full(1), full(101), page([201]));
    const { seen } = collect(output.follow({ streamId, after: 0 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toHaveLength(201);
    expect(calls).toHaveLength(3);
  });

  it("waits as long as the daemon asks", async () => {
    const refusal = Response.json(
      { ok: false, error: { code: "BACKPRESSURE", message: "slow", details: { reason: "rate" } } },
      { status: 429, headers: { "Retry-After": "42" } },
    );
    const { client: output, calls } = following(refusal, page([1]));
    const { seen } = collect(output.follow({ streamId, after: 0 }));
    await vi.advanceTimersByTimeAsync(41_000);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toHaveLength(1);
  });

  it.each(["UNAUTHENTICATED", "NOT_FOUND", "INVALID_ARGUMENT"] as const)(
    "throws %s, which no repetition cures",
    async (code) => {
      const { client: output, calls } = following(new IntercomError(code, "no"));
      const { failed } = collect(output.follow({ streamId, after: 1 }));
      await vi.advanceTimersByTimeAsync(0);
      expect(await failed).toMatchObject({ code });
      expect(calls).toHaveLength(1);
    },
  );

  it("ends its call when the loop is left or the signal aborts", async () => {
    const { client: output, calls } = following(page([1]));
    const controller = new AbortController();
    const { finished } = collect(output.follow({ streamId, after: 0, signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort();
    await finished;
    expect(calls[1]?.signal.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("ScopeClient.followOutput follows a stream as its owner", async () => {
  const { fetch, calls } = scriptedFetch({ listOutputValues: () => page([1]) });
  const owner = new ScopeClient({ address, scopeToken: "s", fetch });
  for await (const { sequence } of owner.followOutput({ streamId, after: 0 })) {
    expect(sequence).toBe(1);
    break;
  }
  expect(calls[0]?.token).toBe("s");
});
