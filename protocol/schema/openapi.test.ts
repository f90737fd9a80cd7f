import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  commonErrors,
  ERROR_CODES,
  ERROR_STATUS,
  type OperationName,
  operationNames,
  operationOf,
  pathParameters,
} from "../index.ts";
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

const formats = { "date-time": true, uri: true, binary: true } as const;
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, formats });
ajv.addVocabulary(["x-maxBytes"]);

const SHARED = "components";
ajv.addSchema(rooted({ $defs: components.schemas as JsonSchema }), SHARED);

/** Compiles a schema that refers to the components of the document. */
function compile(schema: JsonSchema) {
  return ajv.compile(rooted(schema));
}

/** A schema with its references to components turned to the one place where those are known. */
function rooted(schema: JsonSchema): object {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", `${SHARED}#/$defs/`)) as object;
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
    for (const reference of new Set(references)) expect(resolve(reference), reference).toBeDefined();
  });

  test("has only schemas that compile", () => {
    for (const name of Object.keys(components.schemas ?? {})) {
      expect(() => ajv.compile({ $ref: `${SHARED}#/$defs/${name}` }), name).not.toThrow();
    }
    // Most parameters are the same few.
    const schemas = new Set(everything("schema").map((schema) => JSON.stringify(schema)));
    for (const schema of schemas) expect(() => compile(JSON.parse(schema) as JsonSchema), schema).not.toThrow();
  }, 30_000);

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

/** Answers that are neither the one success of the table nor an error. */
const FURTHER_STATUSES: Partial<Record<OperationName, readonly number[]>> = {
  health: [503],
  importScope: [200],
  getAgentCard: [304],
};

const MEDIA_TYPES = {
  envelope: "application/json",
  bare: "application/json",
  a2a: "application/json",
  events: "text/event-stream",
  binary: "application/octet-stream",
} as const;

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
      const further = FURTHER_STATUSES[name] ?? [];
      expect(Object.keys(responses).map(Number).sort(), name).toEqual([...new Set([...expected, ...further])].sort());
    }
  });

  test("sends no body with a status that cannot have one", () => {
    expect(described.find(({ name }) => name === "getAgentCard")?.responses[304]).not.toHaveProperty("content");
  });

  test("refuses in the words of its framing", () => {
    for (const { name, op, responses } of described) {
      for (const code of [...op.errors, ...commonErrors(op)]) {
        const component = op.framing === "a2a" ? "A2aError" : code;
        expect(responses[ERROR_STATUS[code]], name).toEqual({ $ref: `#/components/responses/${component}` });
      }
    }
  });

  test("says what the named events of a stream hold", () => {
    for (const { name, op, responses } of described.filter(({ op }) => op.framing === "events")) {
      const { content } = responses[op.status] as { content: Record<string, JsonSchema> };
      const signals = content["text/event-stream"]?.["x-signals"] as JsonSchema;
      expect(Object.keys(signals), name).toEqual(Object.keys(op.signals ?? {}));
      for (const signal of Object.values(signals)) expect(compile(signal as JsonSchema)({}), name).toBe(true);
    }
  });

  test("frames its result as the table says", () => {
    for (const { name, op, responses } of described) {
      const { content } = responses[op.status] as { content: Record<string, { schema: JsonSchema }> };
      const type = MEDIA_TYPES[op.framing];
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
      "output-publish": ["agentToken", "outputCredential"],
      "output-read": [...owner, "outputCredential"],
      a2a: ["a2aCredential"],
      connector: ["connectorCredential"],
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
