import { describe, expect, test } from "vitest";
import { watchWaitingCalls } from "../../../faults/waiting-calls.ts";
import { callTool, ERAS } from "../../../support/mcp.ts";
import { useDaemon } from "../../../support/use-daemon.ts";
import { until } from "../../../support/waiting.ts";
import { toolWorld } from "../team/world.ts";

const intercom = useDaemon();
const waitingCalls = watchWaitingCalls();

describe.each(ERAS)("%s", (era) => {
  const world = () => toolWorld(intercom(), era, "intercom");

  test("who one is, who else is there, and how things stand", async () => {
    const { scope, ada, bob, asAda } = await world();
    await ada.call("updateProfile", { metadata: { cwd: "/work", model: "m-1", harness: "codex" } });
    expect(await asAda("intercom_whoami")).toMatchObject({
      id: "ada",
      scope: scope.id,
      folder: "/work",
      model: "m-1",
      client: "codex",
    });
    await scope.agent("cy", { connectTo: ["ada"] });
    await bob.call("retire", {});
    expect(await asAda("intercom_list")).toMatchObject({
      agents: [{ id: "cy" }, { id: "bob", reachable: false }],
      total: 2,
    });
    expect(await asAda("intercom_team")).toMatchObject({ manager: "human", coworkers: [{ id: "cy" }] });
    await asAda("intercom_set_summary", { summary: "Reviewing" });
    expect(await asAda("intercom_whoami")).toMatchObject({ summary: "Reviewing" });
    await scope.call("sendHumanMessage", { to: "ada", body: "Hello" });
    expect(await asAda("intercom_status")).toMatchObject({ connected: true, pendingMessages: 1, unresolvedAsks: 0 });
  });

  test("an ask waits for its reply, and nothing else leaves the inbox meanwhile", async () => {
    const { ada, bob, asAda, asBob } = await world();
    const asking = asAda("intercom_ask", { to: "Bob", message: "When?" });
    await until("the ask waits", () => waitingCalls() === 1);
    expect(await asBob("intercom_pending")).toMatchObject({
      messages: [{ kind: "ask", from: "ada", message: "When?" }],
    });
    await bob.tell(ada, { body: "By the way" });
    expect(await asBob("intercom_reply", { message: "At noon" })).toMatchObject({ to: "ada", remaining: 0 });
    expect(await asking).toMatchObject({ replied: true, reply: { kind: "reply", from: "bob", message: "At noon" } });
    expect(await asAda("intercom_pending")).toMatchObject({ messages: [{ kind: "message", message: "By the way" }] });
    expect(await asAda("intercom_pending")).toMatchObject({ messages: [], unresolvedCount: 0 });
  });

  test("an ask that gets no reply in time stays open, and the late reply is pending", async () => {
    const { asAda, asBob, attempt } = await world();
    expect(await asAda("intercom_ask", { to: "bob", message: "When?", timeout_ms: 20 })).toMatchObject({
      replied: false,
    });
    const second = await attempt("intercom_ask", { to: "bob", message: "Well?", timeout_ms: 0 });
    expect(second).toMatchObject({
      isError: true,
      structured: { error: { code: "CONFLICT", details: { reason: "unanswered" } } },
      text: expect.stringContaining("intercom_send"),
    });
    await asAda("intercom_send", { to: "bob", message: "It is urgent" });
    await asBob("intercom_pending");
    await asBob("intercom_reply", { message: "Late" });
    expect(await asAda("intercom_pending")).toMatchObject({ messages: [{ kind: "reply", message: "Late" }] });
    expect(await asAda("intercom_ask", { to: "bob", message: "Next?", timeout_ms: 0 })).toMatchObject({
      replied: false,
    });
  });

  test("waits longer than two minutes are refused, and the human is not asked this way", async () => {
    const { attempt } = await world();
    for (const [args, message] of [
      [{ to: "bob", timeout_ms: 120_001 }, "timeout_ms: expected a whole number of milliseconds from 0 to 120000"],
      [{ to: "bob", timeout_ms: -1 }, "timeout_ms: expected"],
      [{ to: "Human" }, "to: the human cannot be asked this way"],
    ] as const) {
      const answer = await attempt("intercom_ask", { message: "x", ...args });
      expect(answer).toMatchObject({ isError: true, structured: { error: { code: "INVALID_ARGUMENT" } } });
      expect(answer.text).toContain(message);
      expect(answer.text).toContain("intercom_send");
    }
  });

  test("no result holds the id of a message", async () => {
    const { ada, bob, scope, asAda, asBob } = await world();
    const texts: string[] = [];
    for (const name of ["intercom_status", "intercom_list", "intercom_pending"])
      texts.push(JSON.stringify(await asAda(name)));
    await bob.tell(ada, { mode: "request", body: "one" });
    await scope.call("sendHumanMessage", { to: "ada", body: "two" });
    texts.push(JSON.stringify(await asAda("intercom_pending")), JSON.stringify(await asAda("intercom_pending")));
    texts.push(JSON.stringify(await asAda("intercom_reply", { message: "three" })));
    texts.push(JSON.stringify(await asBob("intercom_send", { to: "ada", message: "four" })));
    texts.push(JSON.stringify(await asBob("intercom_ask", { to: "ada", message: "five", timeout_ms: 0 })));
    expect(texts.join("\n")).not.toMatch(/msg_|res_/);
    expect(texts.join("\n")).toContain("one");
  });
});

