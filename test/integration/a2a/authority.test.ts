import { beforeAll, describe, expect, test } from "vitest";
import { failureOf, PublishedAgent, wireMessage } from "../../support/a2a.ts";
import { exchange } from "../../support/http.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

/** What A2A 1.0 has and this interface does not. */
const UNSUPPORTED: readonly (readonly [method: string, path: string])[] = [
  ["POST", "message:stream"],
  ["GET", "tasks"],
  ["GET", "tasks?contextId=x&pageSize=5"],
  ["POST", "tasks/a2at_x:cancel"],
  ["POST", "tasks/a2at_x:subscribe"],
  ["GET", "tasks/a2at_x:subscribe"],
  ["POST", "tasks/a2at_x/pushNotificationConfigs"],
  ["GET", "tasks/a2at_x/pushNotificationConfigs"],
  ["GET", "tasks/a2at_x/pushNotificationConfigs/c"],
  ["DELETE", "tasks/a2at_x/pushNotificationConfigs/c"],
  ["GET", "extendedAgentCard"],
];

const SUPPORTED: readonly (readonly [method: string, path: string])[] = [
  ["POST", "message:send"],
  ["GET", "tasks/a2at_x"],
];

/** Credentials that are none for the publication. */
const STRANGERS: readonly (readonly [
  who: string,
  token: (published: PublishedAgent) => Promise<string | undefined>,
])[] = [
  ["nobody", async () => undefined],
  ["a token nobody was given", async () => "x".repeat(43)],
  ["the admin", async () => intercom().adminToken],
  ["the owner", async (published) => published.scope.token],
  ["the agent itself", async (published) => published.agent.token],
  [
    "a reader of outputs",
    async ({ scope }) => {
      const { id: streamId } = await scope.call("createOutputStream", { name: "news" });
      const issue = { streamId, label: "reader", permissions: ["read" as const] };
      return (await scope.call("createOutputPrincipal", issue)).credential;
    },
  ],
  [
    "a client of another agent of the scope",
    async ({ scope }) => {
      const { id } = await scope.call("publishAgentCard", { agentId: (await scope.agent("bob")).id });
      return (await scope.call("createA2aPrincipal", { publicationId: id, label: "client" })).credential;
    },
  ],
  ["a client of another scope's agent", async () => (await PublishedAgent.make(intercom())).credential],
  [
    "a client that was disabled",
    async ({ scope, principalId, credential }) => {
      await scope.call("disableA2aPrincipal", { principalId });
      return credential;
    },
  ],
  [
    "a client whose credential was rotated",
    async ({ scope, principalId, credential }) => {
      await scope.call("rotateA2aPrincipal", { principalId });
      return credential;
    },
  ],
  [
    "a client of an agent that is no longer published",
    async ({ scope, publication, credential }) => {
      await scope.call("disableAgentCardPublication", { publicationId: publication.id });
      return credential;
    },
  ],
  [
    "a client of an agent that was removed",
    async ({ scope, agent, publication, credential }) => {
      await scope.call("removeAgent", { agentId: agent.id });
      await scope.call("enableAgentCardPublication", { publicationId: publication.id });
      return credential;
    },
  ],
  [
    "a client of a scope whose token was rotated",
    async ({ scope, credential }) => {
      await intercom().admin.call("rotateScopeToken", { scopeId: scope.id });
      return credential;
    },
  ],
  [
    "a client of a scope that is gone",
    async ({ scope, credential }) => {
      await intercom().admin.call("deleteScope", { scopeId: scope.id, confirmScopeId: scope.id });
      return credential;
    },
  ],
];

const refused = {
  httpStatus: 401,
  status: "UNAUTHENTICATED",
  reason: "UNAUTHENTICATED",
  message: "Invalid A2A credential",
};

