import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IntercomError } from "../protocol/index.ts";
import { type Script, scriptedFetch } from "../test/fixtures/scripted-fetch.ts";
import { failureReason } from "./failure.ts";
import { type ConnectionOptions, Transport } from "./transport.ts";

const KEY = /^[0-9a-z]{9}-[0-9a-f]{8}-[0-9a-f]{4}-4/;
const receipt = { messageId: "msg_1", state: "queued", acceptedAt: "2026-01-01T00:00:00.000Z" } as const;

function transport(script: Script, options: Partial<ConnectionOptions> = {}, scopeId?: string) {
  const scripted = scriptedFetch(script);
  const connection = { address: "http://127.0.0.1:4766/", fetch: scripted.fetch, random: () => 0, ...options };
  return { ...scripted, transport: new Transport(connection, () => ({ token: "secret", scopeId })) };
}

/** For answers the script cannot give. */
function answering(...answers: (Response | Error)[]) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    requests.push({ url, init });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Response) return answer.clone();
    throw answer;
  };
  const connection = { address: "http://127.0.0.1:4766", fetch, random: () => 0 };
  return { requests, transport: new Transport(connection, () => ({ token: "secret", scopeId: undefined })) };
}

const backpressure = (headers: Record<string, string>) =>
  Response.json({ ok: false, error: { code: "BACKPRESSURE", message: "later" } }, { status: 429, headers });
const success = (result: unknown) => Response.json({ ok: true, result });

async function rejection(promise: Promise<unknown>): Promise<IntercomError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(IntercomError);
  return error as IntercomError;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("requests", () => {
  it("escapes what stands in the path and leaves it out of the body", async () => {
    const { transport: t, requests } = answering(success({}));
    await t.call("resolveEscalation", { escalationId: "a/b?c", answer: "yes" });
    expect(requests[0]?.url).toBe("http://127.0.0.1:4766/v1/scope/escalations/a%2Fb%3Fc/resolve");
    expect(JSON.parse(requests[0]?.init.body as string)).toEqual({ answer: "yes" });
  });

  it.each(["", ".", ".."])("refuses %j in a path", async (taskId) => {
    const { transport: t, requests } = answering(success({}));
    expect((await rejection(t.call("getTask", { taskId }))).code).toBe("INVALID_ARGUMENT");
    expect(requests).toHaveLength(0);
  });

  it("puts fields of GET in the query and omits what is undefined", async () => {
    const { transport: t, requests } = answering(success([]));
    await t.call("listTasksPage", { ready: false, limit: 5, after: undefined });
    expect(requests[0]?.url).toBe("http://127.0.0.1:4766/v1/tasks/page?ready=false&limit=5");
    expect(requests[0]?.init.body).toBeUndefined();
  });

  it("sends a body with DELETE where the table says so, and otherwise a query", async () => {
    const { transport: t, requests } = answering(success({}));
    await t.call("deleteScope", { scopeId: "s", confirmScopeId: "s" });
    await t.call("unlinkAgents", { left: "a", right: "b" });
    expect(requests[0]?.init.body).toBe('{"confirmScopeId":"s"}');
    expect(requests[1]?.url).toBe("http://127.0.0.1:4766/v1/links?left=a&right=b");
    expect(requests[1]?.init.body).toBeUndefined();
  });

  it("sends an empty object as the body of a POST without fields", async () => {
    const { transport: t, requests } = answering(success({}));
    await t.call("retire", {});
    expect(requests[0]?.init.body).toBe("{}");
  });

  it("names the scope it acts for, and nobody to a route without credential", async () => {
    const { transport: t, calls } = transport({ listAgents: () => [], liveness: () => ({}) as never }, {}, "team");
    await t.call("listAgents", {});
    await t.call("liveness", {});
    expect(calls[0]?.headers).toMatchObject({ Authorization: "Bearer secret", "Intercom-Scope": "team" });
    expect(calls[1]?.headers).toEqual({ Accept: "application/json" });
  });

  it("gives each call that takes a key one of its own", async () => {
    const { transport: t, calls } = transport({ sendMessage: () => receipt, listPeers: () => [] });
    await t.call("sendMessage", { to: "b", body: "x" });
    await t.call("sendMessage", { to: "b", body: "x" });
    await t.call("sendMessage", { to: "b", body: "x" }, { idempotencyKey: "mine" });
    await t.call("sendMessage", { to: "b", body: "x", idempotencyKey: "field" });
    await t.call("listPeers", {});
    const keys = calls.map((call) => call.headers["Idempotency-Key"]);
    expect(keys[0]).toMatch(KEY);
    expect(keys[1]).toMatch(KEY);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys.slice(2)).toEqual(["mine", "field", undefined]);
  });

  it("refuses an address that is none", () => {
    expect(() => new Transport({ address: "127.0.0.1:4766" }, () => undefined)).toThrow(/address/);
    expect(() => new Transport({ address: "ftp://x" }, () => undefined)).toThrow(/address/);
  });

  it("keeps a path prefix and does not follow redirects", async () => {
    const scripted = answering(success([]));
    const t = new Transport({ ...scripted.transport.connection, address: "https://host/bus/" }, () => undefined);
    await t.call("listPeers", {});
    expect(scripted.requests[0]?.url).toBe("https://host/bus/v1/peers");
    expect(scripted.requests[0]?.init.redirect).toBe("manual");
  });
});

