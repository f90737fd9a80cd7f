import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../test/fixtures/temporary-directory.ts";
import { TestClock } from "../../test/support/clock.ts";
import type { CoreOperation } from "../core/index.ts";
import { credentialReader } from "../http/credentials.ts";
import { silentLogger } from "../runtime/index.ts";
import { SqliteStore } from "../store/index.ts";
import { Engine } from "./engine.ts";
import { TimeOrderedIds } from "./ids.ts";

const ADMIN = "A".repeat(43);
const readCredentials = credentialReader(ADMIN);
const path = useTemporaryDirectory();
let store: SqliteStore;
let clock: TestClock;
let engine: Engine;
let owner: string;
let ada: string;
let bob: string;

interface Extra {
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

async function call<Result>(name: CoreOperation, token: string, input: object, extra: Extra = {}): Promise<Result> {
  const credentials = readCredentials({ headers: { authorization: `Bearer ${token}` } } as IncomingMessage);
  return (await engine.call(name, { credentials, input, ...extra })) as Result;
}

async function register(id: string): Promise<string> {
  return (await call<{ agentToken: string }>("registerAgent", owner, { id, displayName: id })).agentToken;
}

const outside = { version: "0.0.0", publicUrl: "http://127.0.0.1", a2aMessageLimit: 1, a2aByteLimit: 1 };

beforeEach(async () => {
  store = SqliteStore.open(path("intercom.db"));
  clock = new TestClock();
  engine = new Engine({ store, clock, ids: new TimeOrderedIds(() => clock.now()), logger: silentLogger, outside });
  owner = (await call<{ scopeToken: string }>("createScope", ADMIN, { id: "s", linkPolicy: "open" })).scopeToken;
  ada = await register("ada");
  bob = await register("bob");
});
afterEach(async () => {
  engine.stop();
  await store.close();
});

type Reservation = { id: string; messages: { id: string }[] } | null;
type Task = { id: string; claimedBy?: string } | null;

const send = () => call<{ messageId: string }>("sendMessage", ada, { to: "bob", body: "hello" });
const reserve = (waitMs: number, extra?: Extra) => call<Reservation>("reserveInbox", bob, { waitMs }, extra);
const idsOf = (reservation: Reservation) => reservation?.messages.map(({ id }) => id);

/** Waits until `count` calls are listening. */
const listening = (count: number) => expect.poll(() => engine.hub.listening, { interval: 1 }).toBe(count);

describe("a call that waits", () => {
  it("answers as soon as there is something, and leaves no listener", async () => {
    const waiting = reserve(25_000);
    await listening(1);
    const { messageId } = await send();
    expect(idsOf(await waiting)).toEqual([messageId]);
    expect(engine.hub.listening).toBe(0);
  });

  it("answers with nothing when its time is over", async () => {
    expect(await reserve(20)).toBeNull();
    expect(engine.hub.listening).toBe(0);
  });

  it("shares what comes with others who wait, each message once", async () => {
    const waits = Array.from({ length: 5 }, () => call<Reservation>("reserveInbox", bob, { waitMs: 300, limit: 1 }));
    await listening(5);
    const sent = await Promise.all([send(), send(), send()]);
    const got = (await Promise.all(waits)).flatMap((reservation) => idsOf(reservation) ?? []);
    expect(got.toSorted()).toEqual(sent.map(({ messageId }) => messageId).toSorted());
  });

  it("learns that its execution is over", async () => {
    const waiting = reserve(25_000);
    waiting.catch(() => {});
    await listening(1);
    await register("bob");
    await expect(waiting).rejects.toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "replaced" } });
  });

  it("learns that the lease has run out, when time decides so", async () => {
    engine.start();
    const waiting = reserve(25_000);
    waiting.catch(() => {});
    await listening(1);
    clock.advance(300_000);
    await expect(waiting).rejects.toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "expired" } });
  });

  it("gets what was put off, when it is due", async () => {
    const { messageId } = await send();
    const first = await reserve(0);
    await call("commitInbox", bob, { reservationId: first?.id });
    await call("deferMessages", bob, { messageIds: [messageId], delayMs: 60_000 });
    const waiting = reserve(25_000);
    await listening(1);
    clock.advance(60_000);
    await engine.settleDue();
    expect(idsOf(await waiting)).toEqual([messageId]);
  });
});

describe("a call whose caller hangs up just as the answer is there", () => {
  /** Starts a wait and hangs up after the wake, while the call is looking. */
  async function hangUp(start: (signal: AbortSignal) => Promise<unknown>, arrive: () => Promise<unknown>) {
    const gone = new AbortController();
    const waiting = start(gone.signal);
    await listening(1);
    await arrive();
    gone.abort();
    return waiting;
  }

  it("gives back what it had reserved", async () => {
    const abandoned = (await hangUp((signal) => reserve(25_000, { signal }), send)) as Reservation;
    expect(abandoned?.messages).toHaveLength(1);
    expect(idsOf(await reserve(0))).toEqual(idsOf(abandoned));
  });

  it("gives it back too when it carried a key, which means nothing there", async () => {
    const start = (signal: AbortSignal) => reserve(25_000, { signal, idempotencyKey: "k" });
    const abandoned = (await hangUp(start, send)) as Reservation;
    expect(idsOf(await reserve(0))).toEqual(idsOf(abandoned));
  });

  it("gives back the task it had claimed, unless a key lets it ask again", async () => {
    const addTask = () => call("addTask", owner, { title: "t" });
    const claim = (extra: Extra) => call<Task>("claimNextTask", bob, { waitMs: 25_000 }, extra);
    const abandoned = (await hangUp((signal) => claim({ signal }), addTask)) as Task;
    expect(await call<Task>("claimNextTask", ada, {})).toMatchObject({ id: abandoned?.id, claimedBy: "ada" });

    const kept = (await hangUp((signal) => claim({ signal, idempotencyKey: "k" }), addTask)) as Task;
    expect(await call("claimNextTask", ada, {})).toBeNull();
    expect(await claim({ idempotencyKey: "k" })).toMatchObject({ id: kept?.id, claimedBy: "bob" });
  });
});

describe("stopping", () => {
  it("ends every wait with what there is, which is nothing", async () => {
    const waits = Array.from({ length: 20 }, () => reserve(25_000));
    await listening(20);
    engine.stop();
    expect(new Set(await Promise.all(waits))).toEqual(new Set([null]));
    expect(await reserve(25_000)).toBeNull();
  });
});