describe.each(STRANGERS)("%s", (who, tokenFor) => {
  let published: PublishedAgent;
  let headers: Record<string, string>;
  beforeAll(async () => {
    published = await PublishedAgent.make(intercom());
    const token = await tokenFor(published);
    headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  });

  test("is refused before anything else is looked at", async () => {
    const before = who === "a client of a scope that is gone" ? undefined : published.work();
    for (const [method, path] of [...SUPPORTED, ...UNSUPPORTED]) {
      const bodies = method === "POST" ? [JSON.stringify(wireMessage()), "{", ""] : [undefined];
      for (const body of bodies) {
        for (const more of [{}, { "A2A-Version": "0.3" }, { "Content-Type": "text/plain" }]) {
          const request = { method, path: `/a2a/agents/${published.publication.id}/${path}`, body };
          const answer = await exchange(intercom().address, request, { headers: { ...headers, ...more } });
          expect(failureOf(answer), `${method} ${path}`).toEqual(refused);
          expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        }
      }
    }
    if (before !== undefined) expect(published.work()).toBe(before);
  });
});

describe("a client", () => {
  test.each(UNSUPPORTED)("is told that %s %s does not exist here", async (method, path) => {
    const published = await PublishedAgent.make(intercom());
    const before = published.work();
    const body = method === "POST" ? wireMessage() : undefined;
    expect(failureOf(await published.ask(method, path, body))).toMatchObject({
      httpStatus: 400,
      status: "FAILED_PRECONDITION",
      reason: "UNSUPPORTED_OPERATION",
    });
    expect(published.work()).toBe(before);
  });

  test("hears so from its SDK", async () => {
    const published = await PublishedAgent.make(intercom());
    const client = await published.client();
    const unsupported = { name: "UnsupportedOperationError" };
    const task = { tenant: "", id: "a2at_x" };
    await expect(client.cancelTask({ ...task, metadata: undefined })).rejects.toMatchObject(unsupported);
    await expect(client.resubscribeTask(task).next()).rejects.toBeDefined();
    const stranger = await published.other();
    await published.scope.call("disableA2aPrincipal", { principalId: stranger.principalId });
    await expect((await stranger.client()).getTask({ ...task, historyLength: undefined })).rejects.toMatchObject({
      statusCode: 401,
      message: "Invalid A2A credential",
    });
  });

  test.each([
    "",
    "message",
    "message:receive",
    "tasks/",
    "tasks/a/b",
    "v1/message:send",
    "acme/message:send",
    "jsonrpc",
  ])("finds nothing at %j", async (path) => {
    const published = await PublishedAgent.make(intercom());
    expect(await published.ask("GET", path)).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
  });

  test.each([
    ["GET", "message:send", "POST"],
    ["PUT", "message:send", "POST"],
    ["DELETE", "tasks/a2at_x", "GET"],
  ])("may not %s %s", async (method, path, allow) => {
    const published = await PublishedAgent.make(intercom());
    const answer = await published.ask(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe(allow);
  });

  test("may use a new credential at once, and again what was enabled again", async () => {
    const published = await PublishedAgent.make(intercom());
    const { scope, principalId, publication } = published;
    const send = (credential: string) => published.ask("POST", "message:send", wireMessage(), {}, credential);
    const { credential } = await scope.call("rotateA2aPrincipal", { principalId });
    expect((await send(credential)).status).toBe(200);
    await scope.call("disableAgentCardPublication", { publicationId: publication.id });
    expect((await send(credential)).status).toBe(401);
    await scope.call("enableAgentCardPublication", { publicationId: publication.id });
    await scope.call("disableA2aPrincipal", { principalId });
    expect((await send(credential)).status).toBe(401);
    await scope.call("enableA2aPrincipal", { principalId });
    expect((await send(credential)).status).toBe(200);
  });
});

test("tasks are shown to the client that began them, and to nobody else", async () => {
  const published = await PublishedAgent.make(intercom());
  const { task } = (await published.post(wireMessage("a secret"))).body as { task: { id: string } };
  const path = `tasks/${task.id}`;
  expect((await published.ask("GET", path)).status).toBe(200);
  for (const stranger of [await published.other(), await PublishedAgent.make(intercom())]) {
    const answer = await stranger.ask("GET", path);
    expect(failureOf(answer)).toMatchObject({ httpStatus: 404, reason: "TASK_NOT_FOUND" });
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    const before = [published.work(), stranger.work()];
    const continued = await stranger.post(wireMessage("mine now", { taskId: task.id }));
    expect(failureOf(continued)).toMatchObject({ httpStatus: 404, reason: "TASK_NOT_FOUND" });
    expect([published.work(), stranger.work()]).toEqual(before);
  }
});
