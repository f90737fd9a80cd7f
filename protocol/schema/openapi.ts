import { ERROR_CODES } from "../errors.ts";
import { inputPlacement, type Operation, pathParameters } from "../operation.ts";
import type { OperationName } from "../operations/index.ts";
import { DEFAULT_PORT, PROTOCOL_VERSION } from "../version.ts";
import { groups } from "./groups.ts";
import {
  compileSchemas,
  fieldsOf,
  type Json,
  type JsonSchema,
  mapReferences,
  requiredOf,
  type SchemaSet,
} from "./json-schema.ts";
import {
  a2aErrorResponse,
  errorResponse,
  errorSchemas,
  headerParameters,
  responsesOf,
  security,
  securitySchemes,
} from "./openapi-parts.ts";

const DESCRIPTION =
  "Every success is `{ok: true, result}`, every failure `{ok: false, error: {code, message, details?}}`; branch on " +
  "`code`. Unknown routes answer 404 NOT_FOUND, known ones with another method 405 METHOD_NOT_ALLOWED. Text limits are " +
  "UTF-8 bytes (`x-maxBytes`). Ignore result fields you do not know.";

/** The whole protocol as an OpenAPI 3.1 document. */
export function openApiDocument(schemas: SchemaSet = compileSchemas()): JsonSchema {
  return toComponents({
    openapi: "3.1.1",
    info: {
      title: "Agent Intercom",
      version: PROTOCOL_VERSION,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: `http://127.0.0.1:${DEFAULT_PORT}`, description: "The daemon of this computer." }],
    tags: groups.map(({ tag, about }) => ({ name: tag, description: about })),
    paths: paths(schemas),
    components: {
      schemas: { ...schemas.definitions, ...errorSchemas() },
      responses: {
        ...Object.fromEntries(ERROR_CODES.map((code) => [code, errorResponse(code)])),
        A2aError: a2aErrorResponse(),
      },
      parameters: headerParameters(),
      securitySchemes: securitySchemes(),
    },
  });
}

function paths(schemas: SchemaSet): JsonSchema {
  const items: Record<string, Record<string, Json>> = {};
  for (const { tag, operations } of groups) {
    for (const { name, op } of operations) {
      items[op.path] = { ...items[op.path], [op.method.toLowerCase()]: operationObject(name, op, tag, schemas) };
      // A reference keeps operation ids unique, so that generated clients get one method, not one per alias.
      for (const alias of op.aliases ?? []) items[alias] = { $ref: `#/paths/${pointer(op.path)}` };
    }
  }
  return items;
}

function operationObject(name: OperationName, op: Operation, tag: string, schemas: SchemaSet): JsonSchema {
  const input = schemas.inputs[name];
  const parameters = parametersOf(op, input);
  return {
    operationId: name,
    summary: op.summary,
    ...(op.description === undefined ? {} : { description: op.description }),
    tags: [tag],
    security: security(op),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody(op) ? { requestBody: requestBody(op, input) } : {}),
    responses: responsesOf(name, op, schemas.results[name]),
    "x-authority": op.authority,
    "x-idempotency": op.idempotency,
    "x-budget": op.budget,
    ...(op.waits ? { "x-waits": true } : {}),
    ...(op.perMinute ? { "x-per-minute": { limit: op.perMinute.limit, of: [...op.perMinute.of] } } : {}),
  };
}

function parametersOf(op: Operation, input: JsonSchema): Json[] {
  const inPath = new Set(pathParameters(op.path));
  const parameters: Json[] = [];
  for (const [field, schema] of Object.entries(fieldsOf(input))) {
    if (!inPath.has(field) && hasBody(op)) continue;
    const { description, ...rest } = schema;
    parameters.push({
      name: field,
      in: inPath.has(field) ? "path" : "query",
      ...(description === undefined ? {} : { description }),
      ...(requiredOf(input).includes(field) ? { required: true } : {}),
      schema: rest,
    });
  }
  if (op.idempotency === "key") parameters.push({ $ref: "#/components/parameters/IdempotencyKey" });
  if (op.framing === "events") parameters.push({ $ref: "#/components/parameters/LastEventId" });
  return parameters;
}

function hasBody(op: Operation): boolean {
  return inputPlacement(op) === "body";
}

function requestBody(op: Operation, input: JsonSchema): JsonSchema {
  const schema = bodySchema(op, input);
  // An empty body means `{}`.
  return { required: requiredOf(schema).length > 0, content: { "application/json": { schema } } };
}

/** The input without what travels in the path. */
function bodySchema(op: Operation, input: JsonSchema): JsonSchema {
  const inPath = pathParameters(op.path);
  const { required: _, ...rest } = input;
  const required = requiredOf(input).filter((field) => !inPath.includes(field));
  const fields = Object.entries(fieldsOf(input)).filter(([field]) => !inPath.includes(field));
  return { ...rest, properties: Object.fromEntries(fields), ...(required.length > 0 ? { required } : {}) };
}

function toComponents(document: JsonSchema): JsonSchema {
  return mapReferences(document, (name) => `#/components/schemas/${name}`);
}

function pointer(path: string): string {
  return path.replaceAll("~", "~0").replaceAll("/", "~1");
}
