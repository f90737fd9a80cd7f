import { ERROR_CODES } from "../errors.ts";
import { inputPlacement, type Operation, pathParameters } from "../operation.ts";
import type { OperationName } from "../operations/index.ts";
import { groups } from "./groups.ts";
import { AUTHORITY_GUIDANCE, IDEMPOTENCY_GUIDANCE } from "./guidance.ts";
import { fieldsOf, type JsonSchema, requiredOf, type SchemaSet } from "./json-schema.ts";
import { code, page, table } from "./markdown.ts";
import { described, typeText } from "./type-text.ts";

/** The page of all operations. */
export function operationsPage(schemas: SchemaSet): string {
  const blocks = [
    "How a call travels, and what every answer looks like: [calls](calls.md). Each operation says:",
    [
      "- its **authority**, whose credential it takes;",
      "- its **idempotency**, how it may be repeated after a lost answer: [idempotency](idempotency.md);",
      "- where each field travels: `path`, `query` or `body`; `?` marks fields that may be absent;",
      "- `waits`: it stays open up to `waitMs` while there is nothing to say;",
      "- `control budget`: it is answered even while ordinary calls are refused with `BACKPRESSURE`;",
      "- the errors of its own; any call may also answer [those of every call](errors.md#every-call).",
    ].join("\n"),
    meanings("authority", "credential", AUTHORITY_GUIDANCE),
    meanings("idempotency", "after a lost answer", IDEMPOTENCY_GUIDANCE),
    contents(),
    ...groups.flatMap(({ tag, about, operations }) => [
      `## ${tag}`,
      about,
      ...operations.flatMap(({ name, op }) => operationBlocks(name, op, schemas)),
    ]),
  ];
  // Objects have a page of their own.
  return page("Operations", blocks).replaceAll("](#type-", "](objects.md#type-");
}

function meanings(what: string, meaning: string, guidance: Readonly<Record<string, string>>): string {
  return table(
    [what, meaning],
    Object.entries(guidance).map(([name, text]) => [code(name), text]),
  );
}

/** Every operation by chapter, as links to this page. */
export function contents(page = ""): string {
  const lines = groups.map(({ tag, operations }) => {
    const links = operations.map(({ name }) => `[${name}](${page}#${operationAnchor(name)})`);
    return `- **${tag}**: ${links.join(", ")}`;
  });
  return lines.join("\n");
}

function operationBlocks(name: OperationName, op: Operation, schemas: SchemaSet): string[] {
  const input = schemas.inputs[name];
  const paths = [op.path, ...(op.aliases ?? [])].map((path) => `\`${op.method} ${path}\``).join(" or ");
  return [
    `### <a id="${operationAnchor(name)}"></a>${name}`,
    `${op.summary}.`,
    [
      `${paths}`,
      `authority \`${op.authority}\``,
      `idempotency \`${op.idempotency}\``,
      ...(op.budget === "control" ? ["control budget"] : []),
      ...(op.waits ? ["waits"] : []),
      ...(op.perMinute ? [`${op.perMinute.limit} a minute per ${op.perMinute.of.join(" or ")}`] : []),
    ].join(" · "),
    ...(op.description === undefined ? [] : [op.description]),
    ...inputBlocks(op, input),
    `Answers **${op.status}** ${framing(op)}${typeText(schemas.results[name])}.${signals(op)} ${ownErrors(op)}`,
  ];
}

/** Codes of its own; those of every call are on the page of errors. */
function ownErrors(op: Operation): string {
  const own = ERROR_CODES.filter(
    (each) => op.errors.includes(each) || (each === "CONFLICT" && op.idempotency === "key"),
  );
  return own.length === 0 ? "No errors of its own." : `Errors: ${own.map(code).join(", ")}.`;
}

function signals(op: Operation): string {
  return Object.keys(op.signals ?? {})
    .map((name) => ` Events named ${code(name)} hold [${upperFirst(name)}](#type-${name}).`)
    .join("");
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function framing(op: Operation): string {
  if (op.framing === "events") return "`text/event-stream`, each unnamed event's `data` one ";
  if (op.framing === "binary") return "with a file: ";
  return op.framing === "bare" || op.framing === "a2a" ? "without envelope, " : "";
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
      rule.minItems === undefined
        ? `\`${field}\` is ${typeText(rule)}`
        : `\`${field}\` has at least ${rule.minItems} entries`,
    )
    .join(" and ");
}

function operationAnchor(name: OperationName): string {
  return `op-${name.toLowerCase()}`;
}
