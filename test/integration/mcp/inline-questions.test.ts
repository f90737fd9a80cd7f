import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import type { Escalation } from "../../../protocol/index.ts";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import type { ScopeActor } from "../../support/actors.ts";
import { rpc } from "../../support/mcp.ts";
import { RawSession, type RpcMessage } from "../../support/mcp-session.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();
const address = () => intercom().address;

interface Shown {
  readonly message: string;
  readonly requestedSchema: { readonly properties: { readonly answer: { readonly enum?: string[] } } };
}

/** A client whose user answers as `user` says. */
async function clientWith(
  mode: "legacy" | { pin: string },
  token: string,
  user: (shown: Shown) => Promise<Record<string, unknown>>,
): Promise<Client> {
  const client = new Client(
    { name: "asking", version: "1" },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler(
    "elicitation/create",
    async (request) => (await user(request.params as unknown as Shown)) as never,
  );
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${address()}/mcp`), { requestInit }));
  return client;
}

async function ask(client: Client, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { structuredContent, content } = await client.callTool({ name: "ask_human", arguments: args });
  if (!structuredContent) throw new Error(JSON.stringify(content));
  return structuredContent as Record<string, unknown>;
}

async function questionsOf(scope: ScopeActor): Promise<Escalation[]> {
  return scope.call("listEscalations", {});
}

const accept = async (answer: unknown) => ({ action: "accept", content: { answer } });
const QUESTION = { question: "Blue or red?", options: ["blue", "red"], waitMs: 20_000 };

const MODES = [
  ["2025-11-25", "legacy"],
  ["2026-07-28", { pin: "2026-07-28" }],
] as const;

describe.each(MODES)("a client of %s that can ask its user", (_, mode) => {
  test("shows the question, and what the user says there is the answer", async () => {
    const scope = await intercom().scope();
    const ada = await scope.agent("ada");
    const shown: Shown[] = [];
    const client = await clientWith(mode, ada.token, async (form) => {
      shown.push(form);
      return accept("red");
    });
    expect(await ask(client, QUESTION)).toMatchObject({ status: "resolved", answer: "red" });
    expect(shown).toMatchObject([
      { message: "Blue or red?", requestedSchema: { properties: { answer: { enum: ["blue", "red"] } } } },
    ]);
    const [question, ...more] = await questionsOf(scope);
    expect(more).toEqual([]);
    expect(question).toMatchObject({
      status: "resolved",
      answer: "red",
      resolution: { by: "human", surface: "client" },
    });
    await client.close();
  });

  test("asks nobody when the agent does not wait", async () => {
    const scope = await intercom().scope();
    const client = await clientWith(mode, (await scope.agent("ada")).token, async () => {
      throw new Error("nobody was to be asked");
    });
    expect(await ask(client, { question: "Blue or red?" })).toMatchObject({ status: "pending" });
    await client.close();
  });

  test.each(["decline", "cancel"])("whose user answers %s leaves the question to the others", async (action) => {
    const scope = await intercom().scope();
    const ada = await scope.agent("ada");
    const client = await clientWith(mode, ada.token, async () => ({ action }));
    expect(await ask(client, { ...QUESTION, waitMs: 50 })).toMatchObject({ status: "pending" });
    const waiting = ask(client, QUESTION);
    await until("the call waits", () => waitingCalls() === 1);
    const open = (await questionsOf(scope)).at(-1) as Escalation;
    await scope.call("resolveEscalation", { escalationId: open.id, answer: "blue", surface: "tray" });
    expect(await waiting).toMatchObject({ status: "resolved", answer: "blue" });
    await client.close();
  });

  test.each([["something else"], [""], [7], ["x".repeat(100_000)]])(
    "whose user answers %j has not answered",
    async (answer) => {
      const scope = await intercom().scope();
      const client = await clientWith(mode, (await scope.agent("ada")).token, () => accept(answer));
      expect(await ask(client, { ...QUESTION, waitMs: 50 })).toMatchObject({ status: "pending" });
      expect(await questionsOf(scope)).toMatchObject([{ status: "pending" }]);
      await client.close();
    },
  );

  test("shows no permission: that is granted by the owner alone", async () => {
    const scope = await intercom().scope();
    const ada = await scope.agent("ada");
    const { id } = await ada.call("askHuman", { question: "May I?", kind: "permission", options: ["yes", "no"] });
    let asked = 0;
    const client = await clientWith(mode, ada.token, async () => {
      asked += 1;
      return accept("yes");
    });
    const { structuredContent } = await client.callTool({
      name: "check_question",
      arguments: { questionId: id, waitMs: 20 },
    });
    expect(structuredContent).toMatchObject({ status: "pending" });
    expect(asked).toBe(0);
    await client.close();
  });

  test("loses against whoever answers first elsewhere", async () => {
    const scope = await intercom().scope();
    const ada = await scope.agent("ada");
    const client = await clientWith(mode, ada.token, async () => {
      const [open] = await questionsOf(scope);
      await scope.call("resolveEscalation", { escalationId: open?.id ?? "", answer: "blue", surface: "tray" });
      return accept("red");
    });
    expect(await ask(client, QUESTION)).toMatchObject({ status: "resolved", answer: "blue" });
    expect(await questionsOf(scope)).toMatchObject([{ answer: "blue", resolution: { surface: "tray" } }]);
    await client.close();
  });
});

describe("a session of 2025-11-25", () => {
  test("is told to stop showing a question that was answered elsewhere", async () => {
    const scope = await intercom().scope();
    const ada = await scope.agent("ada");
    const session = new RawSession(address, ada.token);
    await session.initialize({ elicitation: {} });
    const seen: RpcMessage[] = [];
    const answer = session.ask("tools/call", { name: "ask_human", arguments: QUESTION }, (message) =>
      seen.push(message),
    );
    const shown = await until("the question is shown", () =>
      seen.find(({ method }) => method === "elicitation/create"),
    );
    const [open] = await questionsOf(scope);
    await scope.call("resolveEscalation", { escalationId: open?.id ?? "", answer: "blue" });
    expect((await answer).answer?.result?.structuredContent).toMatchObject({ answer: "blue" });
    const cancelled = seen.find(({ method }) => method === "notifications/cancelled");
    expect(cancelled?.params).toMatchObject({ requestId: shown.id });
  });

  test("does so no longer once the human has put it off, and the agent hears until when", async () => {
    const scope = await intercom().scope();
    const session = new RawSession(address, (await scope.agent("ada")).token);
    await session.initialize({ elicitation: {} });
    const seen: RpcMessage[] = [];
    const answer = session.ask("tools/call", { name: "ask_human", arguments: QUESTION }, (message) =>
      seen.push(message),
    );
    await until("the question is shown", () => seen.some(({ method }) => method === "elicitation/create"));
    await until("the call waits", () => waitingCalls() > 0);
    const [open] = await questionsOf(scope);
    const deferral = { escalationId: open?.id ?? "", delayMs: 60_000 };
    const { deferredUntil } = await scope.call("deferEscalation", deferral);
    expect((await answer).answer?.result?.structuredContent).toMatchObject({ status: "pending", deferredUntil });
    expect(seen.some(({ method }) => method === "notifications/cancelled")).toBe(true);
  });

  test("that cannot ask is not asked", async () => {
    const ada = await (await intercom().scope()).agent("ada");
    const session = new RawSession(address, ada.token);
    await session.initialize();
    const { messages } = await session.ask("tools/call", { name: "ask_human", arguments: { ...QUESTION, waitMs: 20 } });
    expect(messages).toHaveLength(1);
  });

  test("can still ask after the daemon was restarted", async () => {
    const scope = await intercom().scope();
    const session = new RawSession(address, (await scope.agent("ada")).token);
    await session.initialize({ elicitation: {} });
    await intercom().restart();
    const answer = session.ask("tools/call", { name: "ask_human", arguments: QUESTION }, ({ method, id }) => {
      if (method !== "elicitation/create") return;
      void session.post({ jsonrpc: "2.0", id, result: { action: "accept", content: { answer: "red" } } });
    });
    expect((await answer).answer?.result?.structuredContent).toMatchObject({ answer: "red" });
  });
});

describe("what a client of 2026-07-28 brings back", () => {
  const _meta = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };

  async function call(token: string, params: Record<string, unknown>) {
    const { body } = await rpc(
      address(),
      "2026-07-28",
      "tools/call",
      { name: "ask_human", ...params, _meta },
      { token },
    );
    return body as RpcMessage;
  }

  test("counts only from whom it was given to, and unchanged", async () => {
    const scope = await intercom().scope();
    const [ada, bob] = await scope.agents("ada", "bob");
    const first = await call(ada.token, { arguments: QUESTION });
    expect(first.result).toMatchObject({ resultType: "input_required" });
    const state = first.result?.requestState as string;
    const inputResponses = { answer: { action: "accept", content: { answer: "red" } } };
    const forged = state.replace(/.(?=.{5}$)/, (letter) => (letter === "A" ? "B" : "A"));
    for (const [token, requestState] of [
      [bob.token, state],
      [ada.token, forged],
      [ada.token, "nothing"],
    ] as const) {
      const { error } = await call(token, { arguments: QUESTION, inputResponses, requestState });
      expect(error?.code).toBe(-32602);
    }
    expect(await questionsOf(scope)).toMatchObject([{ status: "pending" }]);
    const { result } = await call(ada.token, { arguments: QUESTION, inputResponses, requestState: state });
    expect(result?.structuredContent).toMatchObject({ answer: "red" });
    // Once more, as after a lost answer: the same, and no second question.
    const again = await call(ada.token, { arguments: QUESTION, inputResponses, requestState: state });
    expect(again.result?.structuredContent).toMatchObject({ answer: "red" });
    expect(await questionsOf(scope)).toHaveLength(1);
  });
});
