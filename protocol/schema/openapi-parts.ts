import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import { type Authority, commonErrors, type Operation } from "../operation.ts";
import type { OperationName } from "../operations/index.ts";
import { IDEMPOTENCY_HEADER, SCOPE_HEADER } from "../version.ts";
import { ERROR_GUIDANCE } from "./guidance.ts";
import { convert, type Json, type JsonSchema } from "./json-schema.ts";

/** Statuses an operation answers with beside its own and those of its errors. With 304 comes no body, else the result. */
const FURTHER_STATUSES: Partial<Record<OperationName, Readonly<Record<number, string>>>> = {
  // Probes and load balancers look at the status alone.
  health: { 503: "Storage is unavailable; the same object, not an error." },
  importScope: { 200: "This very archive had been imported before; nothing was changed." },
  getAgentCard: { 304: "The caller's copy is current." },
};

const DONE: Readonly<Record<Operation["status"], string>> = { 200: "Done.", 201: "Created.", 202: "Accepted." };

/** Every code an operation may answer, in the order of the error table. */
export function errorsOf(op: Operation): ErrorCode[] {
  const codes = new Set([...op.errors, ...commonErrors(op)]);
  return ERROR_CODES.filter((code) => codes.has(code));
}

export function responsesOf(name: OperationName, op: Operation, result: JsonSchema): JsonSchema {
  const content = successContent(op, result);
  const responses: Record<string, Json> = { [op.status]: { description: DONE[op.status], content } };
  for (const code of errorsOf(op)) {
    responses[ERROR_STATUS[code]] = { $ref: `#/components/responses/${op.framing === "a2a" ? "A2aError" : code}` };
  }
  for (const [status, description] of Object.entries(FURTHER_STATUSES[name] ?? {})) {
    responses[status] = { description, ...(status === "304" ? {} : { content }) };
  }
  return responses;
}

function successContent(op: Operation, result: JsonSchema): JsonSchema {
  switch (op.framing) {
    case "binary":
      return { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
    case "a2a":
    case "bare":
      return { "application/json": { schema: result } };
    case "events":
      return {
        "text/event-stream": {
          schema: {
            type: "string",
            description: "The `data` of each unnamed event is JSON as in `contentSchema`.",
            contentMediaType: "application/json",
            contentSchema: result,
          },
          "x-signals": signalsOf(op),
        },
      };
    case "envelope":
      return {
        "application/json": {
          schema: { type: "object", properties: { ok: { const: true }, result }, required: ["ok", "result"] },
        },
      };
  }
}

/** What the data of a stream's named events is. */
function signalsOf(op: Operation): JsonSchema {
  return Object.fromEntries(
    Object.entries(op.signals ?? {}).map(([name, signal]) => [name, convert(signal, "result").schema]),
  );
}

export function errorSchemas(): Record<string, JsonSchema> {
  return {
    Error: {
      type: "object",
      properties: {
        code: { type: "string", enum: [...ERROR_CODES], description: "Stable; the one thing to branch on." },
        message: { type: "string", description: "For people; may change." },
        details: { type: "object", description: "Machine-readable facts beside the code." },
      },
      required: ["code", "message"],
    },
    Failure: {
      type: "object",
      properties: { ok: { const: false }, error: { $ref: "#/$defs/Error" } },
      required: ["ok", "error"],
    },
    A2aFailure: {
      type: "object",
      description: "Error of A2A 1.0 over HTTP and JSON.",
      properties: {
        error: {
          type: "object",
          properties: { code: { type: "integer" }, message: { type: "string" } },
          required: ["code", "message"],
        },
      },
      required: ["error"],
    },
  };
}

/** How the A2A interface refuses. What is refused before it gets there is refused as everywhere. */
export function a2aErrorResponse(): JsonSchema {
  return {
    description: "An error as A2A has them, or the envelope of a request that did not get as far.",
    content: {
      "application/json": { schema: { anyOf: [{ $ref: "#/$defs/A2aFailure" }, { $ref: "#/$defs/Failure" }] } },
    },
  };
}

export function errorResponse(code: ErrorCode): JsonSchema {
  const { meaning, retry } = ERROR_GUIDANCE[code];
  return {
    description: `${code}. ${meaning} Retry: ${lowerFirst(retry)}`,
    ...headersOf(code),
    content: {
      "application/json": {
        schema: {
          allOf: [{ $ref: "#/$defs/Failure" }],
          properties: { error: { type: "object", properties: { code: { const: code } } } },
        },
      },
    },
  };
}

function headersOf(code: ErrorCode): JsonSchema {
  if (code === "BACKPRESSURE") {
    return {
      headers: { "Retry-After": { description: "Seconds, where known.", schema: { type: "integer", minimum: 0 } } },
    };
  }
  return code === "METHOD_NOT_ALLOWED" ? { headers: { Allow: { schema: { type: "string" } } } } : {};
}

export function headerParameters(): JsonSchema {
  return {
    IdempotencyKey: {
      name: IDEMPOTENCY_HEADER,
      in: "header",
      description: "Makes the call safe to repeat: same key and content, same result; other content is CONFLICT.",
      schema: {
        type: "string",
        minLength: 1,
        maxLength: LIMITS.idempotencyKeyBytes,
        "x-maxBytes": LIMITS.idempotencyKeyBytes,
      },
    },
    LastEventId: {
      name: "Last-Event-ID",
      in: "header",
      description: "Sequence number of the last event received; the stream continues after it.",
      schema: { type: "integer", minimum: 0 },
    },
  };
}

export function securitySchemes(): JsonSchema {
  const bearer = (description: string) => ({ type: "http", scheme: "bearer", description });
  return {
    adminToken: bearer("The admin token."),
    scopeToken: bearer("The token of one scope, held by its owner."),
    agentToken: bearer("The token of one execution of one agent."),
    outputCredential: bearer("A credential that reads or publishes one output stream."),
    a2aCredential: bearer("A credential that writes to one published agent."),
    connectorCredential: bearer("The credential of one configuration of an MCP client."),
    ownerScope: {
      type: "apiKey",
      in: "header",
      name: SCOPE_HEADER,
      description: "Names the scope the admin token acts as owner of; only together with the admin token.",
    },
  };
}

/** Ways to authorise an operation: one entry per alternative. */
export function security(op: Pick<Operation, "authority">): Json[] {
  return SECURITY[op.authority].map((schemes) => Object.fromEntries(schemes.map((scheme) => [scheme, []])));
}

const OWNER = [["scopeToken"], ["adminToken", "ownerScope"]] as const;

const SECURITY: Readonly<Record<Authority, readonly (readonly string[])[]>> = {
  none: [],
  admin: [["adminToken"]],
  scope: OWNER,
  agent: [["agentToken"]],
  "agent-expired-ok": [["agentToken"]],
  "scope-or-agent": [["agentToken"], ...OWNER],
  "output-publish": [["agentToken"], ["outputCredential"]],
  "output-read": [...OWNER, ["outputCredential"]],
  a2a: [["a2aCredential"]],
  connector: [["connectorCredential"]],
};

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
