import { describe, expect, it } from "vitest";
import { AdminClient } from "../../client/index.ts";
import { UI_OPERATIONS, type UiOperation } from "../../protocol/desktop/index.ts";
import { operationOf } from "../../protocol/operations/index.ts";
import { performForHuman } from "./perform.ts";

function recorded() {
  const calls: { url: string; headers: Record<string, string> }[] = [];
  const admin = new AdminClient({
    address: "http://127.0.0.1:1",
    adminToken: "secret",
    retries: 0,
    fetch: async (url, init) => {
      calls.push({ url, headers: init.headers as Record<string, string> });
      throw new Error("no network here");
    },
  });
  return { admin, calls };
}

describe("an operation in the name of the human", () => {
  it("goes to the daemon with the desktop's credential, for the scope that is named", async () => {
    const { admin, calls } = recorded();
    const call = { operation: "getAgent", input: { agentId: "worker" }, scopeId: "team" } as const;
    await expect(performForHuman(admin, call)).rejects.toMatchObject({ details: { reason: "network" } });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      url: "http://127.0.0.1:1/v1/scope/agents/worker",
      headers: { Authorization: "Bearer secret", "Intercom-Scope": "team" },
    });
  });

  it("is refused without a daemon, with what a lost network says", async () => {
    await expect(performForHuman(undefined, { operation: "overview", input: {} })).rejects.toMatchObject({
      code: "INTERNAL",
      details: { reason: "network" },
    });
  });

  it("needs a scope where the table says so", async () => {
    const { admin, calls } = recorded();
    await expect(performForHuman(admin, { operation: "storageSummary", input: {} })).rejects.toThrow(/^scopeId: /);
    expect(calls).toEqual([]);
  });

  it("is parsed by the table before anything is sent", async () => {
    const { admin, calls } = recorded();
    const call = { operation: "getAgent", input: { agentId: "a b", other: 1 } as never, scopeId: "team" } as const;
    await expect(performForHuman(admin, call)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(calls).toEqual([]);
  });

  it.each(UI_OPERATIONS)("has a method in the client: %s", (operation: UiOperation) => {
    const { admin } = recorded();
    const { authority } = operationOf(operation);
    const client = authority === "admin" || authority === "none" ? admin : admin.scope("team");
    expect(client).toHaveProperty(operation, expect.any(Function));
  });
});
