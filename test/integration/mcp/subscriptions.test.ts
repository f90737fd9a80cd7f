import { afterEach, describe, expect, test } from "vitest";
import type { AgentActor } from "../../support/actors.ts";
import { rpcRequest } from "../../support/mcp.ts";
import { Listening, RawSession } from "../../support/mcp-session.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const intercom = useDaemon();
const address = () => intercom().address;
const open: Listening[] = [];

afterEach(() => {
  for (const listening of open.splice(0)) listening.close();
});

/** Listens to changes of resources the way each era has it. */
const WAYS: Readonly<Record<string, (agent: AgentActor, uris: readonly string[]) => Promise<Listening>>> = {
  "a session of 2025-11-25": async ({ token }, uris) => {
    const session = new RawSession(address, token, "?tools=bus");
    await session.initialize();
    const listening = await session.listen();
    open.push(listening);
    for (const uri of uris) expect((await session.ask("resources/subscribe", { uri })).answer?.result).toEqual({});
    return listening;
  },
  "a stream of 2026-07-28": async ({ token }, uris) => {
    const params = { notifications: { resourceSubscriptions: uris } };
    const { headers, body } = rpcRequest("2026-07-28", "subscriptions/listen", params);
    const controller = new AbortController();
    const all = { ...headers, "Content-Type": "application/json", Authorization: `Bearer ${token}` };
    const response = await fetch(`${address()}/mcp?tools=bus`, {
      method: "POST",
      headers: all,
      body,
      signal: controller.signal,
    });
    const listening = new Listening(response, controller);
    open.push(listening);
    await until("the subscription is acknowledged", () => listening.messages.length > 0);
    expect(listening.messages[0]).toMatchObject({
      method: "notifications/subscriptions/acknowledged",
      params: { notifications: { resourceSubscriptions: uris } },
    });
    return listening;
  },
};

const ALL = ["intercom://inbox", "intercom://agents", "intercom://tasks"];

describe.each(Object.entries(WAYS))("in %s", (_, listen) => {
  test("news of messages reach both ends, and nobody else", async () => {
    const scope = await intercom().scope({ linkPolicy: "open" });
    const [ada, bob, eve] = [await scope.agent("ada"), await scope.agent("bob"), await scope.agent("eve")];
    const talk = ["intercom://inbox", "intercom://conversation/ada", "intercom://conversation/bob"];
    const [atAda, atBob, atEve] = [await listen(ada, talk), await listen(bob, talk), await listen(eve, talk)];
    await ada.tell(bob);
    await atBob.toldOf("intercom://inbox", "intercom://conversation/ada");
    await atAda.toldOf("intercom://conversation/bob");
    await eve.tell(ada);
    await atAda.toldOf("intercom://inbox");
    expect(atBob.changed).toEqual(["intercom://conversation/ada", "intercom://inbox"]);
    expect(atEve.changed).toEqual(["intercom://conversation/ada"]);
  });

  test("news of tasks reach everybody in the scope, and nobody outside", async () => {
    const scope = await intercom().scope();
    const outside = await (await intercom().scope()).agent("out");
    const [ada, bob] = await scope.agents("ada", "bob");
    const [atBob, atOutside] = [await listen(bob, ALL), await listen(outside, ALL)];
    const task = await ada.call("addTask", { title: "Paint it" });
    await atBob.toldOf("intercom://tasks");
    const atTask = await listen(bob, [`intercom://tasks/${task.id}`]);
    await ada.call("claimTask", { taskId: task.id });
    await atTask.toldOf(`intercom://tasks/${task.id}`);
    expect(atTask.changed).toEqual([`intercom://tasks/${task.id}`]);
    expect(atOutside.changed).toEqual([]);
  });

  test("news of agents reach those who may see them", async () => {
    const scope = await intercom().scope({ linkPolicy: "explicit" });
    const [ada, bob] = await scope.agents("ada", "bob");
    const alone = await scope.agent("alone");
    const [atBob, atAlone] = [await listen(bob, ALL), await listen(alone, ALL)];
    const stranger = await scope.agent("stranger");
    await stranger.call("updateProfile", { summary: "nobody's business" });
    await ada.call("updateProfile", { summary: "painting" });
    await atBob.toldOf("intercom://agents");
    expect(atAlone.changed).toEqual([]);
    await scope.call("linkAgents", { left: "alone", right: "stranger" });
    await atAlone.toldOf("intercom://agents");
  });

  test("many changes at a time are told of once", async () => {
    const scope = await intercom().scope();
    const [ada] = await scope.agents("ada");
    const listening = await listen(ada, ["intercom://tasks"]);
    await Promise.all(Array.from({ length: 100 }, (_, index) => ada.call("addTask", { title: `task ${index}` })));
    await listening.toldOf("intercom://tasks");
    expect(listening.messages.filter(({ method }) => method === "notifications/resources/updated").length).toBeLessThan(
      50,
    );
  });

  test("nothing is told to an execution that has ended", async () => {
    const scope = await intercom().scope();
    const [ada, bob] = await scope.agents("ada", "bob");
    const [atAda, atBob] = [await listen(ada, ALL), await listen(bob, ALL)];
    const next = await scope.agent("ada", { connectTo: ["bob"] });
    await next.call("addTask", { title: "unheard" });
    await atBob.toldOf("intercom://tasks", "intercom://agents");
    await bob.tell(next);
    const atNext = await listen(next, ALL);
    await bob.tell(next);
    await atNext.toldOf("intercom://inbox");
    expect(atAda.changed).toEqual([]);
  });
});

describe("a session", () => {
  test("is no longer told of what it has unsubscribed from", async () => {
    const scope = await intercom().scope();
    const [ada] = await scope.agents("ada");
    const session = new RawSession(address, ada.token, "?tools=bus");
    await session.initialize();
    const listening = await session.listen();
    open.push(listening);
    for (const uri of ["intercom://tasks", "intercom://agents"]) await session.ask("resources/subscribe", { uri });
    await session.ask("resources/unsubscribe", { uri: "intercom://tasks" });
    await ada.call("addTask", { title: "unheard" });
    await ada.call("updateProfile", { summary: "heard" });
    await listening.toldOf("intercom://agents");
    expect(listening.changed).toEqual(["intercom://agents"]);
  });

  test("cannot subscribe to what is no resource", async () => {
    const [ada] = await (await intercom().scope()).agents("ada");
    const session = new RawSession(address, ada.token, "?tools=bus");
    await session.initialize();
    const { answer } = await session.ask("resources/subscribe", { uri: "intercom://nothing" });
    expect(answer?.error?.code).toBeLessThan(0);
  });
});

test("without a session there is nobody to tell, and the client hears so", async () => {
  const [ada] = await (await intercom().scope()).agents("ada");
  const session = new RawSession(address, ada.token, "?tools=bus");
  const { answer } = await session.ask("resources/subscribe", { uri: "intercom://inbox" });
  expect(answer?.error?.code).toBe(-32601);
});
