import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CheckFailure, CheckSkipped } from "./failure.ts";
import { Produced } from "./produced.ts";
import { type Check, profile } from "./profile.ts";
import type { Run } from "./run.ts";
import { runProfile } from "./runner.ts";

const HEALTH = { protocolVersion: "9.9", runtimeVersion: "1.2.3" };
const TOKEN = "token-of-the-admin";

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/never") return;
    const status = request.url === "/health" ? 200 : 418;
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(request.url === "/health" ? HEALTH : { echo: request.headers.authorization }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function run(checks: readonly Check<Run>[], options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const tried = profile({
    name: "tried",
    about: "",
    protocol: "october-bus",
    timeoutMs: 60_000,
    world: (given) => given,
    checks,
  });
  return runProfile(tried, { address, adminToken: TOKEN, ...options });
}

const check = (name: string, work: (run: Run) => Promise<void>): Check<Run> => ({ name, proves: "", run: work });

test("goes on after failures and tells each with its request", async () => {
  const made = new Produced<string>("makes", "the thing");
  const report = await run([
    check("makes", async ({ http }) => {
      await http.send("POST", "/teapot?x=1", { text: "a".repeat(1000) }, { token: TOKEN });
      throw new CheckFailure("It is wrong", { expected: 1, got: 2 });
    }),
    check("needs", async () => void made.get()),
    check("stumbles", async ({ http }) => {
      const { body } = await http.send("GET", "/teapot", undefined, { token: TOKEN });
      (body as { list: string[] }).list.map((entry) => entry);
    }),
    check("passes", async () => {}),
    check("skips", async () => {
      throw new CheckSkipped("Not here");
    }),
  ]);
  expect(report).toMatchObject({ profile: "tried", ...HEALTH, leftovers: [] });
  expect(report.outcomes).toMatchObject([
    {
      check: "makes",
      state: "failed",
      error: "It is wrong",
      request: { method: "POST", path: "/teapot?x=1", body: { text: `${"a".repeat(300)}... (1000 characters)` } },
      expected: 1,
      got: 2,
    },
    { check: "needs", state: "failed", because: "makes", error: "Needs the thing, which makes should have made" },
    {
      check: "stumbles",
      state: "failed",
      request: { method: "GET", path: "/teapot" },
      got: { status: 418, body: { echo: "Bearer [redacted]" } },
    },
    { check: "passes", state: "passed" },
    { check: "skips", state: "skipped", reason: "Not here" },
  ]);
});

test("ends a check that hangs when the time is over, fails the rest, and still clears up", async () => {
  let cleared = 0;
  const report = await run(
    [
      check("hangs", async (running) => {
        running.atEnd(async () => {
          await running.cleaner.send("DELETE", "/teapot");
          cleared += 1;
        });
        await running.http.send("GET", "/never");
      }),
      check("comes too late", async () => {}),
    ],
    { timeoutMs: 200 },
  );
  const error = expect.stringContaining("within 0.2 s");
  expect(report.outcomes).toMatchObject([
    { check: "hangs", state: "failed", request: { path: "/never" } },
    { check: "comes too late", state: "failed", error },
  ]);
  expect(cleared).toBe(1);
});

test("stops when it is told to", async () => {
  const stop = new AbortController();
  const report = await run(
    [
      check("is stopped", async () => {
        stop.abort(new Error("Enough"));
        await new Promise(() => {});
      }),
      check("never starts", async () => {}),
    ],
    { signal: stop.signal },
  );
  expect(report.outcomes).toMatchObject([
    { state: "failed", error: "Enough" },
    { state: "failed", error: "Enough" },
  ]);
});

test("tells what could not be cleared away", async () => {
  const report = await run([
    check("leaves", async (running) => {
      running.atEnd(async () => {
        throw new Error(`The scope of ${TOKEN} could not be deleted`);
      });
    }),
  ]);
  expect(report.leftovers).toEqual(["The scope of [redacted] could not be deleted"]);
});

test("a target that does not answer fails every check", async () => {
  const checks = [check("asks", async ({ http }) => void (await http.send("GET", "/health")))];
  const tried = profile({
    name: "tried",
    about: "",
    protocol: "october-bus",
    timeoutMs: 60_000,
    world: (given: Run) => given,
    checks,
  });
  // Nobody listens on the port of whoever discards everything.
  const report = await runProfile(tried, { address: "http://127.0.0.1:9", adminToken: TOKEN });
  expect(report.protocolVersion).toBe("");
  expect(report.outcomes).toMatchObject([
    {
      state: "failed",
      error: "There was no answer",
      request: { method: "GET", path: "/health" },
      expected: "an answer",
    },
  ]);
});