describe("answers", () => {
  it("returns null results", async () => {
    const { transport: t } = transport({ reserveInbox: () => null });
    expect(await t.call("reserveInbox", {})).toBeNull();
  });

  it("returns bare health with status 503, but throws a refusal in its place", async () => {
    const bare = answering(Response.json({ name: "agent-intercom", status: "not_ready" }, { status: 503 }));
    expect(await bare.transport.call("health", {})).toEqual({ name: "agent-intercom", status: "not_ready" });
    const refused = answering(
      Response.json({ ok: false, error: { code: "PERMISSION_DENIED", message: "Host" } }, { status: 403 }),
    );
    expect((await rejection(refused.transport.call("health", {}))).code).toBe("PERMISSION_DENIED");
  });

  it("throws the daemon's error with code, message and details", async () => {
    const { transport: t } = transport({
      whoAmI: () => {
        throw new IntercomError("UNAUTHENTICATED", "gone", { reason: "replaced" });
      },
    });
    const error = await rejection(t.call("whoAmI", {}));
    expect(error.toValue()).toEqual({ code: "UNAUTHENTICATED", message: "gone", details: { reason: "replaced" } });
  });

  it.each([
    ["HTML", new Response("<html>", { status: 502 })],
    ["other JSON", Response.json({ hello: 1 }, { status: 404 })],
    ["success without result", Response.json({ ok: true })],
    ["an unknown code", Response.json({ ok: false, error: { code: "TEAPOT", message: "?" } }, { status: 418 })],
  ])("calls %s a protocol failure", async (_, response) => {
    const error = await rejection(answering(response).transport.call("listPeers", {}));
    expect(error.code).toBe("INTERNAL");
    expect(failureReason(error)).toBe("protocol");
  });
});

describe("repetition", () => {
  it("repeats after network failures with the same key, then gives the cause", async () => {
    const cause = new TypeError("fetch failed");
    const { transport: t, requests } = answering(cause);
    const failed = rejection(t.call("addTask", { title: "x" }));
    await vi.advanceTimersByTimeAsync(10_000);
    const error = await failed;
    expect(failureReason(error)).toBe("network");
    expect(error.cause).toBe(cause);
    expect(requests).toHaveLength(3);
    const keys = requests.map(({ init }) => (init.headers as Record<string, string>)["Idempotency-Key"]);
    expect(new Set(keys).size).toBe(1);
  });

  it("succeeds when a repetition does", async () => {
    const { transport: t, requests } = answering(new TypeError("x"), success([]));
    const result = t.call("listPeers", {});
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it("never repeats what must not be repeated", async () => {
    const failing = answering(new TypeError("x"));
    await rejection(failing.transport.call("registerAgent", { displayName: "A" }));
    expect(failing.requests).toHaveLength(1);
    const refusing = answering(backpressure({ "Retry-After": "1" }));
    await rejection(refusing.transport.call("createScope", {}));
    expect(refusing.requests).toHaveLength(1);
  });

  it("repeats nothing with retries 0", async () => {
    const { transport: t, requests } = answering(new TypeError("x"));
    await rejection(t.call("listPeers", {}, { retries: 0 }));
    expect(requests).toHaveLength(1);
  });

  it("waits as long as Retry-After says", async () => {
    const { transport: t, requests } = answering(backpressure({ "Retry-After": "3" }), success([]));
    const result = t.call("listPeers", {});
    await vi.advanceTimersByTimeAsync(2_900);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await result).toEqual([]);
  });

  it("passes a refusal on that names no time, or one beyond the time limit", async () => {
    const silent = answering(backpressure({}));
    expect((await rejection(silent.transport.call("listPeers", {}))).code).toBe("BACKPRESSURE");
    const patient = answering(backpressure({ "Retry-After": "60" }));
    const error = await rejection(patient.transport.call("listPeers", {}));
    expect(error.details).toEqual({ retryAfterMs: 60_000 });
    expect(patient.requests).toHaveLength(1);
  });
});

describe("time", () => {
  const never = () => new Promise<never>(() => {});

  it("gives up after 30 s, and after waitMs + 10 s where a call waits", async () => {
    const { transport: t } = transport({ listPeers: never, reserveInbox: never });
    let plain: IntercomError | undefined;
    let waiting: IntercomError | undefined;
    void rejection(t.call("listPeers", {})).then((error) => {
      plain = error;
    });
    void rejection(t.call("reserveInbox", { waitMs: 25_000 })).then((error) => {
      waiting = error;
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(failureReason(plain)).toBe("timeout");
    expect(waiting).toBeUndefined();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(failureReason(waiting)).toBe("timeout");
  });

  it("counts repetitions against the time limit", async () => {
    const { transport: t } = answering(new TypeError("x"));
    const failed = rejection(t.call("listPeers", {}, { timeoutMs: 150, retries: 50 }));
    await vi.advanceTimersByTimeAsync(150);
    expect(["network", "timeout"]).toContain(failureReason(await failed));
  });

  it("ends at once when the caller aborts, also before the call and between repetitions", async () => {
    const { transport: t } = transport({ listPeers: never });
    const controller = new AbortController();
    const during = rejection(t.call("listPeers", {}, { signal: controller.signal }));
    const failing = answering(new TypeError("x"));
    const between = rejection(failing.transport.call("listPeers", {}, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort("enough");
    const error = await during;
    expect(failureReason(error)).toBe("aborted");
    expect(error.cause).toBe("enough");
    expect(failureReason(await between)).toBe("aborted");
    expect(failing.requests).toHaveLength(1);
    expect(failureReason(await rejection(t.call("listPeers", {}, { signal: controller.signal })))).toBe("aborted");
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([0, -1, Number.NaN])("refuses a time limit of %d", async (timeoutMs) => {
    const { transport: t } = transport({ listPeers: () => [] });
    expect((await rejection(t.call("listPeers", {}, { timeoutMs }))).code).toBe("INVALID_ARGUMENT");
  });
});
