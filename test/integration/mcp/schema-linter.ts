import { Ajv2020 } from "ajv/dist/2020.js";
import type { ListedTool } from "../../support/mcp.ts";

/** What some client or model provider is known to stumble over. Checked over the wire, as each client receives it. */

/** Problems anywhere in a schema. */
export function problemsOf(schema: unknown, at: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((each, index) => problemsOf(each, `${at}[${index}]`));
  const problems: string[] = [];
  const { type, items, properties } = schema as { type?: unknown; items?: unknown; properties?: unknown };
  for (const word of ["$ref", "$defs", "definitions"]) if (word in schema) problems.push(`${at}: ${word}`);
  if (Array.isArray(type)) problems.push(`${at}: a list as type`);
  if (type === "array") {
    const typed = typeof items === "object" && items !== null && ("type" in items || "anyOf" in items);
    if (!typed) problems.push(`${at}: items without a type`);
  }
  for (const [name, field] of Object.entries(properties ?? {})) {
    if (typeof field === "boolean") problems.push(`${at}.properties.${name}: a truth value as schema`);
  }
  return [...problems, ...Object.entries(schema).flatMap(([key, value]) => problemsOf(value, `${at}.${key}`))];
}

/** Problems of a schema as a whole. */
export function rootProblems(schema: Record<string, unknown> | undefined, at: string): string[] {
  if (schema?.type !== "object") return [`${at}: the root is not an object`];
  const words = ["anyOf", "oneOf", "allOf", "not", "enum"].filter((word) => word in schema);
  return words.map((word) => `${at}: ${word} at the root`);
}

const MOST_TOOLS = 25;
/** Characters of a server's name and a tool's together. */
const LONGEST_NAME = 60;

/** Everything that is wrong with a list of tools as a client got it. */
export function lintTools(serverName: string, tools: readonly ListedTool[]): string[] {
  const ajv = new Ajv2020({ strict: true, strictTypes: false });
  const ofList = tools.length > MOST_TOOLS ? [`${tools.length} tools`] : [];
  return ofList.concat(
    tools.flatMap(({ name, description, inputSchema, outputSchema, annotations }) => {
      const problems = [
        ...rootProblems(inputSchema, `${name} input`),
        ...rootProblems(outputSchema, `${name} output`),
        ...problemsOf(inputSchema, `${name} input`),
        ...problemsOf(outputSchema, `${name} output`),
        ...silentFields(inputSchema).map((field) => `${name}.${field}: no description`),
      ];
      for (const schema of [inputSchema, outputSchema ?? {}]) ajv.compile(schema);
      if (!/^[a-z][a-z0-9_]{0,39}$/.test(name)) problems.push(`${name}: a name not every client takes`);
      if (serverName.length + name.length >= LONGEST_NAME) problems.push(`${name}: too long with its server`);
      if (description.length <= 20) problems.push(`${name}: no description`);
      if (typeof annotations?.title !== "string") problems.push(`${name}: no title`);
      return problems;
    }),
  );
}

function silentFields({ properties }: Record<string, unknown>): string[] {
  const fields = Object.entries(properties as Record<string, { description?: string }>);
  return fields.filter(([, field]) => !field.description).map(([name]) => name);
}
