import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SESSION_HEADER, type UiSession } from "../../protocol/index.ts";
import { ownPage, type SignedInBrowser, signIn } from "../support/browser.ts";
import { TestDaemon } from "../support/daemon.ts";
import { type Answer, exchange } from "../support/http.ts";
import { EventStream } from "../support/sse.ts";
import { useDaemon } from "../support/use-daemon.ts";
import { until } from "../support/waiting.ts";

/** What a signed-in browser may, how long, and what is not that browser. */

const DAY_MS = 86_400_000;
const intercom = useDaemon();

const errorOf = ({ body }: Answer) => (body as { error?: { code: string; details?: Record<string, unknown> } }).error;
const overview = (headers: Readonly<Record<string, string>>) => intercom().send("overview", {}, { headers });
const whoAmI = (headers: Readonly<Record<string, string>>, method = "GET") =>
  exchange(intercom().address, { method, path: "/ui/session" }, { headers });

describe("a session", () => {
  test("does what the admin may, and as the owner of the scope it names", async () => {
    const { headers } = await signIn(intercom());
    const scope = await intercom().scope();
    const agent = await scope.agent("a");
    expect((await intercom().call("overview", {}, { headers })).totals.scopes).toBeGreaterThan(0);
    expect(await intercom().call("getScope", {}, { headers, scopeId: scope.id })).toMatchObject({ scopeId: scope.id });
    const { id: escalationId } = await agent.call("askHuman", { question: "May I?" });
    const answer = { escalationId, answer: "Yes" };
    await intercom().call("resolveEscalation", answer, { headers, scopeId: scope.id });
    expect(await agent.call("getEscalation", { escalationId })).toMatchObject({ status: "resolved", answer: "Yes" });
  });

  test("says who it is, and is listed with the others", async () => {
    const one = await signIn(intercom());
    const two = await signIn(intercom());
    const mine = await whoAmI(one.headers);
    expect(mine.body).toEqual({ ok: true, result: { session: one.session } });
    const sessions = await intercom().call("listUiSessions", {}, { headers: two.headers });
    const current = sessions.filter((each) => each.current);
    expect(current.map(({ id }) => id)).toEqual([two.session.id]);
    expect(sessions.map(({ id }) => id)).toContain(one.session.id);
    expect((await intercom().admin.call("listUiSessions", {})).filter((each) => each.current)).toEqual([]);
    for (const secret of [one.proof, one.cookie.split("=")[1] ?? ""])
      expect(JSON.stringify(sessions)).not.toContain(secret);
  });

  test("outlives the daemon", async () => {
    const { headers } = await signIn(intercom());
    await intercom().restart();
    // The port is another one here, so the page's origin is too.
    expect((await overview({ ...headers, ...ownPage(intercom()) })).status).toBe(200);
  });
});

