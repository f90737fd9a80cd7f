import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { commonErrors, ERROR_CODES, ERROR_STATUS, operationNames, operationOf, pathParameters } from "../index.ts";
import { groups } from "./groups.ts";
import type { Json, JsonSchema } from "./json-schema.ts";
import { openApiDocument } from "./openapi.ts";

const document = openApiDocument();
const components = document.components as Record<string, Record<string, JsonSchema>>;
const paths = document.paths as Record<string, Record<string, JsonSchema>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface WithContent {
  readonly content: { readonly "application/json": { readonly schema: JsonSchema } };
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, formats: { "date-time": true } });
ajv.addVocabulary(["x-maxBytes"]);

/** Compiles a schema that refers to the components of the document. */
function compile(schema: JsonSchema) {
  const rooted = JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
    "#/components/schemas/",
    "#/$defs/",
  );
  return ajv.compile(JSON.parse(rooted) as object);
}

function resolve(reference: string): unknown {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
}

function deref<T>(value: Json): T {
  const { $ref } = value as { $ref?: string };
  return (typeof $ref === "string" ? resolve($ref) : value) as T;
}

/** Every value under a key, anywhere in the document. */
function everything(key: string, value: Json = document): Json[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => everything(key, item));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...everything(key, inner),
  ]);
}

const described = operationNames.map((name) => {
  const op = operationOf(name);
  const object = paths[op.path]?.[op.method.toLowerCase()] as JsonSchema;
  const parameters = ((object.parameters ?? []) as Json[]).map((each) => deref<Parameter>(each));
  return { name, op, object, parameters, responses: object.responses as Record<string, JsonSchema> };
});

describe("the document", () => {
  test("is OpenAPI 3.1 with the version of the protocol", () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: "Agent Intercom", version: "1.0" },
    });
  });

  test("has only references that lead somewhere", () => {
    const references = everything("$ref") as string[];
    expect(references.length).toBeGreaterThan(200);
    for (const reference of references) expect(resolve(reference), reference).toBeDefined();
  });

  test("has only schemas that compile", () => {
    for (const [name, schema] of Object.entries(components.schemas ?? {})) {
      expect(() => compile(schema), name).not.toThrow();
    }
    for (const schema of everything("schema")) expect(() => compile(schema as JsonSchema)).not.toThrow();
  });

  test("names every operation once and nothing else", () => {
    expect(everything("operationId")).toEqual(expect.arrayContaining([...operationNames]));
    expect(everything("operationId")).toHaveLength(operationNames.length);
  });

  test("answers on aliases as on the path itself", () => {
    expect(deref(paths["/health/ready"] as JsonSchema)).toBe(paths["/health"]);
  });

  test("uses only tags and security schemes it declares", () => {
    const tags = (document.tags as readonly { name: string }[]).map((tag) => tag.name);
    expect(tags).toEqual(groups.map((group) => group.tag));
    const used = (everything("security") as Record<string, unknown>[][]).flat().flatMap((entry) => Object.keys(entry));
    expect([...new Set(used)].sort()).toEqual(Object.keys(components.securitySchemes ?? {}).sort());
  });

  test("has a response for each code, with that code", () => {
    for (const code of ERROR_CODES) {
      const response = resolve(`#/components/responses/${code}`) as WithContent;
      const validate = compile(response.content["application/json"].schema);
      expect(validate({ ok: false, error: { code, message: "m", details: { reason: "r" } } })).toBe(true);
      const other = code === "CONFLICT" ? "INTERNAL" : "CONFLICT";
      expect(validate({ ok: false, error: { code: other, message: "m" } })).toBe(false);
      expect(validate({ ok: true, result: null })).toBe(false);
    }
  });
});

describe("every operation", () => {
  test("declares its path parameters, and each parameter once", () => {
    for (const { name, op, parameters } of described) {
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.map((parameter) => parameter.name).sort(), name).toEqual(pathParameters(op.path).sort());
      for (const parameter of inPath) expect(parameter.required, name).toBe(true);
      expect(new Set(parameters.map((each) => `${each.in} ${each.name}`)).size, name).toBe(parameters.length);
    }
  });

  test("has every input field in exactly one place", () => {
    for (const { name, op, object, parameters } of described) {
      const body = object.requestBody as WithContent | undefined;
      const inBody = Object.keys(body?.content["application/json"].schema.properties ?? {});
      const outside = parameters.filter((each) => each.in !== "header").map((each) => each.name);
      expect([...outside, ...inBody].sort(), name).toEqual(Object.keys(op.input.shape).sort());
      if (op.method === "GET") expect(body, name).toBeUndefined();
    }
  });

  test("takes the idempotency key where one is honoured", () => {
    for (const { name, op, parameters } of described) {
      const headers = parameters.filter((each) => each.in === "header").map((each) => each.name);
      expect(headers.includes("Idempotency-Key"), name).toBe(op.idempotency === "key");
      expect(headers.includes("Last-Event-ID"), name).toBe(op.framing === "events");
    }
  });

  test("answers with its status and with the status of each of its codes", () => {
    for (const { name, op, responses } of described) {
      const expected = [op.status, ...[...op.errors, ...commonErrors(op)].map((code) => ERROR_STATUS[code])];
      const further = name === "health" ? [503] : [];
      expect(Object.keys(responses).map(Number).sort(), name).toEqual([...new Set([...expected, ...further])].sort());
    }
  });

  test("frames its result as the table says", () => {
    for (const { name, op, responses } of described) {
      const { content } = responses[op.status] as { content: Record<string, { schema: JsonSchema }> };
      const type = op.framing === "events" ? "text/event-stream" : "application/json";
      expect(Object.keys(content), name).toEqual([type]);
      const properties = Object.keys(content[type]?.schema.properties ?? {});
      if (op.framing === "envelope") expect(properties, name).toEqual(["ok", "result"]);
      else expect(properties, name).not.toContain("ok");
    }
  });

  test("asks for the credential of its authority", () => {
    const owner = ["scopeToken", "adminToken+ownerScope"];
    const expected = {
      none: [],
      admin: ["adminToken"],
      scope: owner,
      agent: ["agentToken"],
      "agent-expired-ok": ["agentToken"],
      "scope-or-agent": ["agentToken", ...owner],
    };
    for (const { name, op, object } of described) {
      const alternatives = (object.security as Record<string, unknown>[]).map((entry) => Object.keys(entry).join("+"));
      expect(alternatives, name).toEqual(expected[op.authority]);
    }
  });
});

test("a message passes the request schema of sendMessage, and an unknown field does not", () => {
  const requestBody = resolve("#/paths/~1v1~1messages/post/requestBody") as WithContent & { required: boolean };
  const validate = compile(requestBody.content["application/json"].schema);
  const message = { to: "reviewer", body: "hello", context: [{ kind: "text", title: "t" }] };
  expect(requestBody.required).toBe(true);
  expect(validate(message)).toBe(true);
  expect(validate({ ...message, urgent: true })).toBe(false);
  expect(validate({ ...message, context: [{ kind: "text", title: "t", extra: 1 }] })).toBe(false);
});
