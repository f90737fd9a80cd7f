import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentActor } from "../../../support/actors.ts";
import { callTool } from "../../../support/mcp.ts";
import { useDaemon } from "../../../support/use-daemon.ts";
import { type ToolCall, toolWorld } from "../team/world.ts";

/** What intercom_pending showed is acknowledged by the next call and not before. */

const intercom = useDaemon();
const world = () => toolWorld(intercom(), "2026-07-28", "intercom");

interface Part {
  readonly message: string;
  readonly kind: string;
  readonly continued?: boolean;
  readonly truncated?: { readonly shownCharacters: number; readonly totalCharacters: number };
}

const bodies = (pending: Record<string, unknown>) => (pending.messages as Part[]).map(({ message }) => message);
const stateOf = async (agent: AgentActor, messageId: string) => (await agent.call("getReceipt", { messageId })).state;

test("it is read when the next call comes, unless that only looks", async () => {
  const { ada, bob, asAda } = await world();
  const id = await bob.tell(ada, { body: "hello" });
  expect(bodies(await asAda("intercom_pending"))).toEqual(["hello"]);
  for (const looking of ["intercom_whoami", "intercom_team", "intercom_status", "intercom_list"]) {
    await asAda(looking);
    expect(await stateOf(bob, id), looking).toBe("delivered");
  }
  await asAda("intercom_set_summary", { summary: "x" });
  expect(await stateOf(bob, id)).toBe("acknowledged");
  expect(bodies(await asAda("intercom_pending"))).toEqual([]);
});

test.each([
  ["intercom_pending", {}],
  ["intercom_send", { to: "bob", message: "x" }],
  ["intercom_ask", { to: "bob", message: "x", timeout_ms: 0 }],
] as const)("%s is such a call", async (name, args) => {
  const { ada, bob, asAda } = await world();
  const id = await bob.tell(ada);
  await asAda("intercom_pending");
  await asAda(name, args);
  expect(await stateOf(bob, id)).toBe("acknowledged");
});

test("it is shown again to a session that begins anew, and after the daemon has died", async () => {
  const { scope, ada, bob, asAda } = await world();
  const id = await bob.tell(ada, { body: "hello" });
  await asAda("intercom_pending");
  const successor = await scope.agent("ada", { connectTo: ["bob"] });
  const asSuccessor = async (name: string) => {
    const options = { token: successor.token, query: "?tools=intercom" };
    return (await callTool(intercom().address, "2026-07-28", name, {}, options)).structured;
  };
  expect(bodies(await asSuccessor("intercom_pending"))).toEqual(["hello"]);
  await intercom().restart();
  expect(bodies(await asSuccessor("intercom_pending"))).toEqual(["hello"]);
  await asSuccessor("intercom_pending");
  expect(await stateOf(bob, id)).toBe("acknowledged");
});

test("a reply that an ask brought is shown again when no call follows", async () => {
  const { ada, bob, asAda } = await world();
  const sending = asAda("intercom_ask", { to: "bob", message: "When?", timeout_ms: 20_000 });
  const [request] = await bob.pull({ waitMs: 10_000 });
  const reply = await bob.tell(ada, { mode: "response", responseTo: request?.id ?? "", body: "Noon" });
  expect(await sending).toMatchObject({ replied: true });
  expect(await stateOf(bob, reply)).toBe("delivered");
  await intercom().restart();
  expect(bodies(await asAda("intercom_pending"))).toEqual(["Noon"]);
  await asAda("intercom_pending");
  expect(await stateOf(bob, reply)).toBe("acknowledged");
});

test("asks stay listed until they are replied to, also after a restart", async () => {
  const { ada, bob, asAda } = await world();
  await bob.tell(ada, { mode: "request", body: "When?" });
  expect(await asAda("intercom_pending")).toMatchObject({
    messages: [{ kind: "ask" }],
    unresolvedAsks: [],
    unresolvedCount: 1,
  });
  const listed = { messages: [], unresolvedAsks: [{ from: "bob", beginning: "When?" }], unresolvedCount: 1 };
  expect(await asAda("intercom_pending")).toMatchObject(listed);
  await intercom().restart();
  expect(await asAda("intercom_pending")).toMatchObject(listed);
  await asAda("intercom_reply", { message: "Noon" });
  expect(await asAda("intercom_pending")).toMatchObject({ unresolvedAsks: [], unresolvedCount: 0 });
});

/** Everything pending, each message put together from its parts, in the order of their ends. */
async function readPending(asAda: ToolCall): Promise<string[]> {
  const read: string[] = [];
  let [unfinished, calls] = ["", 0];
  for (; ; calls += 1) {
    expect(calls).toBeLessThan(200);
    const pending = (await asAda("intercom_pending")) as { messages: Part[] };
    if (pending.messages.length === 0) return read;
    for (const { message, continued, truncated } of pending.messages) {
      const text = continued ? unfinished + message : message;
      if (truncated) unfinished = text;
      else read.push(text);
    }
  }
}

test("whatever is sent is shown whole, part by part, in results of the size any client takes", {
  timeout: 120_000,
}, async () => {
  const body = fc
    .record({
      bytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 20_000 })),
      piece: fc.constantFrom("a", '"', "\u0001", "é", "😀"),
    })
    .map(({ bytes, piece }) => `b${piece.repeat(Math.floor((bytes - 1) / Buffer.byteLength(piece)))}`);
  const mode = fc.constantFrom("notify" as const, "request" as const);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(body, mode), { minLength: 1, maxLength: 6 }), async (messages) => {
      const { ada, bob, asAda } = await world();
      const context = [{ kind: "text" as const, title: "t", text: "c".repeat(100) }];
      const expected: string[] = [];
      for (const [index, [text, mode]] of messages.entries()) {
        const withContext = index % 3 === 1;
        await bob.tell(ada, { body: text, mode, ...(withContext ? { context } : {}) });
        expected.push(withContext ? text + JSON.stringify(context) : text);
      }
      expect((await readPending(asAda)).sort()).toEqual(expected.sort());
      expect(await asAda("intercom_status")).toMatchObject({
        pendingMessages: 0,
        unresolvedAsks: messages.filter(([, mode]) => mode === "request").length,
      });
    }),
    { numRuns: 10 },
  );
});

test("more asks than fit, and a long reply, fit as well", async () => {
  const { ada, bob, asAda } = await world();
  for (let n = 0; n < 90; n += 1) await bob.tell(ada, { mode: "request", body: `${n} ${"\u0001".repeat(3000)}` });
  for (let n = 0; n < 2; n += 1) await ada.drain();
  const pending = (await asAda("intercom_pending")) as { unresolvedAsks: object[]; unresolvedCount: number };
  expect(pending.unresolvedCount).toBe(90);
  expect(pending.unresolvedAsks.length).toBeGreaterThan(10);
  const asking = asAda("intercom_ask", { to: "bob", message: "How?", timeout_ms: 20_000 });
  const [request] = await bob.pull({ waitMs: 10_000 });
  const body = "r".repeat(20_000);
  await bob.tell(ada, { mode: "response", responseTo: request?.id ?? "", body });
  const { reply } = (await asking) as { reply: Part };
  expect(reply.truncated).toMatchObject({ totalCharacters: 20_000 });
  let whole = reply.message;
  while (whole.length < 20_000) {
    const { messages } = (await asAda("intercom_pending")) as { messages: Part[] };
    expect(messages).toMatchObject([{ kind: "reply", continued: true }]);
    whole += messages[0]?.message ?? "";
  }
  expect(whole).toBe(body);
  expect(bodies(await asAda("intercom_pending"))).toEqual([]);
});
