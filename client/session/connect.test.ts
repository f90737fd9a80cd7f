import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Connection, type ErrorCode, IntercomError } from "../../protocol/index.ts";
import { scriptedSession } from "../../test/fixtures/scripted-session.ts";
import { AgentSession, type ConnectOptions, ConnectorClient } from "../index.ts";

const LEASE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function refuse(code: ErrorCode, reason: string) {
  return (): never => {
    throw new IntercomError(code, "refused", { reason });
  };
}

/** The scripted daemon, which lets whoever connects be `claude`. */
function scripted() {
  const daemon = scriptedSession();
  let tokens = 0;
  daemon.script.connect = (): Connection => {
    tokens += 1;
    const agent = { scopeId: "s", agentId: "claude", executionId: "exec_1", agentToken: `token-${tokens}` };
    const leaseExpiresAt = "2026-01-01T00:00:00.000Z";
    return { ...agent, leaseExpiresAt, connectorId: "conn_1", toolSet: "bus", leaseMs: LEASE_MS };
  };
  const connect = (options: Partial<ConnectOptions> = {}) =>
    AgentSession.connect({
      address: "http://127.0.0.1:4766",
      connectorToken: "secret",
      fetch: daemon.fetch,
      random: () => 0,
      onError: (error) => daemon.errors.push(error),
      ...options,
    } as ConnectOptions);
  return { ...daemon, connect };
}

it("connects, keeps the lease the connector says, and tells which tools it has", async () => {
  const daemon = scripted();
  const session = await daemon.connect({ connection: { session: "one", displayName: "Claude" } });
  expect(daemon.calls.map(({ name, token }) => [name, token])).toEqual([
    ["health", undefined],
    ["connect", "secret"],
    ["heartbeat", "token-1"],
  ]);
  expect(daemon.calls[1]?.input).toEqual({ session: "one", displayName: "Claude" });
  expect(daemon.calls[2]?.input).toEqual({ lifecycle: "ready", ready: true, leaseMs: LEASE_MS });
  expect([session.agentId, session.toolSet, session.agentToken]).toEqual(["claude", "bus", "token-1"]);
  await vi.advanceTimersByTimeAsync(LEASE_MS);
  expect(daemon.named("heartbeat")).toHaveLength(1 + 3);
});

it.each(["expired", "retired", "unknown"])(
  "connects again as the same session when its token is %s",
  async (reason) => {
    const daemon = scripted();
    const session = await daemon.connect();
    const answer = daemon.script.heartbeat;
    daemon.script.heartbeat = refuse("UNAUTHENTICATED", reason);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(session.state).toBe("reconnecting");
    daemon.script.heartbeat = answer;
    await vi.advanceTimersByTimeAsync(1000);
    expect([session.state, session.agentToken]).toEqual(["live", "token-2"]);
    const [first, second] = daemon.named("connect");
    expect(first?.input.session).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.input).toEqual(first?.input);
  },
);

it("ends when the same session has connected elsewhere, and when the connector was revoked", async () => {
  const elsewhere = scripted();
  const taken = await elsewhere.connect();
  elsewhere.script.heartbeat = refuse("UNAUTHENTICATED", "replaced");
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
  expect(await taken.done).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "replaced" } });
  expect(elsewhere.named("connect")).toHaveLength(1);

  const revoked = scripted();
  const session = await revoked.connect();
  revoked.script.heartbeat = refuse("UNAUTHENTICATED", "retired");
  revoked.script.connect = refuse("UNAUTHENTICATED", "unknown");
  await vi.advanceTimersByTimeAsync(LEASE_MS / 3 + 1000);
  expect(await session.done).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "unknown" } });
});

it("takes a connector client, whose agents share nothing but the connection", async () => {
  const daemon = scripted();
  const connector = new ConnectorClient({ address: "http://x", connectorToken: "other", fetch: daemon.fetch });
  const session = await AgentSession.connect({ connector });
  expect(daemon.named("connect")[0]?.token).toBe("other");
  await session.client.heartbeat({ lifecycle: "idle", ready: false });
  expect(daemon.calls.at(-1)?.token).toBe("token-1");
  await session.close();
  expect(daemon.named("retire")).toHaveLength(1);
});
