import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { LogRecord } from "../../daemon/runtime/logger.ts";
import { createLogger } from "../../daemon/runtime/logger.ts";
import { SESSION_HEADER } from "../../protocol/index.ts";
import { ownPage, presentCode, signIn, signInCode } from "../support/browser.ts";
import { exchange } from "../support/http.ts";
import { useDaemon } from "../support/use-daemon.ts";

/** How a browser is signed in: by a link that is good once, for a minute, from a page of the daemon itself. */

const logged: LogRecord[] = [];
const logger = createLogger({ level: "debug", sinks: [{ write: (record) => void logged.push(record) }] });
const intercom = useDaemon({ logger });

const errorOf = (answer: { readonly body: unknown }) =>
  (answer.body as { error?: { code: string; message: string; details?: Record<string, unknown> } }).error;
const reasonOf = (answer: { readonly body: unknown }) => errorOf(answer)?.details?.reason;

describe("a sign-in link", () => {
  test("has its code in the fragment alone, and says until when it is good", async () => {
    const { url, expiresAt } = await intercom().admin.call("createSignInLink", {});
    const { origin, pathname, search, hash } = new URL(url);
    expect({ origin, pathname, search }).toEqual({ origin: intercom().address, pathname: "/ui/", search: "" });
    expect(hash).toMatch(/^#sign-in=[\w-]{43}$/);
    expect(expiresAt).toBe(intercom().clock.instant(60_000));
    expect((await intercom().admin.call("createSignInLink", {})).url).not.toBe(url);
  });

  test("gives a cookie scripts cannot read, a proof, and nothing that is stored as it is", async () => {
    const code = await signInCode(intercom());
    const answer = await presentCode(intercom(), code, {
      ...ownPage(intercom()),
      "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { proof, session } = (answer.body as { result: { proof: string; session: { id: string } } }).result;
    expect(session).toMatchObject({ userAgent: "Firefox 128 on Linux", current: true });
    expect(proof).toMatch(/^[\w-]{43}$/);
    const [cookie = "", ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^intercom-ui-[0-9a-f]{16}=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
    const secret = /=([\w-]{43});/.exec(cookie)?.[1] ?? "";
    const stored = intercom().sql((database) =>
      JSON.stringify([
        database.prepare("SELECT * FROM ui_sessions").all(),
        database.prepare("SELECT * FROM ui_sign_in_codes").all(),
      ]),
    );
    for (const value of [code, proof, secret]) {
      expect(value).not.toBe("");
      expect(stored).not.toContain(value);
      expect(JSON.stringify(logged)).not.toContain(value);
    }
    expect(JSON.stringify(logged)).toContain(session.id);
  });

  test("is good once: whoever comes again, in whatever order, is told so", async () => {
    const code = await signInCode(intercom());
    const answers = await Promise.all([1, 2, 3].map(() => presentCode(intercom(), code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    const again = await presentCode(intercom(), code);
    expect(errorOf(again)).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "used" } });
    expect(again.headers.getSetCookie()).toEqual([]);
    await intercom().advance(61_000);
    expect(reasonOf(await presentCode(intercom(), code))).toBe("used");
    await intercom().restart();
    expect(reasonOf(await presentCode(intercom(), code))).toBe("used");
  });

  test("is good for a minute, also over a restart, and later forgotten", async () => {
    const [inTime, late] = [await signInCode(intercom()), await signInCode(intercom())];
    await intercom().restart();
    await intercom().advance(59_999);
    expect((await presentCode(intercom(), inTime)).status).toBe(201);
    await intercom().advance(1);
    expect(errorOf(await presentCode(intercom(), late))).toMatchObject({
      code: "UNAUTHENTICATED",
      details: { reason: "expired" },
    });
    await intercom().advance(2 * 3_600_000);
    await signInCode(intercom());
    expect(reasonOf(await presentCode(intercom(), late))).toBe("unknown");
  });

  test("cannot be guessed, nor found by something that is nearly it", async () => {
    await intercom().advance(60_000);
    const code = await signInCode(intercom());
    const flipped = (code.startsWith("A") ? "B" : "A") + code.slice(1);
    for (const guess of ["", "a", flipped, code.slice(0, -1), `${code} `, code.toUpperCase(), "A".repeat(43)]) {
      const answer = await presentCode(intercom(), guess);
      expect(errorOf(answer)).toEqual({
        code: "UNAUTHENTICATED",
        message: "This sign-in link is not known here",
        details: { reason: "unknown" },
      });
    }
    expect((await presentCode(intercom(), code)).status).toBe(201);
  });

  test("is no longer answered after many failures, until the next minute", async () => {
    await intercom().advance(60_000);
    const code = await signInCode(intercom());
    for (let failed = 0; failed < 20; failed += 1) expect((await presentCode(intercom(), "x")).status).toBe(401);
    const limited = await presentCode(intercom(), code);
    expect(errorOf(limited)).toMatchObject({ code: "BACKPRESSURE", details: { reason: "rate" } });
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
    await intercom().advance(59_000);
    // A limit that hides what became of the link would be worse than none.
    await intercom().advance(1000);
    expect(reasonOf(await presentCode(intercom(), code))).toBe("expired");
    expect((await presentCode(intercom(), await signInCode(intercom()))).status).toBe(201);
  });

  test("leaves at most a hundred codes and fifty sessions behind", async () => {
    const codes: string[] = [];
    for (let count = 0; count < 110; count += 1) codes.push(await signInCode(intercom()));
    const count = (table: string) =>
      intercom().sql((database) => (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n);
    expect(count("ui_sign_in_codes")).toBe(100);
    const first = await signIn(intercom());
    await intercom().advance(1);
    for (let made = 0; made < 50; made += 1) await signIn(intercom());
    expect(count("ui_sessions")).toBe(50);
    expect((await intercom().send("overview", {}, first)).status).toBe(401);
  });
});

describe("signing in", () => {
  const refusals = (address: string): [string, Record<string, string>][] => {
    const own = ownPage({ address });
    const port = Number(new URL(address).port);
    return [
      ["nobody says whose page it is", { "Sec-Fetch-Site": "same-origin" }],
      ["no header of a browser at all", {}],
      ["another origin", { ...own, Origin: "http://evil.example" }],
      ["another port of this machine", { ...own, Origin: `http://127.0.0.1:${port + 1}` }],
      ["another name of this machine", { ...own, Origin: `http://localhost:${port}` }],
      ["an opaque origin", { ...own, Origin: "null" }],
      ["a page of another site", { ...own, "Sec-Fetch-Site": "cross-site" }],
      ["a page at another port", { ...own, "Sec-Fetch-Site": "same-site" }],
      ["a link somebody typed", { ...own, "Sec-Fetch-Site": "none" }],
    ];
  };

  test.each(refusals("http://127.0.0.1:1").map(([name], index) => [name, index] as const))(
    "is refused when it is %s that asks, and the code stays good",
    async (_name, index) => {
      const code = await signInCode(intercom());
      const [, headers] = refusals(intercom().address)[index] as [string, Record<string, string>];
      const answer = await presentCode(intercom(), code, headers);
      expect(errorOf(answer)).toMatchObject({ code: "PERMISSION_DENIED", details: { reason: "origin" } });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect((await presentCode(intercom(), code)).status).toBe(201);
    },
  );

  const asRoot = process.platform === "linux" && process.getuid?.() === 0 ? test : test.skip;

  asRoot("is refused to programs of another user, who may read what a browser was started with", async () => {
    const code = await signInCode(intercom());
    const init = {
      method: "POST",
      headers: { ...ownPage(intercom()), "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
    };
    const source = `fetch(${JSON.stringify(`${intercom().address}/ui/session`)}, ${JSON.stringify(init)})
      .then((response) => response.json()).then((body) => console.log(JSON.stringify(body)))`;
    const nobody = 65_534;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", source], { uid: nobody, cwd: "/", env: {} });
    expect(errorOf({ body: JSON.parse(stdout) })).toMatchObject({
      code: "PERMISSION_DENIED",
      details: { reason: "user" },
    });
    expect((await presentCode(intercom(), code)).status).toBe(201);
  });

  test("takes JSON that a form cannot send, with the code and nothing else", async () => {
    const code = await signInCode(intercom());
    const post = (body: string, type: string) =>
      exchange(
        intercom().address,
        { method: "POST", path: "/ui/session", body },
        { headers: { ...ownPage(intercom()), "Content-Type": type } },
      );
    const right = JSON.stringify({ code });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      expect(errorOf(await post(right, type))).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    for (const body of ["", "{", "[]", "null", '{"code":1}', `{"code":"${code}","more":1}`, '{"code":["x"]}']) {
      expect(errorOf(await post(body, "application/json")), body).toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(errorOf(await post(JSON.stringify({ code: "x".repeat(2 << 20) }), "application/json"))).toMatchObject({
      details: { reason: "too_large" },
    });
    expect((await presentCode(intercom(), code)).status).toBe(201);
  });

  test("is for browsers of the user: no other credential makes a link", async () => {
    const scope = await intercom().scope();
    const agent = await scope.agent("a");
    for (const token of [scope.token, agent.token, "", "A".repeat(43)]) {
      expect(await intercom().refused("createSignInLink", {}, { token })).toMatchObject({ code: "UNAUTHENTICATED" });
    }
  });

  test("knows a few methods", async () => {
    for (const method of ["PUT", "PATCH", "OPTIONS"]) {
      const answer = await exchange(
        intercom().address,
        { method, path: "/ui/session" },
        { headers: ownPage(intercom()) },
      );
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("DELETE, GET, POST");
      expect(answer.headers.get("x-frame-options")).toBe("DENY");
    }
  });

  test("a proof is of no use in a body, a query or another header", async () => {
    const { cookie, proof } = await signIn(intercom());
    const headers = { ...ownPage(intercom()), Cookie: `${cookie}; ${SESSION_HEADER}=${proof}`, "X-Session": proof };
    const answer = await exchange(
      intercom().address,
      { method: "GET", path: `/v1/admin/overview?${SESSION_HEADER}=${proof}` },
      { headers },
    );
    expect(answer.status).toBe(401);
  });
});
