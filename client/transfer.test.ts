import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isIntercomError, operationNames, operationOf } from "../protocol/index.ts";
import { failureReason } from "./failure.ts";
import { AdminClient, type Archive } from "./index.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A client whose `fetch` gives this answer, or never any. */
function client(answer?: (init: RequestInit) => Response | Promise<Response>) {
  const requests: { url: string; init: RequestInit }[] = [];
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    requests.push({ url, init });
    if (answer) return Promise.resolve(answer(init));
    return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  };
  return { requests, admin: new AdminClient({ address: "http://127.0.0.1:4766", adminToken: "secret", fetch }) };
}

/** A body that comes in these pieces, and then ends or breaks. */
function inPieces(pieces: readonly (string | Uint8Array)[], end: "end" | "break" | "silence" = "end") {
  const cancelled = vi.fn();
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[next];
      next += 1;
      if (piece !== undefined) controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      else if (end === "end") controller.close();
      else if (end === "break") controller.error(new Error("socket hang up"));
      else return new Promise(() => {});
      return undefined;
    },
    cancel: cancelled,
  });
  return { body, cancelled };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: number[] = [];
  for await (const chunk of chunks) all.push(...chunk);
  return decoder.decode(new Uint8Array(all));
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "succeeded",
    (error: unknown) => failureReason(error) ?? (isIntercomError(error) ? error.code : error),
  );

