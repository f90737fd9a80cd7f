import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { productVersion } from "../../../daemon/runtime/index.ts";
import { PublishedAgent } from "../../support/a2a.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { type RawAnswer, rawRequest } from "../../support/raw.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
const CARD = ".well-known/agent-card.json";

/** Asks for a card without any of fetch's manners. */
function read(id: string, headers: Record<string, string> = {}, method = "GET"): Promise<RawAnswer> {
  const host = `127.0.0.1:${intercom().port}`;
  const path = `/a2a/agents/${id}/${CARD}`;
  return rawRequest(intercom().port, { method, path, headers: { Host: host, ...headers } });
}

const header = (answer: RawAnswer, name: string) => String(answer.headers[name]);

test("the card says what a client needs and nothing else", async () => {
  const published = await PublishedAgent.make(intercom(), {
    displayName: "Ada",
    summary: "a secret summary",
    metadata: { cwd: "/a/secret/path" },
    capabilities: [{ name: "review", description: "Reads changes" }, { name: "rust" }],
  });
  const { publication } = published;
  const answer = await read(publication.id);
  expect(answer.status).toBe(200);
  expect(header(answer, "content-type")).toBe("application/json");
  expect(JSON.parse(answer.text)).toEqual({
    name: "Ada",
    description: expect.stringMatching(/\.$/),
    version: productVersion(),
    supportedInterfaces: [{ url: publication.interfaceUrl, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" }],
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [
      { id: "review", name: "review", description: "Reads changes", tags: ["review"] },
      { id: "rust", name: "rust", description: expect.stringContaining("rust"), tags: ["rust"] },
    ],
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  });
  for (const inside of [published.scope.id, published.agent.executionId, "secret", `"${published.agent.id}"`]) {
    expect(answer.text).not.toContain(inside);
  }
});

test("the card's address is the one the owner sets, never that of the request", async () => {
  const publicUrl = "https://agents.example/base";
  const daemon = await TestDaemon.start({ settings: { publicUrl } });
  try {
    const { publication } = await PublishedAgent.make(daemon);
    expect(publication.interfaceUrl).toBe(`${publicUrl}/a2a/agents/${publication.id}`);
    expect(publication.cardUrl).toBe(`${publication.interfaceUrl}/${CARD}`);
    const answer = await rawRequest(daemon.port, {
      path: new URL(publication.cardUrl).pathname.slice("/base".length),
      headers: { Host: "localhost:1" },
    });
    expect(JSON.parse(answer.text).supportedInterfaces[0].url).toBe(publication.interfaceUrl);
  } finally {
    await daemon.close();
  }
});

describe("what a client has read", () => {
  async function known() {
    const published = await PublishedAgent.make(intercom());
    const answer = await read(published.publication.id);
    return { published, answer, etag: header(answer, "etag"), date: header(answer, "last-modified") };
  }

  test("may be kept and must be asked about", async () => {
    const { published, answer, etag, date } = await known();
    expect(header(answer, "cache-control")).toBe("public, max-age=0");
    expect(etag).toBe(`"${createHash("sha256").update(answer.text).digest("hex")}"`);
    expect(date).toBe(new Date(published.publication.updatedAt).toUTCString());
  });

  test("is not sent again while it is the same", async () => {
    const { published, etag, date } = await known();
    const later = new Date(Date.parse(date) + 1000).toUTCString();
    for (const headers of [
      { "If-None-Match": etag },
      { "If-None-Match": `W/${etag}` },
      { "If-None-Match": `"other", ${etag}` },
      { "If-None-Match": "*" },
      { "If-Modified-Since": date },
      { "If-Modified-Since": later },
      { "If-None-Match": etag, "If-Modified-Since": new Date(0).toUTCString() },
    ]) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await read(published.publication.id, headers as Record<string, string>, method);
        expect(answer, JSON.stringify(headers)).toMatchObject({ status: 304, text: "" });
        expect(answer.headers).toMatchObject({ etag, "last-modified": date, "cache-control": "public, max-age=0" });
        expect(header(answer, "access-control-allow-origin")).toBe("*");
      }
    }
  });

  test("is sent again where the client knows another one", async () => {
    const { published, answer, etag, date } = await known();
    const earlier = new Date(Date.parse(date) - 1000).toUTCString();
    for (const headers of [
      { "If-None-Match": '"other"' },
      { "If-None-Match": etag.slice(1, -1) },
      { "If-None-Match": '"other"', "If-Modified-Since": date },
      { "If-Modified-Since": earlier },
      { "If-Modified-Since": "yesterday" },
    ]) {
      const again = await read(published.publication.id, headers as Record<string, string>);
      expect(again, JSON.stringify(headers)).toMatchObject({ status: 200, text: answer.text });
    }
  });

  test.each([
    ["its profile", (published: PublishedAgent) => published.agent.call("updateProfile", { displayName: "Grace" })],
    [
      "what it can do",
      (published: PublishedAgent) => published.agent.call("updateProfile", { capabilities: [{ name: "go" }] }),
    ],
    ["its session and its name", (published: PublishedAgent) => published.scope.agent("ada", { displayName: "Grace" })],
  ])("is old once the agent changes %s", async (_what, change) => {
    const { published, etag, date } = await known();
    intercom().clock.advance(5000);
    await change(published);
    const answer = await read(published.publication.id, { "If-None-Match": etag });
    expect(answer.status).toBe(200);
    expect(header(answer, "etag")).not.toBe(etag);
    expect(Date.parse(header(answer, "last-modified"))).toBeGreaterThan(Date.parse(date));
    expect((await read(published.publication.id, { "If-Modified-Since": date })).status).toBe(200);
  });

  test.each([
    ["says that it is there", (published: PublishedAgent) => published.agent.ready()],
    ["changes its summary", (published: PublishedAgent) => published.agent.call("updateProfile", { summary: "busy" })],
    ["starts again as it was", (published: PublishedAgent) => published.scope.agent("ada", { leaseMs: 60_000 })],
  ])("stays new when the agent %s", async (_what, change) => {
    const { published, etag, date } = await known();
    intercom().clock.advance(5000);
    await change(published);
    expect((await read(published.publication.id, { "If-None-Match": etag })).status).toBe(304);
    expect((await read(published.publication.id, { "If-Modified-Since": date })).status).toBe(304);
  });
});

