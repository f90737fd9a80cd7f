import { describe, expect, test } from "vitest";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import { RawSession } from "../../support/mcp-session.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();
const address = () => intercom().address;
const bus = "?tools=bus";

async function pair() {
  const scope = await intercom().scope();
  const [ada, bob] = await scope.agents("ada", "bob");
  return { scope, ada, bob };
}

async function open(token: string): Promise<RawSession> {
  const session = new RawSession(address, token, bus);
  await session.initialize();
  return session;
}

describe("a session", () => {
  test("is given to whoever initializes, with an id of visible characters", async () => {
    const { ada } = await pair();
    const session = new RawSession(address, ada.token, bus);
    const { status, answer, sessionId } = await session.initialize();
    expect(status).toBe(200);
    expect(answer?.result).toMatchObject({
      protocolVersion: "2025-11-25",
      capabilities: { resources: { subscribe: true } },
    });
    expect(sessionId).toMatch(/^[\x21-\x7e]{40,400}$/);
    expect((await session.call("get_node_status")).identity).toMatchObject({ agentId: "ada" });
  });

  test("is another one each time", async () => {
    const { ada } = await pair();
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await open(ada.token)).id));
    expect(new Set(ids).size).toBe(20);
  });

  test("goes on after the daemon was restarted, also for many calls that come at once", async () => {
    const { ada } = await pair();
    const session = await open(ada.token);
    await intercom().restart();
    const answers = await Promise.all(Array.from({ length: 10 }, () => session.call("get_node_status")));
    for (const { identity } of answers) expect(identity).toMatchObject({ agentId: "ada" });
    const listening = await session.listen();
    expect(listening.status).toBe(200);
    listening.close();
  });

  test("is over once its client has ended it, for good", async () => {
    const { ada } = await pair();
    const session = await open(ada.token);
    const listening = await session.listen();
    expect(await session.delete()).toBe(204);
    await until("its stream ends", () => listening.stream.ended);
    for (const restart of [false, true]) {
      if (restart) await intercom().restart();
      const { status, answer } = await session.ask("tools/list");
      expect({ status, answer }).toMatchObject({ status: 404, answer: { error: { code: -32001 } } });
      expect((await session.listen()).status).toBe(404);
      expect(await session.delete()).toBe(404);
    }
  });

  test("belongs to whom it was given: nobody else can use it, listen in or end it", async () => {
    const { ada, bob } = await pair();
    const session = await open(ada.token);
    const thief = new RawSession(address, bob.token, bus);
    thief.id = session.id;
    expect((await thief.ask("tools/list")).status).toBe(404);
    expect((await thief.listen()).status).toBe(404);
    expect(await thief.delete()).toBe(404);
    await intercom().restart();
    expect((await thief.ask("tools/list")).status).toBe(404);
    expect((await session.ask("tools/list")).status).toBe(200);
  });

  test("gives no access: without its credential it is refused before anything else", async () => {
    const { ada } = await pair();
    const session = await open(ada.token);
    const stranger = new RawSession(address, "nobody", bus);
    stranger.id = session.id;
    expect((await stranger.ask("tools/list")).status).toBe(401);
    expect((await stranger.listen()).status).toBe(401);
    expect(await stranger.delete()).toBe(401);
  });

  test("goes on for the next execution of the same agent", async () => {
    const { scope, ada } = await pair();
    const session = await open(ada.token);
    const next = await scope.agent("ada");
    expect((await session.ask("tools/list")).status).toBe(401);
    const heir = new RawSession(address, next.token, bus);
    heir.id = session.id;
    expect((await heir.call("get_node_status")).identity).toMatchObject({ executionId: next.executionId });
  });

  test("with an id that nobody made is none", async () => {
    const { ada } = await pair();
    const real = (await open(ada.token)).id ?? "";
    const [payload = "", mac = ""] = real.split(".");
    const other = Buffer.from(payload, "base64url");
    other[2] = (other[2] ?? 0) ^ 1;
    const made = [
      "nothing",
      ".",
      `${payload}.`,
      `.${mac}`,
      `${payload}.${mac.slice(1)}`,
      `${other.toString("base64url")}.${mac}`,
      `${real}.${mac}`,
      `${real}a`,
      "x".repeat(5000),
      "__proto__",
    ];
    for (const id of made) {
      const session = new RawSession(address, ada.token, bus);
      session.id = id;
      const { status, answer } = await session.ask("tools/list");
      expect({ id, status, answer }).toMatchObject({ id, status: 404, answer: { error: { code: -32001 } } });
    }
  });

  test("is too old after a month", async () => {
    const scope = await intercom().scope();
    const ada = await scope.agent("ada", { leaseMs: 86_400_000 });
    const session = await open(ada.token);
    await intercom().restart();
    const days = 31;
    let { token } = ada;
    for (let day = 0; day < days; day += 1) {
      await intercom().advance(43_200_000);
      await intercom().advance(43_200_000);
      token = (await scope.agent("ada", { leaseMs: 86_400_000 })).token;
    }
    const late = new RawSession(address, token, bus);
    late.id = session.id;
    expect((await late.ask("tools/list")).status).toBe(404);
  });
});

describe("calls in a session", () => {
  test("that a client cancels or hangs up on end, and take nothing with them", async () => {
    const { ada, bob } = await pair();
    const session = await open(bob.token);
    const hangUp = new AbortController();
    const gone = session.ask(
      "tools/call",
      { name: "check_inbox", arguments: { waitMs: 20_000 } },
      undefined,
      hangUp.signal,
    );
    await until("the call waits", () => waitingCalls() === 1);
    hangUp.abort();
    await expect(gone).rejects.toThrow();
    await until("nobody waits", () => waitingCalls() === 0);
    const cancelled = session.post({
      jsonrpc: "2.0",
      id: "wait",
      method: "tools/call",
      params: { name: "check_inbox", arguments: { waitMs: 20_000 } },
    });
    await until("the call waits", () => waitingCalls() === 1);
    await session.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "wait" } });
    await until("nobody waits", () => waitingCalls() === 0);
    const id = await ada.tell(bob);
    expect((await bob.pull()).map((message) => message.id)).toEqual([id]);
    await session.delete();
    await cancelled.catch(() => {});
  });

  test("end with the session", async () => {
    const { bob } = await pair();
    const session = await open(bob.token);
    const waiting = session.ask("tools/call", { name: "check_inbox", arguments: { waitMs: 20_000 } });
    await until("the call waits", () => waitingCalls() === 1);
    expect(await session.delete()).toBe(204);
    await waiting.catch(() => {});
    await until("nobody waits", () => waitingCalls() === 0);
  });

  test("may be cancelled after they have been answered, as some clients always do", async () => {
    const { ada } = await pair();
    const session = await open(ada.token);
    await session.post({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "get_node_status" } });
    const cancel = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 7, reason: "AbortError" },
    };
    expect((await session.post(cancel)).status).toBe(202);
    expect((await session.ask("ping")).answer?.result).toEqual({});
  });

  test("to a method that does not exist are told so, in or out of a session", async () => {
    const { ada } = await pair();
    const session = await open(ada.token);
    expect((await session.ask("server/discover")).answer?.error?.code).toBe(-32601);
    session.id = undefined;
    expect((await session.ask("server/discover")).answer?.error?.code).toBe(-32601);
  });
});

test("whoever listens is told the end when the daemon stops", async () => {
  const { ada } = await pair();
  const session = await open(ada.token);
  const listening = await session.listen();
  await intercom().restart();
  await until("the stream ends", () => listening.stream.ended);
});