describe("both secrets, from the right page", () => {
  let browser: SignedInBrowser;
  let own: Record<string, string>;
  beforeAll(async () => {
    browser = await signIn(intercom());
    own = { ...ownPage(intercom()) };
  });

  const without = (name: string) => {
    const { [name]: _gone, ...rest } = browser.headers;
    return rest;
  };

  test("are both needed", async () => {
    for (const headers of [without("Cookie"), without(SESSION_HEADER)]) {
      expect(errorOf(await overview(headers))).toMatchObject({
        code: "UNAUTHENTICATED",
        details: { reason: "missing" },
      });
      expect(errorOf(await whoAmI(headers))).toMatchObject({ code: "UNAUTHENTICATED" });
    }
  });

  test("have to be of the same session", async () => {
    const other = await signIn(intercom());
    for (const headers of [
      { ...browser.headers, Cookie: other.cookie },
      { ...browser.headers, [SESSION_HEADER]: other.proof },
      { ...browser.headers, [SESSION_HEADER]: browser.cookie.split("=")[1] ?? "" },
      { ...browser.headers, Cookie: `${browser.cookie.split("=")[0]}=${browser.proof}` },
    ]) {
      expect(errorOf(await overview(headers))).toMatchObject({ details: { reason: "unknown" } });
    }
    const both = { ...browser.headers, Cookie: `theme=dark; ${other.cookie}; ${browser.cookie}` };
    expect((await overview(both)).status).toBe(200);
  });

  test.each(["cross-site", "same-site", "none", ""])("do not count for a page that is %j", async (site) => {
    const answer = await overview({ ...browser.headers, "Sec-Fetch-Site": site });
    expect(answer.status).toBe(401);
  });

  test("do not count for a page at another port, whose requests have the cookie", async () => {
    const elsewhere = { ...browser.headers, Origin: `http://127.0.0.1:${intercom().port + 1}` };
    expect(errorOf(await overview(elsewhere))).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("count in a browser that tells of an origin only where it must", async () => {
    const { Origin: _origin, ...get } = browser.headers;
    expect((await overview(get)).status).toBe(200);
    const { "Sec-Fetch-Site": _site, ...old } = browser.headers;
    expect((await overview(old)).status).toBe(200);
    const { Origin: _none, ...neither } = old;
    expect((await overview(neither)).status).toBe(401);
  });

  test("count for nothing beside an Authorization header, which is judged alone", async () => {
    const scope = await intercom().scope();
    for (const authorization of ["Bearer wrong", "Basic eDp5", `Bearer ${scope.token}`]) {
      const answer = await overview({ ...browser.headers, Authorization: authorization });
      expect(answer.status, authorization).toBe(401);
    }
    const headers = { ...own, Authorization: `Bearer ${intercom().adminToken}` };
    expect((await overview({ ...headers, Cookie: "intercom-ui-0=x", [SESSION_HEADER]: "x" })).status).toBe(200);
  });

  test("are those of this daemon", async () => {
    const other = await TestDaemon.start();
    try {
      const theirs = await signIn(other);
      expect(theirs.cookie.split("=")[0]).not.toBe(browser.cookie.split("=")[0]);
      const headers = { ...own, Cookie: theirs.cookie, [SESSION_HEADER]: theirs.proof };
      expect(errorOf(await overview(headers))).toMatchObject({ details: { reason: "unknown" } });
    } finally {
      await other.close();
    }
  });

  test("count neither at the MCP door nor at the second listener", async () => {
    const daemon = await TestDaemon.start({ octoberBusPort: 0 });
    try {
      const { headers } = await signIn(daemon);
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
      const mcp = await exchange(daemon.address, { method: "POST", path: "/mcp", body }, { headers });
      expect(mcp.status).toBe(401);
      const second = daemon.daemon.octoberBusAddress ?? "";
      const answer = await exchange(
        second,
        { method: "GET", path: "/v1/admin/overview" },
        { headers: { ...headers, Origin: second } },
      );
      expect(answer.status).toBe(401);
    } finally {
      await daemon.close();
    }
  });
});

describe("a session ends", () => {
  const mine = (sessions: readonly UiSession[], { session }: SignedInBrowser) =>
    sessions.find(({ id }) => id === session.id);
  const list = () => intercom().admin.call("listUiSessions", {});

  test("after seven days without use; use is noted to the minute", async () => {
    const browser = await signIn(intercom());
    const since = browser.session.lastSeenAt;
    await intercom().advance(59_999);
    await overview(browser.headers);
    expect(mine(await list(), browser)?.lastSeenAt).toBe(since);
    await intercom().advance(1);
    const now = intercom().clock.instant();
    await overview(browser.headers);
    await until("the use is noted", async () => mine(await list(), browser)?.lastSeenAt === now);
    expect(mine(await list(), browser)?.expiresAt).toBe(intercom().clock.instant(7 * DAY_MS));
    await intercom().advance(7 * DAY_MS - 1);
    expect(mine(await list(), browser)).toBeDefined();
    await intercom().advance(1);
    expect(mine(await list(), browser)).toBeUndefined();
    expect(errorOf(await overview(browser.headers))).toMatchObject({ details: { reason: "expired" } });
    expect(errorOf(await whoAmI(browser.headers))).toMatchObject({ details: { reason: "expired" } });
  });

  test("after thirty days, however much it is used", async () => {
    const browser = await signIn(intercom());
    for (let day = 0; day < 29; day += 1) {
      await intercom().advance(DAY_MS);
      const now = intercom().clock.instant();
      expect((await overview(browser.headers)).status).toBe(200);
      await until("the use is noted", async () => mine(await list(), browser)?.lastSeenAt === now);
    }
    await intercom().advance(DAY_MS);
    expect(errorOf(await overview(browser.headers))).toMatchObject({ details: { reason: "expired" } });
  });

  test("when it is signed out, with its cookie", async () => {
    const browser = await signIn(intercom());
    const answer = await whoAmI(browser.headers, "DELETE");
    expect(answer.body).toEqual({ ok: true, result: { ended: true } });
    expect(answer.headers.getSetCookie()).toEqual([
      `${browser.cookie.split("=")[0]}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`,
    ]);
    expect(errorOf(await overview(browser.headers))).toMatchObject({ details: { reason: "unknown" } });
    expect((await whoAmI(browser.headers, "DELETE")).body).toEqual({ ok: true, result: { ended: false } });
  });

  test("by its own page only", async () => {
    const browser = await signIn(intercom());
    for (const site of ["cross-site", "same-site"]) {
      expect((await whoAmI({ ...browser.headers, "Sec-Fetch-Site": site }, "DELETE")).status).toBe(403);
    }
    const { [SESSION_HEADER]: _proof, ...cookieOnly } = browser.headers;
    expect((await whoAmI(cookieOnly, "DELETE")).body).toEqual({ ok: true, result: { ended: false } });
    expect((await overview(browser.headers)).status).toBe(200);
  });

  test("when somebody else ends it, once", async () => {
    const [browser, other] = [await signIn(intercom()), await signIn(intercom())];
    const sessionId = browser.session.id;
    const end = () => intercom().call("endUiSession", { sessionId }, { headers: other.headers });
    expect(await end()).toEqual({ ended: true });
    expect(await end()).toEqual({ ended: false });
    expect((await overview(browser.headers)).status).toBe(401);
    expect((await overview(other.headers)).status).toBe(200);
  });
});

describe("an event stream of a session", () => {
  const streams: EventStream[] = [];
  afterAll(() => {
    for (const stream of streams) stream.close();
  });
  const follow = async ({ headers }: SignedInBrowser) => {
    const stream = await EventStream.open(`${intercom().address}/v1/admin/events`, { ...headers });
    streams.push(stream);
    return stream;
  };

  test("follows like the admin's own, and ends with its session and no other", async () => {
    const [browser, other] = [await signIn(intercom()), await signIn(intercom())];
    const [stream, kept] = [await follow(browser), await follow(other)];
    const { id } = await intercom().scope();
    await stream.take(1);
    expect(stream.events[0]).toMatchObject({ type: "scope.created", scopeId: id });
    await intercom().admin.call("endUiSession", { sessionId: browser.session.id });
    await until("the stream ends", () => stream.ended);
    await intercom().scope();
    await kept.take(2);
    expect(kept.ended).toBe(false);
    expect(stream.events).toHaveLength(1);
  });

  test("ends when the browser signs out", async () => {
    const browser = await signIn(intercom());
    const stream = await follow(browser);
    await whoAmI(browser.headers, "DELETE");
    await until("the stream ends", () => stream.ended);
  });

  test("is refused to who is not signed in", async () => {
    const { [SESSION_HEADER]: _proof, ...headers } = (await signIn(intercom())).headers;
    const answer = await exchange(intercom().address, { method: "GET", path: "/v1/admin/events" }, { headers });
    expect(answer.status).toBe(401);
  });
});
