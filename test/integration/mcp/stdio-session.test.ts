import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { useStdioClients } from "../../support/stdio-clients.ts";
import { until } from "../../support/waiting.ts";

/** What a client over stdio gets besides answers: questions, news and signs of life. */

const home = useStdioClients();

test("its user is asked, also after the daemon was killed", async () => {
  const client = await home().open();
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { answer: "red" } }));
  for (const round of [1, 2]) {
    if (round === 2) await home().killDaemon();
    const args = { question: `Blue or red, ${round}?`, options: ["blue", "red"], waitMs: 20_000 };
    if (round === 2) await client.callTool({ name: "whoami", arguments: {} });
    const { structuredContent } = await client.callTool({ name: "ask_human", arguments: args });
    expect(structuredContent).toMatchObject({ status: "resolved", answer: "red" });
  }
  expect(await home().scope.listEscalations()).toHaveLength(2);
});

test("it hears of changes it has subscribed to, also after the daemon was killed", async () => {
  const client = await home().open();
  let heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri);
  });
  await client.subscribeResource({ uri: "intercom://tasks" });
  // The stream for news opens beside the calls, so it may be a moment later than the first of them.
  await until("news come", async () => {
    await home().scope.addTask({ title: "Paint it" });
    return heard.includes("intercom://tasks");
  });
  await home().killDaemon();
  await client.callTool({ name: "whoami", arguments: {} });
  heard = [];
  await until(
    "news come again",
    async () => {
      await home().scope.addTask({ title: "Paint it again" });
      return heard.includes("intercom://tasks");
    },
    15_000,
  );
});

test("it hears that a call is alive", async () => {
  const client = await home().open();
  const signs: number[] = [];
  const call = client.callTool({ name: "check_inbox", arguments: { waitMs: 20_000 } }, undefined, {
    onprogress: ({ progress }) => void signs.push(progress),
  });
  await until("a sign of life", () => signs.length > 0);
  const [agent] = await home().scope.listAgents();
  await home().scope.sendHumanMessage({ to: agent?.id ?? "", body: "hello" });
  expect((await call).structuredContent).toMatchObject({ messages: [{ body: "hello" }] });
});
