import { afterEach, describe, expect, test } from "vitest";
import { EventStream } from "../../support/sse.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const intercom = useDaemon();
const open: EventStream[] = [];

afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function follow(query = "", headers: Record<string, string> = {}): Promise<EventStream> {
  const url = `${intercom().address}/v1/admin/events${query}`;
  const stream = await EventStream.open(url, { Authorization: `Bearer ${intercom().adminToken}`, ...headers });
  open.push(stream);
  return stream;
}

const sequence = async () => (await intercom().admin.call("overview", {})).eventSequence;

describe("the stream of all events", () => {
  test("is not cached and begins with what happens next", async () => {
    const earlier = await intercom().scope();
    const stream = await follow();
    expect(stream.status).toBe(200);
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.headers.get("cache-control")).toBe("no-store");
    const [one, two] = [await intercom().scope(), await intercom().scope({ linkPolicy: "open" })];
    await earlier.agent("a");
    await stream.take(3);
    expect(stream.events.map(({ scopeId, type, subjectId }) => [scopeId, type, subjectId])).toEqual([
      [one.id, "scope.created", one.id],
      [two.id, "scope.created", two.id],
      [earlier.id, "agent.registered", "a"],
    ]);
    // The same events the owner of the scope reads.
    expect(stream.events[1]).toEqual((await two.events())[0]);
  });

  test("numbers its events for the whole daemon, and goes on after a number", async () => {
    const scope = await intercom().scope();
    const start = await sequence();
    for (const id of ["a", "b", "c"]) await scope.agent(id);
    const all = await follow(`?after=${start}`);
    const items = await all.take(3);
    expect(items.map(({ id }) => Number(id))).toEqual([start + 1, start + 2, start + 3]);
    expect(await sequence()).toBe(start + 3);
    const rest = await follow(`?after=${start + 1}`);
    await rest.take(2);
    expect(rest.events.map(({ subjectId }) => subjectId)).toEqual(["b", "c"]);
  });

  test("goes on after Last-Event-ID, which is newer than the query", async () => {
    const scope = await intercom().scope();
    const start = await sequence();
    for (const id of ["a", "b"]) await scope.agent(id);
    const stream = await follow("?after=0", { "Last-Event-ID": String(start + 1) });
    await stream.take(1);
    expect(stream.events.map(({ subjectId }) => subjectId)).toEqual(["b"]);
  });

  test("is complete beyond one batch", async () => {
    const scope = await intercom().scope();
    const start = await sequence();
    for (let n = 0; n < 250; n += 1) await scope.agent("a");
    const stream = await follow(`?after=${start}`);
    const ids = (await stream.take(250)).map(({ id }) => Number(id));
    expect(ids).toEqual(Array.from({ length: 250 }, (_, n) => start + 1 + n));
  });

  test("loses and repeats nothing over a break", async () => {
    const scope = await intercom().scope();
    const first = await follow();
    await scope.agent("a");
    const [item] = await first.take(1);
    first.close();
    await scope.agent("b");
    await intercom().restart();
    await scope.agent("c");
    const second = await follow("", { "Last-Event-ID": item?.id ?? "" });
    await second.take(2);
    expect(second.events.map(({ subjectId }) => subjectId)).toEqual(["b", "c"]);
  });

  test("tells of a scope that is deleted, and of nothing else in it", async () => {
    const scope = await intercom().scope();
    await scope.agent("a");
    const start = await sequence();
    const live = await follow();
    await intercom().admin.call("deleteScope", { scopeId: scope.id, confirmScopeId: scope.id });
    await live.take(1);
    expect(live.events).toMatchObject([
      { type: "scope.deleted", subjectId: scope.id, scopeId: scope.id, attributes: {} },
    ]);
    const later = await follow(`?after=${start}`);
    await later.take(1);
    expect(later.events).toEqual(live.events);
    expect(Number(live.items[0]?.id)).toBe(start + 1);
  });

  test("asks to begin anew when the position is not among what there is", async () => {
    const scope = await intercom().scope();
    for (let n = 0; n < 3; n += 1) await scope.agent("a");
    const newest = await sequence();
    const beyond = await follow(`?after=${newest + 1000}`);
    expect(await beyond.take(1)).toEqual([{ id: String(newest), event: "resync", data: {} }]);
    intercom().sql((db) => db.prepare("DELETE FROM events WHERE seq <= ?").run(newest - 1));
    const before = await follow("?after=1");
    expect(await before.take(1)).toEqual([{ id: String(newest), event: "resync", data: {} }]);
    // And from there it goes on.
    await (await intercom().scope()).agent("b");
    await before.take(3);
    expect(before.events.map(({ type }) => type)).toEqual(["scope.created", "agent.registered"]);
  });

  test("refuses a position that is none, before the stream begins", async () => {
    for (const [query, headers, field] of [
      ["?after=x", {}, "after"],
      ["", { "Last-Event-ID": "x" }, "Last-Event-ID"],
      ["?before=1", {}, "before"],
    ] as const) {
      const response = await fetch(`${intercom().address}/v1/admin/events${query}`, {
        headers: { Authorization: `Bearer ${intercom().adminToken}`, ...headers },
      });
      expect(response.status).toBe(400);
      const body = (await response.json()) as { error: { message: string } };
      expect(body.error.message).toMatch(new RegExp(`^${field}: `));
    }
  });

  test("serves several readers at their own pace", async () => {
    const streams = [await follow(), await follow(), await follow()];
    const scope = await intercom().scope();
    await scope.agent("a");
    for (const stream of streams) {
      await stream.take(2);
      expect(stream.events.map(({ type }) => type)).toEqual(["scope.created", "agent.registered"]);
    }
  });

  test("ends when the daemon stops", async () => {
    const stream = await follow();
    await intercom().restart();
    await until("the stream ends", () => stream.ended);
  });
});
