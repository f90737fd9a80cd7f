import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OperationInput, OperationName } from "../../protocol/index.ts";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { MCP_CLIENTS, type McpClient, type ToolAnswer } from "../support/mcp.ts";
import { until } from "../support/waiting.ts";
import { DaemonProcess, killLeftovers } from "./daemon-process.ts";

/** The daemon is killed at each step of what an official client does, and started again. Programs: test/harness. */

const path = useTemporaryDirectory();
let daemon: DaemonProcess;
let port: number;
let scopeToken: string;
let client: McpClient | undefined;

async function start(): Promise<void> {
  daemon = await DaemonProcess.start({ dataDir: path("data"), runtimeDir: path("run"), port });
  port = Number(new URL(daemon.address).port);
}

async function killAndRestart(): Promise<void> {
  await daemon.kill();
  await start();
}

function owner<N extends OperationName>(name: N, input: OperationInput<N>) {
  return daemon.call(name, input, { token: scopeToken });
}

beforeEach(async () => {
  port = 0;
  client = undefined;
  await start();
  ({ scopeToken } = await daemon.call("createScope", { linkPolicy: "open" }, { token: daemon.adminToken }));
});
afterEach(async () => {
  await client?.close().catch(() => {});
  await killLeftovers();
});

/** Both kinds of credential, since a connector's agent lives in the memory of the daemon, too. */
const CREDENTIALS: Readonly<Record<string, () => Promise<string>>> = {
  "an agent's token": async () =>
    (await owner("registerAgent", { id: "ada", displayName: "Ada", leaseMs: 600_000 })).agentToken,
  "a connector": async () => (await owner("createConnector", { name: "ada" })).credential,
};

/** Each client with one of them, so that both eras meet both. */
const CASES = MCP_CLIENTS.map(({ make, connect }, index) => {
  const [credential, tokenFor] = Object.entries(CREDENTIALS)[index % 2] as [string, () => Promise<string>];
  return { make, credential, connect, tokenFor };
});

describe.each(CASES)("$make with $credential", ({ connect, tokenFor }) => {
  async function open(): Promise<McpClient> {
    client = await connect(daemon.address, await tokenFor());
    return client;
  }

  test("goes on when the daemon is killed between any two of its steps", async () => {
    const client = await open();
    await killAndRestart();
    expect(await client.tools()).toHaveLength(16);
    await killAndRestart();
    expect((await client.call("whoami")).structured).toMatchObject({ agentId: "ada" });
    const { structured } = await client.call("add_task", { title: "Paint it" });
    const { id: taskId } = structured.task as { id: string };
    for (const [tool, args] of [
      ["claim_task", { taskId }],
      ["report_progress", { taskId, text: "half of it" }],
      ["finish_task", { taskId }],
    ] as const) {
      await killAndRestart();
      expect(await client.call(tool, args)).toMatchObject({ isError: false });
    }
    await killAndRestart();
    expect(await owner("getTask", { taskId })).toMatchObject({ status: "done", claimedBy: "ada" });
    expect(await owner("listTasks", {})).toHaveLength(1);
    expect(await owner("listAgents", {})).toHaveLength(1);
  });

  test("killed in the middle of a wait says so, and nothing is lost", async () => {
    const client = await open();
    await client.call("whoami");
    let ended = false;
    const waiting: Promise<ToolAnswer | Error> = client
      .call("check_inbox", { waitMs: 25_000 })
      .catch((error: Error) => error)
      .finally(() => {
        ended = true;
      });
    await until("the call waits", async () => (await client.call("whoami")).structured.agentId === "ada");
    await killAndRestart();
    // Whether a client notices by itself that its stream has ended differs; its next call works in any case.
    await owner("sendHumanMessage", { to: "ada", body: "For you" });
    expect((await client.call("check_inbox")).structured).toMatchObject({ messages: [{ body: "For you" }] });
    if (!ended) await client.close();
    expect(await waiting).toSatisfy((outcome: ToolAnswer | Error) => outcome instanceof Error || outcome.isError);
  });

  test("killed while a write is on its way makes it once when it is repeated under its key", async () => {
    await owner("registerAgent", { id: "bob", displayName: "Bob", leaseMs: 600_000 });
    const client = await open();
    await client.call("whoami");
    const args = (round: number) => ({ to: "bob", text: `round ${round}`, idempotencyKey: `key-${round}` });
    for (let round = 0; round < 3; round += 1) {
      const sending = client.call("send_message", args(round)).catch(() => undefined);
      // Sooner or later in the course of the call, from round to round.
      for (let turn = 0; turn < round * 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await killAndRestart();
      void sending;
      expect(await client.call("send_message", args(round))).toMatchObject({ isError: false });
    }
    const { messages } = await owner("listMessages", { agent: "ada", peer: "bob" });
    expect(messages.map(({ body }) => body).sort()).toEqual(["round 0", "round 1", "round 2"]);
  });
});