const refusal = (code: string, status: number) =>
  Response.json({ ok: false, error: { code, message: "no" } }, { status });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a backup", () => {
  it("comes as it is, with the admin credential", async () => {
    const { admin, requests } = client(() => new Response(inPieces(["SQLite", " format 3"]).body));
    expect(await textOf(admin.backup())).toBe("SQLite format 3");
    expect(requests).toMatchObject([
      {
        url: "http://127.0.0.1:4766/v1/admin/backup",
        init: { method: "GET", redirect: "manual", headers: { Authorization: "Bearer secret" } },
      },
    ]);
  });

  it("fails when it breaks off, or ends before it should", async () => {
    const broken = client(() => new Response(inPieces(["SQL"], "break").body));
    expect(await failureOf(textOf(broken.admin.backup()))).toBe("network");
    const short = client(() => new Response(inPieces(["SQL"]).body, { headers: { "Content-Length": "15" } }));
    expect(await failureOf(textOf(short.admin.backup()))).toBe("network");
    expect(broken.requests).toHaveLength(1);
  });

  it("ends with the daemon's own refusal", async () => {
    expect(await failureOf(textOf(client(() => refusal("UNAUTHENTICATED", 401)).admin.backup()))).toBe(
      "UNAUTHENTICATED",
    );
  });

  it("has ten minutes for all of it, unless told otherwise", async () => {
    const silent = inPieces(["SQL"], "silence");
    const outcome = failureOf(textOf(client(() => new Response(silent.body)).admin.backup()));
    await vi.advanceTimersByTimeAsync(599_999);
    expect(silent.cancelled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe("timeout");
    expect(silent.cancelled).toHaveBeenCalled();
    const headless = failureOf(textOf(client().admin.backup({ timeoutMs: 5 })));
    await vi.advanceTimersByTimeAsync(5);
    expect(await headless).toBe("timeout");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends when the caller gives up or leaves the loop", async () => {
    const controller = new AbortController();
    const aborted = inPieces(["SQL"], "silence");
    const outcome = failureOf(
      textOf(client(() => new Response(aborted.body)).admin.backup({ signal: controller.signal })),
    );
    await vi.advanceTimersByTimeAsync(1);
    controller.abort();
    expect(await outcome).toBe("aborted");
    const left = inPieces(["SQL", "ite"], "silence");
    for await (const chunk of client(() => new Response(left.body)).admin.backup()) {
      expect(decoder.decode(chunk)).toBe("SQL");
      break;
    }
    expect(left.cancelled).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("an archive", () => {
  const archive = JSON.stringify({ format: "x", text: "ünïcode } ".repeat(60), messages: [{ a: {} }] });

  it.each([1, 2, 7, 100, 127, 128, 129, 100_000])("comes without its envelope in pieces of %d bytes", async (size) => {
    for (const envelope of [
      `{"ok":true,"result":${archive}}`,
      ` {\n "ok" : true,\n "result" : ${archive}\n}\n`,
      '{"ok":true,"result":{}}',
    ]) {
      const bytes = encoder.encode(envelope);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      const { admin } = client(() => new Response(inPieces(pieces).body));
      const got = await textOf(admin.exportScopeStream({ scopeId: "team" }));
      expect(JSON.parse(got)).toEqual(JSON.parse(envelope).result);
      expect(got.trim()).toBe(envelope.includes(archive) ? archive : "{}");
    }
  });

  it("asks for what the input says", async () => {
    const { admin, requests } = client(() => new Response('{"ok":true,"result":{}}'));
    await textOf(admin.exportScopeStream({ scopeId: "a/b", extensions: true }));
    expect(requests[0]?.url).toBe("http://127.0.0.1:4766/v1/admin/scopes/a%2Fb/export?extensions=true");
  });

  it.each([
    ["something else", "<html>"],
    ["half of one", `{"ok":true,"result":${archive.slice(0, -1).repeat(2)}`.slice(0, 400)],
    ["nothing", ""],
  ])("is not %s", async (_name, body) => {
    const { admin } = client(() => new Response(inPieces([body]).body));
    expect(await failureOf(textOf(admin.exportScopeStream({ scopeId: "team" })))).toBe("protocol");
  });

  it("is refused as other calls are", async () => {
    const { admin } = client(() => refusal("CONFLICT", 409));
    expect(await failureOf(textOf(admin.exportScopeStream({ scopeId: "team" })))).toBe("CONFLICT");
  });

  const bytes = encoder.encode('{"format":"x"}');
  const outcome = { scopeId: "team", imported: true, scopeToken: "t" };
  const sources: [string, () => Archive, boolean][] = [
    ["a stream", () => inPieces([bytes.subarray(0, 5), bytes.subarray(5)]).body, true],
    ["a blob", () => new Blob([bytes]), false],
    [
      "anything that yields bytes",
      async function* () {
        yield bytes.subarray(0, 5);
        yield bytes.subarray(5);
      },
      true,
    ],
  ];

  it.each(sources)("is sent from %s", async (_name, source, streamed) => {
    let sent = "";
    const { admin, requests } = client(async (init) => {
      sent = await new Response(init.body as ReadableStream<Uint8Array>).text();
      return Response.json({ ok: true, result: outcome }, { status: 201 });
    });
    expect(await admin.importScopeStream(source())).toEqual(outcome);
    expect(sent).toBe('{"format":"x"}');
    const [request] = requests;
    expect(request?.init.method).toBe("POST");
    expect(request?.init.headers).toMatchObject({ "Content-Type": "application/json" });
    expect(request?.init.duplex).toBe(streamed ? "half" : undefined);
  });

  it("is not sent twice, and its source is let go of when nobody wants it", async () => {
    const released = vi.fn();
    async function* source() {
      try {
        for (;;) yield bytes;
      } finally {
        released();
      }
    }
    const { admin, requests } = client(async (init) => {
      const reader = (init.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await reader.cancel();
      throw new TypeError("fetch failed");
    });
    expect(await failureOf(admin.importScopeStream(source()))).toBe("network");
    expect(requests).toHaveLength(1);
    expect(released).toHaveBeenCalled();
  });
});

it("what moves much or removes much is waited for longer, and nothing else is", async () => {
  const patient = operationNames.filter((name) => operationOf(name).transfer || operationOf(name).slow);
  expect(patient.sort()).toEqual(["backup", "exportScope", "importScope", "pruneScope"]);
  const scope = client().admin.scope("team");
  const pruned = failureOf(scope.pruneScope({ before: "2026-01-01T00:00:00Z" }));
  const listed = failureOf(scope.listAgents());
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await listed).toBe("timeout");
  await vi.advanceTimersByTimeAsync(569_999);
  expect(await Promise.race([pruned, Promise.resolve("waiting")])).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(await pruned).toBe("timeout");
});
