import { describe, expect, test } from "vitest";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import { callTool, ERAS, rpc } from "../../support/mcp.ts";
import { rawBytes, rawRequest, statusesOf } from "../../support/raw.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();

/** Every credential that is none, with the reason it is refused for. */
const STRANGERS: readonly (readonly [string, string, () => Promise<string | undefined>])[] = [
  ["no credential", "missing", async () => undefined],
  ["a token nobody was given", "unknown", async () => "x".repeat(43)],
  ["the admin token", "unknown", async () => intercom().adminToken],
  ["a scope token", "unknown", async () => (await intercom().scope()).token],
  [
    "the token of an agent whose lease ran out",
    "expired",
    async () => {
      const agent = await (await intercom().scope()).agent("ada", { leaseMs: 30_000 });
      await intercom().advance(30_000);
      return agent.token;
    },
  ],
  [
    "the token of an agent that another session replaced",
    "replaced",
    async () => {
      const scope = await intercom().scope();
      const { token } = await scope.agent("ada");
      await scope.agent("ada");
      return token;
    },
  ],
  [
    "the token of an agent that retired",
    "retired",
    async () => {
      const agent = await (await intercom().scope()).agent("ada");
      await agent.call("retire", {});
      return agent.token;
    },
  ],
];

describe.each(STRANGERS)("%s", (_, reason, token) => {
  const refused = {
    status: 401,
    body: { ok: false, error: { code: "UNAUTHENTICATED", details: { reason }, message: expect.any(String) } },
  };

  test.each(ERAS)("is refused for everything in %s", async (era) => {
    const options = { token: await token() };
    for (const method of ["initialize", "server/discover", "tools/list", "ping", "no/such"]) {
      const answer = await rpc(intercom().address, era, method, {}, options);
      expect(answer).toMatchObject(refused);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(await rpc(intercom().address, era, "tools/call", { name: "whoami" }, options)).toMatchObject(refused);
  });

  test("is refused before anything else is looked at", async () => {
    const held = await token();
    const authorization: Record<string, string> = held === undefined ? {} : { Authorization: `Bearer ${held}` };
    for (const { method = "POST", path = "/mcp", type = "application/json", body } of [
      { body: "{" },
      { type: "text/plain", body: "hello" },
      { path: "/mcp?tools=none", body: "{}" },
      { method: "GET" },
      { method: "DELETE" },
    ]) {
      const headers = { "Content-Type": type, ...authorization };
      const answer = await rawRequest(intercom().port, { method, path, headers, ...(body ? { body } : {}) });
      expect({ status: answer.status, body: JSON.parse(answer.text) }).toMatchObject(refused);
    }
    // Not one byte of the body has come yet.
    const announced = [...Object.entries(authorization), ["Content-Length", "2000000"]].map((pair) => pair.join(": "));
    const head = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Type: application/json", ...announced, "", ""];
    const received = await rawBytes(intercom().port, head.join("\r\n"), (text) => statusesOf(text).length > 0);
    expect(statusesOf(received)).toEqual([401]);
  });
});

test.each(ERAS)(
  "an agent that is replaced while its call of %s waits is told so, and not to try again",
  async (era) => {
    const scope = await intercom().scope();
    const ada = await scope.agent("ada");
    const waiting = callTool(intercom().address, era, "check_inbox", { waitMs: 20_000 }, { token: ada.token });
    await until("the call waits", () => waitingCalls() === 1);
    const successor = await scope.agent("ada");
    await scope.call("sendHumanMessage", { to: "ada", body: "for the successor" });
    const { text, structured } = await waiting;
    expect(structured).toMatchObject({ error: { code: "UNAUTHENTICATED", details: { reason: "replaced" } } });
    expect(text).toContain("do not retry");
    expect(await successor.pull()).toMatchObject([{ body: "for the successor" }]);
  },
);

test("the credential of each request decides, not the connection or a session id", async () => {
  const scope = await intercom().scope();
  const [ada, bob] = await scope.agents("ada", "bob");
  for (const era of ERAS) {
    for (const { token, id } of [ada, bob, ada]) {
      const headers = { "Mcp-Session-Id": "one-and-the-same" };
      const { structured } = await callTool(intercom().address, era, "whoami", {}, { token, headers });
      expect(structured).toMatchObject({ agentId: id });
    }
  }
});

test("nothing of another scope can be reached", async () => {
  const [here, there] = [await intercom().scope(), await intercom().scope()];
  const ada = await here.agent("ada");
  const eve = await there.agent("eve");
  const task = await there.call("addTask", { title: "secret" });
  for (const era of ERAS) {
    const call = (name: string, args: Record<string, unknown>) =>
      callTool(intercom().address, era, name, args, { token: ada.token });
    const message = await call("send_message", { to: eve.id, text: "hi" });
    expect(message.structured).toMatchObject({ error: { code: "NOT_FOUND" } });
    const claim = await call("claim_task", { taskId: task.id });
    const never = await call("claim_task", { taskId: `${task.id.slice(0, -1)}x` });
    expect(claim.text.replace(task.id, "ID")).toBe(never.text.replace(`${task.id.slice(0, -1)}x`, "ID"));
    expect((await call("list_tasks", {})).structured).toMatchObject({ tasks: [] });
  }
});