describe("which ask a reply is to", () => {
  const world = async () => {
    const tools = await toolWorld(intercom(), "2026-07-28", "intercom");
    const cy = await tools.scope.agent("cy", { displayName: "Cyril", connectTo: ["ada"] });
    return { ...tools, cy };
  };

  test("must be said when several agents have asked", async () => {
    const { ada, bob, cy, asAda, attempt } = await world();
    const [fromBob, fromCy] = [await bob.tell(ada, { mode: "request" }), await cy.tell(ada, { mode: "request" })];
    await asAda("intercom_pending");
    for (const args of [{}, { which: "latest" }]) {
      const answer = await attempt("intercom_reply", { message: "yes", ...args });
      expect(answer).toMatchObject({
        isError: true,
        structured: {
          error: { code: "CONFLICT", message: "to: several have asked: bob, cy", details: { senders: ["bob", "cy"] } },
        },
      });
    }
    expect(await asAda("intercom_reply", { message: "yes", to: "cyril" })).toMatchObject({ to: "cy", remaining: 1 });
    expect(await asAda("intercom_reply", { message: "no", to: "bob" })).toMatchObject({ to: "bob", remaining: 0 });
    expect(await cy.call("takeResponse", { messageId: fromCy })).toMatchObject({ body: "yes" });
    expect(await bob.call("takeResponse", { messageId: fromBob })).toMatchObject({ body: "no" });
  });

  test("and which of them when one has asked several times", async () => {
    const { ada, bob, asAda, attempt } = await world();
    const asks: string[] = [];
    for (let n = 0; n < 3; n += 1) asks.push(await bob.tell(ada, { mode: "request" }));
    await asAda("intercom_pending");
    expect((await attempt("intercom_reply", { message: "x", to: "bob" })).text).toContain("expected oldest or latest");
    await asAda("intercom_reply", { message: "to the latest", which: "latest" });
    await asAda("intercom_reply", { message: "to the oldest", to: "bob", which: "oldest" });
    await asAda("intercom_reply", { message: "to the last one left" });
    const bodies = await Promise.all(
      asks.map(async (messageId) => (await bob.call("takeResponse", { messageId }))?.body),
    );
    expect(bodies).toEqual(["to the oldest", "to the last one left", "to the latest"]);
  });

  test("and there must be one", async () => {
    const { ada, cy, attempt } = await world();
    for (const args of [{}, { to: "bob" }, { to: "nobody" }]) {
      const answer = await attempt("intercom_reply", { message: "x", ...args });
      expect(answer).toMatchObject({ isError: true, structured: { error: { code: "NOT_FOUND" } } });
      expect(answer.text).toContain("intercom_pending");
    }
    // Asked, but not shown to ada yet.
    await cy.tell(ada, { mode: "request" });
    expect(await attempt("intercom_reply", { message: "x" })).toMatchObject({ isError: true });
  });

  test("may be the human's", async () => {
    const { scope, asAda } = await world();
    const { messageId } = await scope.call("sendHumanMessage", { to: "ada", body: "Done?", mode: "request" });
    expect(await asAda("intercom_pending")).toMatchObject({
      messages: [{ from: "human", fromKind: "human", kind: "ask" }],
    });
    expect(await asAda("intercom_reply", { message: "Yes", to: "Human" })).toMatchObject({ to: "human" });
    expect(await scope.call("getMessage", { messageId })).toMatchObject({ repliedAt: expect.any(String) });
  });
});

test("a caller who hangs up during an ask loses nothing", async () => {
  const { ada, bob, asAda } = await toolWorld(intercom(), "2026-07-28", "intercom");
  const gone = new AbortController();
  const options = { token: ada.token, query: "?tools=intercom", signal: gone.signal };
  const args = { to: "bob", message: "When?", timeout_ms: 120_000 };
  const asking = callTool(intercom().address, "2026-07-28", "intercom_ask", args, options).catch(() => "cut off");
  await until("the ask waits", () => waitingCalls() === 1);
  gone.abort();
  expect(await asking).toBe("cut off");
  await until("nobody waits", () => waitingCalls() === 0);
  const [request] = await bob.pull();
  await bob.tell(ada, { mode: "response", responseTo: request?.id ?? "", body: "Noon" });
  expect(await asAda("intercom_pending")).toMatchObject({ messages: [{ kind: "reply", message: "Noon" }] });
});
