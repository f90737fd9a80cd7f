import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Authority,
  type OperationName,
  operationNames,
  operationOf,
  SCOPE_HEADER,
  SESSION_HEADER,
} from "../protocol/index.ts";
import { scriptedFetch } from "../test/fixtures/scripted-fetch.ts";
import { AdminClient, AgentClient, ConnectorClient, ScopeClient } from "./index.ts";

const address = "http://127.0.0.1:4766";

function expectedFor(...authorities: Authority[]): OperationName[] {
  return operationNames.filter((name) => {
    const op = operationOf(name);
    return (
      (op.framing === "envelope" || op.framing === "bare") &&
      (op.authority === "none" || authorities.includes(op.authority))
    );
  });
}

describe("clients", () => {
  it("have a method for each operation of their authority, and no other", () => {
    expect(Object.keys(new AdminClient({ address, adminToken: "a" })).sort()).toEqual(expectedFor("admin").sort());
    expect(Object.keys(new ScopeClient({ address, scopeToken: "s" })).sort()).toEqual(
      expectedFor("scope", "scope-or-agent", "output-read").sort(),
    );
    expect(Object.keys(new AgentClient({ address, agentToken: "t" })).sort()).toEqual(
      expectedFor("agent", "agent-expired-ok", "scope-or-agent", "output-publish").sort(),
    );
    expect(Object.keys(new ConnectorClient({ address, connectorToken: "c" })).sort()).toEqual(
      expectedFor("connector").sort(),
    );
  });

  it("know the operations at compile time", () => {
    const agent = new AgentClient({ address, agentToken: "t" });
    const check = async () => {
      const status = await agent.whoAmI();
      status.agent.owes.unanswered satisfies number;
      await agent.listTasks({}, { timeoutMs: 5 });
      // @ts-expect-error the input has required fields
      await agent.heartbeat();
      // @ts-expect-error only for owners
      await agent.listAgents();
      // @ts-expect-error a stream
      await new AdminClient({ address, adminToken: "a" }).watchAllEvents();
      // @ts-expect-error unknown field
      await agent.addTask({ title: "x", owner: "me" });
    };
    expect(check).toBeTypeOf("function");
  });

  it("carry a browser session in its own header, as it is at each call, and no token", async () => {
    const { fetch, calls } = scriptedFetch({ getScope: () => ({}) as never, overview: () => ({}) as never });
    let proof: string | undefined = "one";
    const admin = new AdminClient({ address, sessionProof: () => proof, fetch });
    const scope = admin.scope("s");
    await admin.overview();
    proof = "two";
    await scope.getScope();
    proof = undefined;
    await scope.getScope();
    expect(calls.map(({ headers }) => [headers[SESSION_HEADER], headers[SCOPE_HEADER]])).toEqual([
      ["one", undefined],
      ["two", "s"],
      [undefined, "s"],
    ]);
    for (const { headers } of calls) expect(headers).not.toHaveProperty("Authorization");
  });

  it("may have their methods taken off", async () => {
    const { fetch } = scriptedFetch({ listPeers: () => [] });
    const { listPeers } = new AgentClient({ address, agentToken: "t", fetch });
    expect(await listPeers()).toEqual([]);
  });

  it("act as owner with the admin credential, and pass only the connection on", async () => {
    const { fetch, calls } = scriptedFetch({ getScope: () => ({}) as never, listPeers: () => [] });
    const scope = new AdminClient({ address, adminToken: "a", fetch }).scope("team");
    await scope.getScope();
    expect(calls[0]?.headers).toMatchObject({ Authorization: "Bearer a", "Intercom-Scope": "team" });
    await scope.agent("t").listPeers();
    expect(calls[1]?.token).toBe("t");
    expect(calls[1]?.headers).not.toHaveProperty("Intercom-Scope");
  });

  it("ask for the agent token at each call", async () => {
    const { fetch, calls } = scriptedFetch({ listPeers: () => [] });
    let token = "one";
    const client = new AgentClient({ address, agentToken: () => token, fetch });
    await client.listPeers();
    token = "two";
    await client.listPeers();
    expect(calls.map((call) => call.token)).toEqual(["one", "two"]);
  });
});

describe("the sources of the client", () => {
  const root = import.meta.dirname;
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );

  it.each(files)("%s imports only the client and the protocol, and names nothing of Node", (file) => {
    const source = readFileSync(join(root, file), "utf8");
    const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    const imports = [...code.matchAll(/\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g)].map(
      (match) => match[1] ?? match[2],
    );
    for (const specifier of imports) {
      expect(specifier).toMatch(/^\.{1,2}\/.*\.ts$/);
      const target = join(root, file, "..", specifier as string);
      const inClient = target.startsWith(root);
      const doors = [join("protocol", "index.ts"), join("protocol", "desktop", "index.ts")];
      expect(inClient || doors.some((door) => target.endsWith(door)), specifier).toBe(true);
    }
    // A function of the same name is fine, the global is not.
    expect(code).not.toMatch(
      /\bprocess\.|\bBuffer\b|\bsetImmediate\b|\brequire\(|\b__dirname\b|\bimport\.meta\b|\bconsole\b/,
    );
  });

  it("can be loaded where Node's globals do not exist", () => {
    const program = `
      const say = (text) => process.stdout.write(text);
      const process = globalThis.process;
      delete globalThis.process; delete globalThis.Buffer; delete globalThis.setImmediate; delete globalThis.global;
      const { AgentSession } = await import(${JSON.stringify(join(root, "index.ts"))});
      say(typeof AgentSession.start);`;
    const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    expect(output).toBe("function");
  });
});
