import { describe, expect, test } from "vitest";
import type { Agent } from "../../../protocol/index.ts";
import { Actor, type ScopeActor } from "../../support/actors.ts";
import { callTool, MCP_CLIENTS, rpc } from "../../support/mcp.ts";
import { RawSession } from "../../support/mcp-session.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const intercom = useDaemon();
const address = () => intercom().address;

async function connector(name = "claude", more: { toolSet?: "team" | "bus" | "intercom"; leaseMs?: number } = {}) {
  const scope = await intercom().scope({ linkPolicy: "open" });
  const issued = await scope.call("createConnector", { name, ...more });
  return { scope, token: issued.credential, id: issued.connector.id };
}

async function window(token: string, threadId?: string): Promise<RawSession> {
  const session = new RawSession(address, token);
  await session.initialize({}, { name: "claude-code", version: "2.1" });
  if (threadId) await session.call("whoami", {}, { threadId });
  return session;
}

async function nameOf(session: RawSession, meta: Record<string, unknown> = {}): Promise<unknown> {
  return (await session.call("whoami", {}, meta)).agentId;
}

async function reachable(scope: ScopeActor): Promise<string[]> {
  const agents: Agent[] = await scope.call("listAgents", {});
  return agents.filter((agent) => agent.reachable).map(({ id }) => id);
}

