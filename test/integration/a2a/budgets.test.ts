import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { failureOf, PublishedAgent, wireMessage } from "../../support/a2a.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const MESSAGES = 2;
const BYTES = 12;
const intercom = useDaemon({ settings: { a2aMessageLimit: MESSAGES, a2aByteLimit: BYTES } });

async function expectFull(published: PublishedAgent, body: unknown): Promise<void> {
  const before = published.work();
  const answer = await published.post(body);
  expect(failureOf(answer)).toMatchObject({
    httpStatus: 429,
    status: "RESOURCE_EXHAUSTED",
    reason: "SERVER_ERROR",
    message: expect.stringContaining("too many unfinished messages"),
  });
  // Nobody knows when the agent will answer.
  expect(answer.headers.get("retry-after")).toBeNull();
  expect(published.work()).toBe(before);
}

async function usage({ scope, principalId }: PublishedAgent) {
  return (await scope.call("listA2aPrincipalUsage", {})).find((each) => each.principalId === principalId);
}

async function answerOne({ agent }: PublishedAgent): Promise<void> {
  const [request] = await agent.pull({ limit: 1 });
  await agent.tell(request?.from as string, { body: "done", mode: "response", responseTo: request?.id });
}

test("a client has so many unfinished messages and no more", async () => {
  const published = await PublishedAgent.make(intercom());
  const first = wireMessage("1");
  expect((await published.post(first)).status).toBe(200);
  expect((await published.post(wireMessage("2"))).status).toBe(200);
  await expectFull(published, wireMessage("3"));
  expect(await usage(published)).toMatchObject({
    unfinishedMessages: MESSAGES,
    unfinishedBytes: 2,
    messageLimit: MESSAGES,
    byteLimit: BYTES,
  });
  // What was taken once stays taken.
  expect((await published.post(first)).status).toBe(200);
  // Others have room of their own.
  expect((await (await published.other()).post(wireMessage("3"))).status).toBe(200);
  await answerOne(published);
  expect((await published.post(wireMessage("4"))).status).toBe(200);
  await expectFull(published, wireMessage("5"));
});

test("a client has so many unfinished bytes and no more", async () => {
  const published = await PublishedAgent.make(intercom());
  const whole = "€".repeat(BYTES / 3);
  await expectFull(published, wireMessage(`${whole}.`));
  expect((await published.post(wireMessage(whole))).status).toBe(200);
  await expectFull(published, wireMessage("."));
  expect(await usage(published)).toMatchObject({ unfinishedMessages: 1, unfinishedBytes: BYTES });
  await answerOne(published);
  expect((await published.post(wireMessage("."))).status).toBe(200);
});

describe("all clients of a scope together", () => {
  /** Changes the one message that waits, or adds copies of it. */
  async function fill(sql: string): Promise<{ full: PublishedAgent; free: PublishedAgent }> {
    const published = await PublishedAgent.make(intercom());
    await published.post(wireMessage("1"));
    intercom().sql((database) => database.prepare(sql).run({ scope: published.scope.id }));
    return { full: await published.other(), free: await PublishedAgent.make(intercom()) };
  }

  const ONE = "(SELECT MIN(seq) FROM messages WHERE scope_no = (SELECT no FROM scopes WHERE id = @scope))";

  test("leave half of its messages to its agents", async () => {
    const { full, free } = await fill(
      `WITH RECURSIVE counted (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM counted WHERE n < ${LIMITS.a2aMessagesPerScope})
       INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, created_at, body, context)
       SELECT 'copy_' || n, scope_no, conversation_no, sender_no, recipient_no, mode, state, created_at, body, context
         FROM messages, counted WHERE seq = ${ONE}`,
    );
    await expectFull(full, wireMessage("2"));
    expect((await free.post(wireMessage("2"))).status).toBe(200);
    await full.scope.call("sendHumanMessage", { to: full.agent.id, body: "the owner has room" });
  });

  test("have so many bytes and no more", async () => {
    const { full, free } = await fill(
      `UPDATE messages SET body = printf('%.*c', ${LIMITS.a2aBytesPerScope}, 'a') WHERE seq = ${ONE}`,
    );
    await expectFull(full, wireMessage("2"));
    expect((await free.post(wireMessage("2"))).status).toBe(200);
  });
});
