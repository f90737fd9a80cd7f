import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, it } from "vitest";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { checkFile, checkStored } from "../properties/invariants.ts";
import { TestDaemon } from "../support/daemon.ts";
import { exchange, requestFor } from "../support/http.ts";
import { until } from "../support/waiting.ts";
import { DaemonProcess, killLeftovers } from "./daemon-process.ts";
import { watchWaitingCalls } from "./waiting-calls.ts";

const path = useTemporaryDirectory();
afterEach(killLeftovers);

it("a graceful stop answers a hundred calls that wait, in order and soon", async () => {
  const waitingCalls = watchWaitingCalls();
  const intercom = await TestDaemon.start();
  const scope = await intercom.scope({ linkPolicy: "open" });
  const agents = await Promise.all(Array.from({ length: 10 }, (_, index) => scope.agent(`agent-${index}`)));
  const revision = await scope.revision();
  const question = await agents[0]?.call("askHuman", { question: "?" });
  const after = await scope.revision();
  const waits = [
    ...agents.flatMap((agent) => Array.from({ length: 7 }, () => agent.call("reserveInbox", { waitMs: 25_000 }))),
    ...agents.map((agent) => agent.call("claimNextTask", { waitMs: 25_000 })),
    ...Array.from({ length: 10 }, () =>
      agents[0]?.call("getEscalation", { escalationId: question?.id ?? "", waitMs: 25_000 }),
    ),
    ...Array.from({ length: 10 }, () => scope.call("listEvents", { after, waitMs: 25_000 })),
  ];
  expect(revision).toBeLessThan(after);
  expect(waits).toHaveLength(100);
  const stream = await fetch(`${intercom.address}/v1/admin/events`, {
    headers: { Authorization: `Bearer ${intercom.adminToken}` },
  });
  await until("all wait", () => waitingCalls() === waits.length + 1);
  const startedAt = performance.now();
  const stopping = intercom.daemon.stop();
  const results = await Promise.all(waits);
  await stopping;
  const took = performance.now() - startedAt;
  expect(results.slice(0, 80)).toEqual(Array.from({ length: 80 }, () => null));
  expect(results.slice(80, 90)).toEqual(
    Array.from({ length: 10 }, () => expect.objectContaining({ status: "pending" })),
  );
  expect(results.slice(90)).toEqual(
    Array.from({ length: 10 }, () => expect.objectContaining({ events: [], nextRevision: after })),
  );
  expect(await stream.text()).toMatch(/^: following/);
  // Well below the patience for calls that do not end.
  expect(took).toBeLessThan(2000);
  expect(existsSync(intercom.daemon.runFile)).toBe(false);
  await intercom.close();
});

it("SIGTERM under load loses nothing that was accepted, and refuses the rest in an orderly way", async () => {
  const directories = { dataDir: path("data"), runtimeDir: path("run") };
  for (let round = 0; round < 3; round += 1) {
    const daemon = await DaemonProcess.start(directories);
    const id = `s${round}`;
    const { scopeToken } = await daemon.call("createScope", { id, linkPolicy: "open" }, { token: daemon.adminToken });
    const tokens: string[] = [];
    for (const name of ["ada", "bob"]) {
      tokens.push(
        (await daemon.call("registerAgent", { id: name, displayName: name }, { token: scopeToken })).agentToken,
      );
    }
    const [ada = "", bob = ""] = tokens;
    const accepted: string[] = [];
    const odd: string[] = [];
    const send = async () => {
      for (;;) {
        try {
          const answer = await exchange(daemon.address, requestFor("sendMessage", { to: "bob", body: "x" }), {
            token: ada,
          });
          const { result } = answer.body as { result: { messageId: string } };
          if (answer.status === 202) accepted.push(result.messageId);
          else odd.push(`${answer.status} ${JSON.stringify(answer.body)}`);
        } catch (error) {
          // Cut off or not let in any more; an answer that was begun is whole.
          if (!(error instanceof TypeError)) odd.push(String(error));
          return;
        }
      }
    };
    const waiting = Array.from({ length: 20 }, () =>
      exchange(daemon.address, requestFor("claimNextTask", { waitMs: 25_000 }), { token: bob }),
    );
    const sending = Array.from({ length: 24 }, send);
    await until("enough was sent", () => accepted.length > 100);
    expect(await daemon.terminate()).toBe(0);
    await Promise.all(sending);
    const ends = await Promise.all(waiting);
    expect(new Set(ends.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set(['[200,{"ok":true,"result":null}]']),
    );
    expect(odd).toEqual([]);

    // Closed for good: nothing is left in the log, and everything that was accepted is in the file.
    expect(existsSync(join(directories.dataDir, "intercom.db-wal"))).toBe(false);
    expect(existsSync(join(directories.runtimeDir, "run.json"))).toBe(false);
    const database = new Database(join(directories.dataDir, "intercom.db"), { readonly: true });
    const stored = new Set(database.prepare<[], string>("SELECT id FROM messages").pluck().all());
    checkStored(database, 0);
    checkFile(database);
    database.close();
    expect(accepted.filter((messageId) => !stored.has(messageId))).toEqual([]);
  }
});

it("a stop that is asked for twice, and by a caller too, happens once", async () => {
  const intercom = await TestDaemon.start();
  await intercom.admin.call("shutdown", {});
  await Promise.all([intercom.daemon.stop(), intercom.daemon.stop(), intercom.daemon.stopped]);
  await expect(fetch(`${intercom.address}/health`)).rejects.toThrow();
  await intercom.close();
});