describe("a connector", () => {
  test("makes each window of a client an agent of its own, who can talk to each other", async () => {
    const { scope, token } = await connector();
    const [one, two] = [await window(token), await window(token)];
    expect([await nameOf(one), await nameOf(two)]).toEqual(["claude", "claude-2"]);
    const { messageId } = await one.call("send_message", { to: "claude-2", text: "hello" });
    expect(await two.call("check_inbox", {})).toMatchObject({ messages: [{ id: messageId, from: "claude" }] });
    expect(await scope.call("getAgent", { agentId: "claude" })).toMatchObject({
      metadata: { harness: "claude-code", harnessVersion: "2.1" },
      lifecycle: "working",
    });
  });

  test("registers nobody before there is something to do", async () => {
    const { scope, token } = await connector();
    const session = await window(token);
    await session.ask("tools/list");
    const listening = await session.listen();
    expect(await scope.call("listAgents", {})).toEqual([]);
    expect(await nameOf(session)).toBe("claude");
    listening.close();
  });

  test("gives its tools, and others to whoever asks", async () => {
    const { token } = await connector("bussy", { toolSet: "bus" });
    const listed = async (query: string) => {
      const { body } = await rpc(address(), "2026-07-28", "tools/list", {}, { token, query });
      return (body as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
    };
    expect(await listed("")).toContain("list_peers");
    expect(await listed("?tools=intercom")).toContain("intercom_list");
  });

  test("releases the name when the window is closed, and the next one finds its inbox", async () => {
    const { scope, token } = await connector();
    const sender = await scope.agent("sender");
    const first = await window(token);
    expect(await nameOf(first)).toBe("claude");
    await first.delete();
    await until("the name is free", async () => (await reachable(scope)).length === 1);
    await sender.call("sendMessage", { to: "claude", body: "for later" });
    const next = await window(token);
    expect(await next.call("check_inbox", {})).toMatchObject({ messages: [{ body: "for later" }] });
    expect(await nameOf(next)).toBe("claude");
  });

  test("keeps sessions, agents and claims through a restart of the daemon", async () => {
    const { scope, token } = await connector();
    const [one, two] = [await window(token), await window(token)];
    expect([await nameOf(one), await nameOf(two)]).toEqual(["claude", "claude-2"]);
    const { id: taskId } = await scope.call("addTask", { title: "Paint it" });
    await two.call("claim_task", { taskId });
    await intercom().restart();
    // The second comes back first, and many of its calls at once.
    const names = await Promise.all(Array.from({ length: 5 }, () => nameOf(two)));
    expect(new Set(names)).toEqual(new Set(["claude-2"]));
    expect(await nameOf(one)).toBe("claude");
    await two.call("finish_task", { taskId });
    expect(await scope.call("getTask", { taskId })).toMatchObject({ status: "done", claimedBy: "claude-2" });
  });

  test("goes by the conversation where a client names it: resumed, it is the same agent again", async () => {
    const { token } = await connector("codex");
    const first = new RawSession(address, token);
    await first.initialize({}, { name: "codex-mcp-client", version: "1" });
    expect(await nameOf(first, { threadId: "thread-a" })).toBe("codex");
    const second = new RawSession(address, token);
    await second.initialize({}, { name: "codex-mcp-client", version: "1" });
    expect(await nameOf(second, { threadId: "thread-b" })).toBe("codex-2");
    await second.delete();
    const resumed = new RawSession(address, token);
    await resumed.initialize({}, { name: "codex-mcp-client", version: "1" });
    expect(await nameOf(resumed, { threadId: "thread-b" })).toBe("codex-2");
    expect(await nameOf(first, { threadId: "thread-a" })).toBe("codex");
  });

  test("is taken from the window whose conversation goes on elsewhere only when that one ends", async () => {
    const { scope, token } = await connector("codex");
    const first = await window(token, "thread-a");
    const listening = await first.listen();
    const second = await window(token, "thread-a");
    await second.delete();
    expect(await reachable(scope)).toEqual(["codex"]);
    listening.close();
  });

  test("serves clients without sessions as one agent each kind", async () => {
    const { token } = await connector();
    const names = await Promise.all(
      Array.from(
        { length: 6 },
        async () => (await callTool(address(), "2026-07-28", "whoami", {}, { token })).structured.agentId,
      ),
    );
    expect(new Set(names)).toEqual(new Set(["claude"]));
  });

  test.each(MCP_CLIENTS)("serves $make", async ({ connect }) => {
    const { scope, token } = await connector();
    const client = await connect(address(), token);
    expect((await client.call("whoami")).structured).toMatchObject({ agentId: "claude", scope: scope.id });
    await client.close();
  });
});

describe("the execution of a window", () => {
  test("is renewed while the client listens, however long it is silent", async () => {
    const { scope, token } = await connector("claude", { leaseMs: 60_000 });
    const session = await window(token);
    const listening = await session.listen();
    expect(await nameOf(session)).toBe("claude");
    for (let minute = 0; minute < 40; minute += 1) {
      await intercom().advance(25_000);
      // Any request makes the daemon look after its connections; here it is a stranger's.
      await rpc(address(), "2026-07-28", "tools/list", {}, { token: (await connector("other")).token });
      await until("it is renewed", async () => (await reachable(scope)).length === 1);
    }
    listening.close();
  });

  test("ends soon after a client that listened has hung up, unless it comes back", async () => {
    const { scope, token } = await connector("claude");
    const session = await window(token);
    const listening = await session.listen();
    expect(await nameOf(session)).toBe("claude");
    listening.close();
    const other = await window((await connector("other")).token);
    await until("it is gone", async () => {
      await intercom().advance(6000);
      await nameOf(other);
      return (await reachable(scope)).length === 0;
    });
    expect(await nameOf(session)).toBe("claude");
    expect(await reachable(scope)).toEqual(["claude"]);
  });

  test("outlives the silence of a client that thinks, and ends when it has been silent for long", async () => {
    const { scope, token } = await connector("claude", { leaseMs: 60_000 });
    const session = await window(token);
    expect(await nameOf(session)).toBe("claude");
    const other = await window((await connector("other")).token);
    const pass = async (minutes: number) => {
      for (let half = 0; half < minutes * 3; half += 1) {
        await intercom().advance(20_000);
        await nameOf(other);
      }
    };
    await pass(10);
    expect(await reachable(scope)).toEqual(["claude"]);
    await pass(8);
    await until("it is gone", async () => (await reachable(scope)).length === 0);
    expect(await nameOf(session)).toBe("claude");
  });

  test("that another window has taken over after it ran out leaves its former holder another name", async () => {
    const { token } = await connector("claude", { leaseMs: 60_000 });
    const session = await window(token);
    expect(await nameOf(session)).toBe("claude");
    await intercom().advance(61_000);
    const next = await window(token);
    expect(await nameOf(next)).toBe("claude");
    expect(await nameOf(session)).toBe("claude-2");
    expect(await nameOf(next)).toBe("claude");
  });
});

describe("a connector that is no longer good", () => {
  test("is refused, in its sessions too, and its agents are gone at once", async () => {
    const { scope, token, id } = await connector();
    const session = await window(token);
    expect(await nameOf(session)).toBe("claude");
    await scope.call("revokeConnector", { connectorId: id });
    const { status, answer } = await session.ask("tools/list");
    expect({ status, answer }).toMatchObject({
      status: 401,
      answer: { ok: false, error: { code: "UNAUTHENTICATED" } },
    });
    expect(await reachable(scope)).toEqual([]);
  });

  test("after it was rotated goes on under the new secret, as the same agent in the same session", async () => {
    const { scope, token, id } = await connector();
    const session = await window(token);
    expect(await nameOf(session)).toBe("claude");
    const { credential } = await scope.call("rotateConnector", { connectorId: id });
    expect((await session.ask("tools/list")).status).toBe(401);
    const renewed = new RawSession(address, credential);
    renewed.id = session.id;
    expect(await nameOf(renewed)).toBe("claude");
    await intercom().advance(400_000);
    expect(await nameOf(renewed)).toBe("claude");
  });

  test("is no agent at any other door", async () => {
    const { token } = await connector();
    const refusal = await new Actor(intercom(), token).refused("whoAmI", {});
    expect(refusal).toMatchObject({ status: 401 });
  });
});

test("names of windows run out with a word about it", async () => {
  const { token } = await connector();
  const all = await Promise.all(Array.from({ length: 64 }, async () => nameOf(await window(token))));
  expect(new Set(all).size).toBe(64);
  const { structured } = await callTool(address(), "2026-07-28", "whoami", {}, { token });
  expect(structured).toMatchObject({ error: { code: "BACKPRESSURE", message: expect.stringContaining("claude-64") } });
});
