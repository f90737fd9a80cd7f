import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type DaemonOptions, startDaemon } from "../../daemon/index.ts";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { TestDaemon } from "../support/daemon.ts";
import { exchange } from "../support/http.ts";
import { rawRequest } from "../support/raw.ts";

const path = useTemporaryDirectory();

function write(settings: unknown): void {
  mkdirSync(path("data"), { recursive: true, mode: 0o700 });
  writeFileSync(path("data", "settings.json"), typeof settings === "string" ? settings : JSON.stringify(settings));
}

async function withDaemon(options: DaemonOptions, work: (intercom: TestDaemon) => Promise<void>): Promise<void> {
  const directories = { dataDir: path("data"), runtimeDir: path("run") };
  const intercom = await TestDaemon.start({ ...directories, ...options });
  try {
    await work(intercom);
  } finally {
    await intercom.close();
  }
}

describe("the settings file", () => {
  test("opens the listener for October Bus, until the environment or the start says otherwise", async () => {
    await withDaemon({}, async ({ daemon }) => expect(daemon.octoberBusAddress).toBeUndefined());
    write({ octoberBusPort: 0, port: 1 });
    // Port 1 is nobody's to take, so the start's own word has won.
    await withDaemon({ port: 0 }, async ({ daemon }) => expect(daemon.octoberBusAddress).toMatch(/^http:/));
    write({ octoberBusPort: 1 });
    const env = { AGENT_INTERCOM_OCTOBER_BUS_PORT: "0" };
    await withDaemon({ env }, async ({ daemon }) => expect(daemon.octoberBusAddress).toMatch(/^http:/));
  });

  test("lets pages of the origins it lists read outputs, at both listeners", async () => {
    write({ allowedOrigins: ["https://app.example"], octoberBusPort: 0 });
    await withDaemon({}, async ({ daemon, address }) => {
      for (const base of [address, daemon.octoberBusAddress as string]) {
        const port = Number(new URL(base).port);
        const ask = (Origin: string) =>
          rawRequest(port, { path: "/outputs/out_1/latest", headers: { Host: `127.0.0.1:${port}`, Origin } });
        const listed = await ask("https://app.example");
        expect(listed).toMatchObject({
          status: 401,
          headers: { "access-control-allow-origin": "https://app.example" },
        });
        expect((await ask("https://other.example")).status).toBe(403);
      }
    });
  });

  test("names the public address that publications tell, and the limits of A2A clients", async () => {
    const a2a = { messagesPerPrincipal: 3, bytesPerPrincipal: 4096 };
    write({ publicUrl: "https://agents.example/bus/", a2a });
    await withDaemon({}, async (intercom) => {
      const scope = await intercom.scope();
      const alice = await scope.agent("alice");
      const { id, cardUrl, interfaceUrl } = await scope.call("publishAgentCard", { agentId: alice.id });
      expect(interfaceUrl).toBe(`https://agents.example/bus/a2a/agents/${id}`);
      expect(cardUrl).toBe(`${interfaceUrl}/.well-known/agent-card.json`);
      await scope.call("createA2aPrincipal", { publicationId: id, label: "Partner" });
      expect(await scope.call("listA2aPrincipalUsage", {})).toMatchObject([{ messageLimit: 3, byteLimit: 4096 }]);
    });
  });
});

describe("a settings file that is wrong", () => {
  test("keeps the daemon from starting, names file and field, and touches nothing", async () => {
    let scopeId = "";
    const directories = { dataDir: path("data"), runtimeDir: path("run"), port: 0, env: {} };
    const first = await startDaemon(directories);
    const created = await exchange(
      first.address,
      { method: "POST", path: "/v1/scopes", body: "{}" },
      { token: first.adminToken },
    );
    scopeId = (created.body as { result: { scopeId: string } }).result.scopeId;
    await first.stop();

    const before = readdirSync(path("data")).sort();
    const database = readFileSync(path("data", "intercom.db"));
    write({ octoberBusPort: "4765" });
    await expect(startDaemon(directories)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(
        /settings\.json cannot be used: octoberBusPort: expected a whole number from 0 to 65535/,
      ) as string,
      details: { reason: "settings", file: path("data", "settings.json") },
    });
    expect(readdirSync(path("data")).sort()).toEqual([...before, "settings.json"].sort());
    expect(readFileSync(path("data", "intercom.db")).equals(database)).toBe(true);
    expect(existsSync(path("run", "run.json"))).toBe(false);

    write({});
    const again = await startDaemon(directories);
    const scopes = await exchange(
      again.address,
      { method: "GET", path: "/v1/admin/scopes" },
      { token: again.adminToken },
    );
    expect(scopes.body).toMatchObject({ result: [{ scopeId }] });
    await again.stop();
  });

  test("in a directory that has nothing else yet is told the same", async () => {
    write("{");
    await expect(withDaemon({}, async () => {})).rejects.toThrow(/settings\.json cannot be used: it is not valid JSON/);
    expect(existsSync(path("data", "intercom.db"))).toBe(false);
  });
});
