import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { type ListedTool, MCP_CLIENTS } from "../../support/mcp.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** What every client can take, whatever model is behind it. Checked over the wire, as each client receives it. */

const intercom = useDaemon();

/** The tools of October Bus 0.1 with their required and optional arguments; its clients count on exactly these. */
const BUS: readonly (readonly [name: string, required: readonly string[], optional: readonly string[]])[] = [
  ["list_peers", [], []],
  ["message_peer", ["peer", "message"], ["mode", "responseTo", "idempotencyKey", "expiresInMs", "context"]],
  ["check_inbox", [], ["limit", "waitMs"]],
  ["acknowledge_messages", ["messageIds"], []],
  ["message_receipt", ["messageId"], []],
  ["add_task", ["title"], ["description", "dependencies"]],
  ["claim_task", ["taskId"], []],
  ["release_task", ["taskId"], []],
  ["complete_task", ["taskId"], ["note"]],
  ["add_task_progress", ["taskId", "kind", "text"], []],
  ["list_task_progress", ["taskId"], []],
  ["list_tasks", [], ["ready"]],
  ["publish_output", ["streamId", "contentType", "value"], ["reference"]],
  ["ask_user", ["question"], ["options"]],
  ["get_node_status", [], []],
];

/** Everything in a schema that some client or model provider is known to stumble over. */
function problemsOf(schema: unknown, at: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((each, index) => problemsOf(each, `${at}[${index}]`));
  const problems: string[] = [];
  const { type, items } = schema as { type?: unknown; items?: unknown };
  for (const word of ["$ref", "$defs", "definitions"]) if (word in schema) problems.push(`${at}: ${word}`);
  if (Array.isArray(type)) problems.push(`${at}: a list as type`);
  if (type === "array") {
    const typed = typeof items === "object" && items !== null && ("type" in items || "anyOf" in items);
    if (!typed) problems.push(`${at}: items without a type`);
  }
  return [...problems, ...Object.entries(schema).flatMap(([key, value]) => problemsOf(value, `${at}.${key}`))];
}

function rootProblems(schema: Record<string, unknown> | undefined, at: string): string[] {
  if (schema?.type !== "object") return [`${at}: the root is not an object`];
  const words = ["anyOf", "oneOf", "allOf", "not", "enum"].filter((word) => word in schema);
  return words.map((word) => `${at}: ${word} at the root`);
}

test("the documentation lists the same tools and arguments", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/mcp.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*?) ?\|/gm)].map(([, name, cell = ""]) => [
    name,
    [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]),
    [...cell.matchAll(/`(\w+)\?`/g)].map((match) => match[1]),
  ]);
  expect(rows).toEqual(BUS);
});

test("the linter notices what it looks for", () => {
  const bad = { type: "object", anyOf: [], properties: { a: { $ref: "#/$defs/A" }, b: { type: ["string", "null"] } } };
  expect(rootProblems(bad, "bad")).toEqual(["bad: anyOf at the root"]);
  expect(problemsOf({ ...bad, x: { type: "array", items: {} } }, "bad")).toEqual([
    "bad.properties.a: $ref",
    "bad.properties.b: a list as type",
    "bad.x: items without a type",
  ]);
  expect(rootProblems(undefined, "bad")).toHaveLength(1);
});

describe.each(MCP_CLIENTS)("tools as $make lists them", ({ connect, version }) => {
  let tools: ListedTool[];
  let serverName: string;
  let instructions: string | undefined;

  beforeAll(async () => {
    const scope = await intercom().scope();
    const client = await connect(intercom().address, (await scope.agent("ada")).token);
    expect(client.protocolVersion).toBe(version);
    tools = await client.tools();
    expect(await client.tools()).toEqual(tools);
    serverName = client.serverInfo?.name ?? "";
    instructions = client.instructions;
    await client.close();
  });

  test("are those of October Bus, in their order, with their arguments", () => {
    const listed = tools.map(({ name, inputSchema }) => {
      const { properties, required = [] } = inputSchema as { properties: object; required?: string[] };
      return [name, required, Object.keys(properties).filter((field) => !required.includes(field))];
    });
    expect(listed).toEqual(BUS);
  });

  test("have portable schemas", () => {
    const problems = tools.flatMap(({ name, inputSchema, outputSchema }) => [
      ...rootProblems(inputSchema, `${name} input`),
      ...rootProblems(outputSchema, `${name} output`),
      ...problemsOf(inputSchema, `${name} input`),
      ...problemsOf(outputSchema, `${name} output`),
    ]);
    expect(problems).toEqual([]);
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    for (const { inputSchema, outputSchema } of tools) {
      ajv.compile(inputSchema);
      ajv.compile(outputSchema as object);
    }
  });

  test("say what every argument means", () => {
    const silent = tools.flatMap(({ name, inputSchema }) =>
      Object.entries(inputSchema.properties as Record<string, { description?: string }>)
        .filter(([, field]) => !field.description)
        .map(([field]) => `${name}.${field}`),
    );
    expect(silent).toEqual([]);
    for (const { description } of tools) expect(description.length).toBeGreaterThan(20);
  });

  test("have names that survive every client's prefix", () => {
    expect(serverName).toBe("agent-intercom");
    expect(tools.length).toBeLessThanOrEqual(25);
    for (const { name } of tools) {
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
      expect(serverName.length + name.length).toBeLessThan(60);
    }
  });

  test("are annotated truthfully", () => {
    const having = (hint: string) => tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
    const reading = ["list_peers", "message_receipt", "list_task_progress", "list_tasks", "get_node_status"];
    expect(having("readOnlyHint")).toEqual(reading);
    expect(having("idempotentHint").filter((name) => !reading.includes(name))).toEqual([
      "acknowledge_messages",
      "claim_task",
      "release_task",
      "complete_task",
    ]);
    expect(having("destructiveHint")).toEqual([]);
    expect(having("openWorldHint")).toEqual([]);
    for (const { annotations } of tools) expect(annotations?.title).toEqual(expect.any(String));
  });

  test("come with instructions that are short enough", () => {
    expect(instructions).toContain("check_inbox");
    expect(instructions?.length).toBeLessThan(2048);
  });
});