test("HEAD answers like GET, without the card", async () => {
  const { publication } = await PublishedAgent.make(intercom());
  const [get, head] = [await read(publication.id), await read(publication.id, {}, "HEAD")];
  expect(head).toMatchObject({ status: 200, text: "" });
  const steady = ({ headers: { date, ...headers } }: RawAnswer) => headers;
  expect(steady(head)).toEqual(steady(get));
});

describe("a page of another origin", () => {
  const Origin = "https://page.example";

  test("may read the card", async () => {
    const { publication } = await PublishedAgent.make(intercom());
    const answer = await read(publication.id, { Origin });
    expect(answer.status).toBe(200);
    expect(header(answer, "access-control-allow-origin")).toBe("*");
  });

  test("is told so before", async () => {
    const { publication } = await PublishedAgent.make(intercom());
    const headers = { Origin, "Access-Control-Request-Method": "GET" };
    const answer = await read(publication.id, headers, "OPTIONS");
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers).toMatchObject({ allow: "GET, HEAD, OPTIONS", "access-control-allow-origin": "*" });
  });

  test("may not send messages", async () => {
    const published = await PublishedAgent.make(intercom());
    for (const [method, path] of [
      ["POST", "message:send"],
      ["OPTIONS", "message:send"],
      ["POST", "message:stream"],
    ] as const) {
      const answer = await rawRequest(intercom().port, {
        method,
        path: `/a2a/agents/${published.publication.id}/${path}`,
        headers: { Host: "localhost", Origin, Authorization: `Bearer ${published.credential}` },
      });
      expect(answer.status, `${method} ${path}`).toBe(403);
      expect(header(answer, "access-control-allow-origin")).toBe("undefined");
    }
  });

  test("other methods are named", async () => {
    const { publication } = await PublishedAgent.make(intercom());
    for (const method of ["POST", "PUT", "DELETE"]) {
      expect((await read(publication.id, {}, method)).status).toBe(405);
    }
  });
});

test("a card that is not shown is no card, whatever the reason", async () => {
  const [hidden, removed, enabledAgain] = [
    await PublishedAgent.make(intercom()),
    await PublishedAgent.make(intercom()),
    await PublishedAgent.make(intercom()),
  ];
  await hidden.scope.call("disableAgentCardPublication", { publicationId: hidden.publication.id });
  await removed.scope.call("removeAgent", { agentId: removed.agent.id });
  await enabledAgain.scope.call("removeAgent", { agentId: enabledAgain.agent.id });
  await enabledAgain.scope.call("enableAgentCardPublication", { publicationId: enabledAgain.publication.id });
  const steady = ({ status, text, headers: { date, ...headers } }: RawAnswer) => ({ status, text, headers });
  const unknown = steady(await read("pub_unknown"));
  expect(unknown).toMatchObject({ status: 404, headers: { "cache-control": "no-store" } });
  for (const id of [hidden.publication.id, removed.publication.id, enabledAgain.publication.id, "%00", "a%2Fb", "-"]) {
    expect(steady(await read(id)), id).toEqual(unknown);
  }
  const { id } = hidden.publication;
  expect((await read(id, {}, "HEAD")).status).toBe(404);
  await hidden.scope.call("enableAgentCardPublication", { publicationId: id });
  expect((await read(id)).status).toBe(200);
});
