import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type ListedTool, MCP_CLIENTS } from "../../support/mcp.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { lintTools, problemsOf, rootProblems } from "./schema-linter.ts";
import { SET_TABLES } from "./tool-tables.ts";

const intercom = useDaemon();

test.each(SET_TABLES)("the documentation lists the tools and arguments of $set", ({ set, tools }) => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/mcp.md"), "utf8");
  const chapter = page.split(/^##+ /m).find((each) => each.startsWith(`\`${set}\``)) ?? "";
  const rows = [...chapter.matchAll(/^\| `(\w+)` \| (.*?) ?\|/gm)].map(([, name, cell = ""]) => [
    name,
    [...cell.matchAll(/`(\w+)`/g)].map((match) => match[1]),
    [...cell.matchAll(/`(\w+)\?`/g)].map((match) => match[1]),
  ]);
  expect(rows).toEqual(tools);
});

test("the linter notices what it looks for", () => {
  const bad = {
    type: "object",
    anyOf: [],
    properties: { a: { $ref: "#/$defs/A" }, b: { type: ["string", "null"] }, c: true },
  };
  expect(rootProblems(bad, "bad")).toEqual(["bad: anyOf at the root"]);
  expect(problemsOf({ ...bad, x: { type: "array", items: {} } }, "bad")).toEqual([
    "bad.properties.c: a truth value as schema",
    "bad.properties.a: $ref",
    "bad.properties.b: a list as type",
    "bad.x: items without a type",
  ]);
  expect(rootProblems(undefined, "bad")).toHaveLength(1);
  const inputSchema = { type: "object", properties: { x: { type: "string" } } };
  const tool = {
    name: "Bad-Name",
    description: "short",
    inputSchema,
    outputSchema: { type: "object", properties: {} },
  };
  expect(lintTools("s".repeat(60), [tool])).toEqual([
    "Bad-Name.x: no description",
    "Bad-Name: a name not every client takes",
    "Bad-Name: too long with its server",
    "Bad-Name: no description",
    "Bad-Name: no title",
  ]);
});

describe.each(MCP_CLIENTS)("$make", ({ connect, version }) => {
  describe.each(SET_TABLES)("gets the tools of $set", (table) => {
    let tools: ListedTool[];
    let serverName: string;
    let instructions: string;

    beforeAll(async () => {
      const scope = await intercom().scope();
      const client = await connect(intercom().address, (await scope.agent("ada")).token, `?tools=${table.set}`);
      expect(client.protocolVersion).toBe(version);
      tools = await client.tools();
      expect(await client.tools()).toEqual(tools);
      serverName = client.serverInfo?.name ?? "";
      instructions = client.instructions ?? "";
      await client.close();
    });

    test("in their order, with their arguments", () => {
      const listed = tools.map(({ name, inputSchema }) => {
        const { properties, required = [] } = inputSchema as { properties: object; required?: string[] };
        return [name, required, Object.keys(properties).filter((field) => !required.includes(field))];
      });
      expect(listed).toEqual(table.tools);
      expect(serverName).toBe("agent-intercom");
    });

    test("in a form that every client takes", () => {
      expect(lintTools(serverName, tools)).toEqual([]);
    });

    test("with annotations that are true", () => {
      const having = (hint: string) => tools.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
      expect(having("readOnlyHint")).toEqual(table.reading);
      expect(having("idempotentHint").filter((name) => !table.reading.includes(name))).toEqual(table.repeatable);
      expect(having("destructiveHint")).toEqual([]);
      expect(having("openWorldHint")).toEqual([]);
    });

    test("with those marked that have to be ready always", () => {
      const always = tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true).map(({ name }) => name);
      expect(always).toEqual(table.always);
    });

    test("with instructions that are short enough", () => {
      expect(instructions).toContain(table.manners);
      expect(instructions.length).toBeLessThan(1900);
      const known = table.tools.map(([name]) => name);
      const named = instructions.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
      expect(named.filter((name) => !known.includes(name))).toEqual([]);
    });

    test("whose descriptions name no tool of another set", () => {
      const others = SET_TABLES.filter(({ set }) => set !== table.set).flatMap((each) =>
        each.tools.map(([name]) => name),
      );
      const own = table.tools.map(([name]) => name);
      const foreign = others.filter((name) => name.includes("_") && !own.includes(name));
      const said = JSON.stringify(tools);
      expect(foreign.filter((name) => new RegExp(`\\b${name}\\b`).test(said))).toEqual([]);
    });
  });
});
