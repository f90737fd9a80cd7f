import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Event, IntercomError } from "../protocol/index.ts";
import { type ScriptedCall, scriptedFetch } from "../test/fixtures/scripted-fetch.ts";
import { AdminClient, ScopeClient } from "./clients.ts";
import type { FollowedEvent } from "./event-stream.ts";

const address = "http://127.0.0.1:4766";

function event(revision: number): Event {
  return {
    id: `evt_${revision}`,
    scopeId: "s",
    type: "task.created",
    subjectId: "task_1",
    revision,
    attributes: {},
    createdAt: "2026-01-01T00:00:00.000Z",
  };
}

const frame = (sequence: number) =>
  `id: ${sequence}\nevent: task.created\ndata: ${JSON.stringify(event(sequence))}\n\n`;

/** A stream the test writes to; it breaks when the request is aborted, as fetch bodies do. */
function connection(call: ScriptedCall) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(created) {
      controller = created;
    },
  });
  call.signal.addEventListener("abort", () => {
    try {
      controller.error(new DOMException("aborted", "AbortError"));
    } catch {}
  });
  return {
    lastEventId: call.headers["Last-Event-ID"],
    write: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => controller.close(),
    fail: () => controller.error(new TypeError("terminated")),
    response: new Response(body, { headers: { "Content-Type": "text/event-stream; charset=utf-8" } }),
  };
}

function admin() {
  const connections: ReturnType<typeof connection>[] = [];
  const refusals: IntercomError[] = [];
  const state = { newest: 40 };
  const { fetch, calls } = scriptedFetch({
    overview: () => ({ eventSequence: state.newest }) as never,
    watchAllEvents: (call) => {
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      const opened = connection(call);
      connections.push(opened);
      return opened.response;
    },
  });
  const client = new AdminClient({ address, adminToken: "a", fetch, random: () => 0 });
  const latest = () => connections.at(-1) as ReturnType<typeof connection>;
  return { client, connections, latest, refusals, calls, state };
}

/** Collects in the background. */
function collect(stream: AsyncGenerator<FollowedEvent, void, undefined>) {
  const seen: FollowedEvent[] = [];
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

describe("AdminClient.followEvents", () => {
  it("begins with what happens next and yields events with their sequence", async () => {
    const { client, latest } = admin();
    const controller = new AbortController();
    const { seen, finished } = collect(client.followEvents({ signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(0);
    expect(latest().lastEventId).toBe("40");
    latest().write(`: hello\n\n${frame(41)}${frame(42).slice(0, 10)}`);
    latest().write(frame(42).slice(10));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([
      { sequence: 41, event: event(41) },
      { sequence: 42, event: event(42) },
    ]);
    controller.abort();
    await finished;
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["end", "fail"] as const)("reconnects after the last event when the stream %ss", async (how) => {
    const { client, latest, connections } = admin();
    const { seen } = collect(client.followEvents({ after: 7 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(latest().lastEventId).toBe("7");
    latest().write(frame(8));
    await vi.advanceTimersByTimeAsync(0);
    latest()[how]();
    await vi.advanceTimersByTimeAsync(500);
    expect(connections).toHaveLength(2);
    expect(latest().lastEventId).toBe("8");
    latest().write(frame(9));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.map((item) => item.sequence)).toEqual([8, 9]);
  });

  it("takes silence for a dead connection, and a comment for a sign of life", async () => {
    const { client, latest, connections } = admin();
    collect(client.followEvents({ after: 1 }));
    await vi.advanceTimersByTimeAsync(30_000);
    latest().write(": ping\n\n");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(connections).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(15_600);
    expect(connections).toHaveLength(2);
  });

  it("waits longer and longer while the daemon is away", async () => {
    const { client, refusals, calls, connections } = admin();
    for (let at = 0; at < 3; at += 1) refusals.push(new IntercomError("INTERNAL", "starting"));
    collect(client.followEvents({ after: 1 }));
    await vi.advanceTimersByTimeAsync(249);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(500 + 1000);
    expect(connections).toHaveLength(1);
  });

  it("passes on that events were pruned", async () => {
    const { client, latest } = admin();
    const { seen } = collect(client.followEvents({ after: 1 }));
    await vi.advanceTimersByTimeAsync(0);
    latest().write("id: 30\nevent: resync\ndata: {}\n\n");
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([{ resync: true, sequence: 30 }]);
  });

  it("throws what no repetition cures, also a position that never was", async () => {
    for (const code of ["UNAUTHENTICATED", "INVALID_ARGUMENT"] as const) {
      const { client, refusals } = admin();
      refusals.push(new IntercomError(code, "no"));
      const { failed } = collect(client.followEvents({ after: 1 }));
      await vi.advanceTimersByTimeAsync(0);
      expect(await failed).toMatchObject({ code });
    }
  });

  it("closes the connection when the loop is left", async () => {
    const { client, latest, calls } = admin();
    const first = (async () => {
      for await (const item of client.followEvents({ after: 1 })) return item.sequence;
      return undefined;
    })();
    await vi.advanceTimersByTimeAsync(0);
    latest().write(frame(2));
    expect(await first).toBe(2);
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("ScopeClient.followEvents", () => {
  function page(revisions: number[], nextRevision: number, resyncRequired = false) {
    const events = revisions.map(event);
    return { scopeId: "s", events, nextRevision, currentRevision: 9, minimumCursor: 0, resyncRequired };
  }

  function scope(...answers: (ReturnType<typeof page> | Error)[]) {
    const scripted = scriptedFetch({
      listEvents: () => {
        const answer = answers.shift();
        if (answer === undefined) return new Promise<never>(() => {});
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    const client = new ScopeClient({ address, scopeToken: "s", fetch: scripted.fetch, random: () => 0, retries: 0 });
    return { ...scripted, client };
  }

  it("reads page after page, through failures", async () => {
    const { client, calls } = scope(page([1, 2], 2), new TypeError("x"), page([3], 3));
    const controller = new AbortController();
    const { seen, finished } = collect(client.followEvents({ after: 0, signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.map((item) => item.sequence)).toEqual([1, 2, 3]);
    expect(calls.map((call) => call.input.after)).toEqual(["0", "2", "2", "3"]);
    controller.abort();
    await finished;
  });

  it("begins with what happens next", async () => {
    const { client, calls } = scope(page([1], 1));
    collect(client.followEvents());
    await vi.advanceTimersByTimeAsync(0);
    expect(calls[1]?.input).toMatchObject({ after: "9" });
  });

  it("passes on that events were pruned, and does not spin on empty answers", async () => {
    const { client, calls } = scope(page([], 9, true), page([], 9));
    const { seen } = collect(client.followEvents({ after: 1 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual([{ resync: true, sequence: 9 }]);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(calls).toHaveLength(3);
  });

  it("calls it a resync when the daemon came back with an older history", async () => {
    const beyond = new IntercomError("INVALID_ARGUMENT", "after: beyond the newest event");
    const { client, calls } = scope(page([20], 20), beyond, page([], 0), page([10], 10));
    const { seen } = collect(client.followEvents({ after: 19 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toEqual([
      { sequence: 20, event: event(20) },
      { resync: true, sequence: 9 },
      { sequence: 10, event: event(10) },
    ]);
    expect(calls[3]?.input.after).toBe("9");
  });

  it("throws what no repetition cures", async () => {
    const { client } = scope(new IntercomError("PERMISSION_DENIED", "no"));
    const { failed } = collect(client.followEvents({ after: 1 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(await failed).toMatchObject({ code: "PERMISSION_DENIED" });
  });
});
