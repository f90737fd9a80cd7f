import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliHome, MAIN } from "../support/cli.ts";
import { areInstalled, INSPECTOR, programFile } from "./installed.ts";
import { type Outcome, runProgram } from "./run-program.ts";

/** The official inspector against a real daemon, over HTTP and over the front on standard input and output. */

const SCOPE = "inspected";
const ERAS = ["legacy", "modern"] as const;
const TRANSPORTS = ["http", "stdio"] as const;
/** Each set: how many tools it has, one that needs no arguments, and those of which the inspector warns. */
const TOOL_SETS = [
  { toolSet: "team", count: 16, tool: "whoami", warned: [] },
  // Its value may be any JSON, as in October Bus 0.1.
  { toolSet: "bus", count: 15, tool: "get_node_status", warned: ["publish_output"] },
  { toolSet: "intercom", count: 9, tool: "intercom_whoami", warned: [] },
];
const CASES = TOOL_SETS.flatMap((each) =>
  TRANSPORTS.flatMap((transport) => ERAS.map((era) => ({ ...each, transport, era }))),
);
type Case = (typeof CASES)[number];

describe.skipIf(!areInstalled)("the official inspector", () => {
  const cli = new CliHome();
  let token: string;

  beforeAll(async () => {
    expect(await cli.run(["start"])).toMatchObject({ code: 0 });
    const { scopeToken } = await cli.admin().createScope({ id: SCOPE });
    expect(scopeToken).toEqual(expect.any(String));
    const shell = await cli.agentShell(cli.admin().scope(SCOPE), "inspector");
    token = shell.AGENT_INTERCOM_AGENT_TOKEN as string;
  });
  afterAll(() => cli.close());

  /** How it reaches the daemon. */
  function target({ transport, toolSet }: Case): string[] {
    if (transport === "http") {
      const url = `${cli.runFile().address}/mcp?tools=${toolSet}`;
      return [url, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
    }
    // It passes on what it is told to, and nothing of its own environment.
    const env = Object.entries(cli.environment()).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    return [...env, process.execPath, MAIN, "mcp", "--scope", SCOPE, "--tools", toolSet, "--no-start"];
  }

  async function inspect(given: Case, method: string, ...more: string[]): Promise<Outcome & { result: Result }> {
    const how = ["--cli", ...target(given), "--protocol-era", given.era, "--method", method, "--format", "json"];
    const outcome = await runProgram(programFile(INSPECTOR, "mcp-inspector"), [...how, ...more], cli.home);
    expect(outcome).toMatchObject({ code: 0 });
    return { ...outcome, result: (JSON.parse(outcome.stdout) as { result: Result }).result };
  }

  describe.each(CASES)("$toolSet over $transport, $era", (given) => {
    test.concurrent("lists tools whose schemas every client can take", async () => {
      const { result, stderr } = await inspect(given, "tools/list", "--strict");
      expect(result.tools).toHaveLength(given.count);
      const warned = [...stderr.matchAll(/^(?:Warning|Error): tool "(\w+)"/gm)].map(([, name]) => name);
      expect([...new Set(warned)]).toEqual(given.warned);
    });

    test.concurrent("calls a tool", async () => {
      const { result } = await inspect(given, "tools/call", "--tool-name", given.tool);
      expect(result.isError).not.toBe(true);
      expect(result.structuredContent).toEqual(expect.any(Object));
      expect(JSON.parse(result.content?.[0]?.text ?? "")).toEqual(result.structuredContent);
    });
  });

  describe.each(CASES.filter(({ toolSet }) => toolSet === "team"))("over $transport, $era", (given) => {
    test.concurrent("lists resources", async () => {
      const { result } = await inspect(given, "resources/list");
      expect(result.resources?.map(({ uri }) => uri)).toContain("intercom://inbox");
    });

    test.concurrent("lists prompts", async () => {
      const { result } = await inspect(given, "prompts/list");
      expect(result.prompts?.map(({ name }) => name)).toContain("handoff");
    });
  });
});

interface Result {
  readonly tools?: readonly unknown[];
  readonly resources?: readonly { readonly uri: string }[];
  readonly prompts?: readonly { readonly name: string }[];
  readonly content?: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}
