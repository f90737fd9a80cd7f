import { inputPlacement, type Operation, pathParameters } from "../operation.ts";
import type { OperationName } from "../operations/index.ts";
import { DEFAULT_PORT, PROTOCOL_NAME, PROTOCOL_VERSION } from "../version.ts";
import { groups } from "./groups.ts";
import { compileSchemas, fieldsOf, type JsonSchema, requiredOf, type SchemaSet } from "./json-schema.ts";
import { errorsOf } from "./openapi-parts.ts";
import { eventTable, idTable, introduction, limitTable, table } from "./reference-tables.ts";
import { anchorOf, typeText } from "./type-text.ts";

/** The reference page of the protocol, in Markdown. */
export function referencePage(schemas: SchemaSet = compileSchemas()): string {
  const blocks = [
    "# Protocol reference",
    "<!-- Written by `npm run protocol:build` from the operation table in protocol/. Do not edit. -->",
    `Protocol \`${PROTOCOL_NAME}\` ${PROTOCOL_VERSION}. HTTP and JSON, by default on \`http://127.0.0.1:${DEFAULT_PORT}\`. ` +
      "The same as data: [openapi.json](../../protocol/generated/openapi.json), " +
      "[JSON Schemas](../../protocol/generated/schemas).",
    contents(),
    ...introduction(),
    "## Operations",
    ...groups.flatMap(({ tag, about, operations }) => [
      `### ${tag}`,
      about,
      ...operations.flatMap(({ name, op }) => operationBlocks(name, op, schemas)),
    ]),
    "## Objects",
    "Fields marked `?` may be absent. Ignore fields you do not know. Given as input, unknown fields are refused.",
    ...Object.entries(schemas.definitions)
      .filter(([name]) => !name.endsWith("Input"))
      .flatMap(([name, schema]) => objectBlocks(name, schema)),
    "## Event types",
    ...eventTable(),
    "## Ids",
    ...idTable(),
    "## Limits",
    ...limitTable(),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function contents(): string {
  const lines = groups.map(({ tag, operations }) => {
    const links = operations.map(({ name }) => `[${name}](#${operationAnchor(name)})`);
    return `- **${tag}**: ${links.join(", ")}`;
  });
  return [...lines, "- [Objects](#objects), [event types](#event-types), [ids](#ids), [limits](#limits)"].join("\n");
}

function operationBlocks(name: OperationName, op: Operation, schemas: SchemaSet): string[] {
  const input = schemas.inputs[name];
  const paths = [op.path, ...(op.aliases ?? [])].map((path) => `\`${op.method} ${path}\``).join(" or ");
  return [
    `#### <a id="${operationAnchor(name)}"></a>${name}`,
    `${op.summary}.`,
    [
      `${paths}`,
      `authority \`${op.authority}\``,
      `idempotency \`${op.idempotency}\``,
      ...(op.budget === "control" ? ["control budget"] : []),
      ...(op.waits ? ["waits"] : []),
    ].join(" · "),
    ...(op.description === undefined ? [] : [op.description]),
    ...inputBlocks(op, input),
    `Answers **${op.status}** ${framing(op)}${typeText(schemas.results[name])}. Errors: ${errorsOf(op)
      .map((code) => `\`${code}\``)
      .join(", ")}.`,
  ];
}

function framing(op: Operation): string {
  if (op.framing === "events") return "`text/event-stream`, each `data` one ";
  return op.framing === "bare" ? "without envelope, " : "";
}

function inputBlocks(op: Operation, input: JsonSchema): string[] {
  const inPath = pathParameters(op.path);
  const rows = Object.entries(fieldsOf(input)).map(([field, schema]) => [
    `\`${field}\`${requiredOf(input).includes(field) ? "" : "?"}`,
    inPath.includes(field) ? "path" : inputPlacement(op),
    described(schema),
  ]);
  if (rows.length === 0) return [];
  return [table(["field", "in", "type"], rows), ...conditions(input)];
}

/** Rules between fields, which a table of single fields cannot show. */
function conditions(input: JsonSchema): string[] {
  const dependent = Object.entries((input.dependentRequired ?? {}) as Record<string, readonly string[]>);
  const sentences = dependent.map(
    ([field, needs]) => `\`${field}\` needs ${needs.map((name) => `\`${name}\``).join(", ")}.`,
  );
  if (input.if !== undefined && input.then !== undefined) {
    sentences.push(`Where ${clauses(input.if as JsonSchema)}, ${clauses(input.then as JsonSchema)}.`);
  }
  return sentences.length > 0 ? [sentences.join(" ")] : [];
}

function clauses(schema: JsonSchema): string {
  return Object.entries(fieldsOf(schema))
    .map(([field, rule]) =>
      rule.const === undefined
        ? `\`${field}\` has at least ${rule.minItems} entries`
        : `\`${field}\` is \`${rule.const}\``,
    )
    .join(" and ");
}

function objectBlocks(name: string, schema: JsonSchema): string[] {
  const heading = `### <a id="${anchorOf(name)}"></a>${name}`;
  const about = typeof schema.description === "string" ? [schema.description] : [];
  if (schema.type !== "object") return [heading, ...about, `Pattern: \`${schema.pattern}\``];
  const rows = Object.entries(fieldsOf(schema)).map(([field, type]) => [
    `\`${field}\`${requiredOf(schema).includes(field) ? "" : "?"}`,
    described(type),
  ]);
  return [heading, ...about, table(["field", "type"], rows)];
}

function described(schema: JsonSchema): string {
  return typeof schema.description === "string" ? `${typeText(schema)}. ${schema.description}` : typeText(schema);
}

function operationAnchor(name: OperationName): string {
  return `op-${name.toLowerCase()}`;
}
