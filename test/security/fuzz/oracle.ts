import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import {
  commonErrors,
  ERROR_STATUS,
  type ErrorCode,
  type Operation,
  type OperationName,
  operationNames,
  operationOf,
} from "../../../protocol/index.ts";
import { fieldsOf } from "../../../protocol/schema/json-schema.ts";
import type { Plan } from "./plans.ts";
import { isRouted } from "./requests.ts";
import { resolved, schemas } from "./values.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
for (const [name, schema] of Object.entries(schemas.definitions)) ajv.addSchema(schema, `#/$defs/${name}`);
const validators = new Map<OperationName, ValidateFunction>();

function validatorOf(name: OperationName): ValidateFunction {
  const known = validators.get(name) ?? ajv.compile({ ...schemas.results[name], $defs: schemas.definitions });
  validators.set(name, known);
  return known;
}

/** What no answer may show of the inside: engine, stack, files. */
const INSIDE =
  /SQLITE|better-sqlite3|\bnode:|node_modules|\bat (?:\/|async |[\w.<>]+ \()|\.ts:\d|\bsqlite_|SELECT .* FROM|constraint failed|ZodError/;

/** Where the envelope is not ours: files, streams and other protocols. */
function hasEnvelope(op: Operation): boolean {
  return op.framing === "envelope" || op.framing === "bare" || op.framing === "events";
}

/** The operation a method and a target mean by the table; literal segments win. */
export function operationAt(method: string, target: string): OperationName | undefined {
  const path = target.split("?", 1)[0] as string;
  const matches = operationNames.flatMap((name) => {
    const op = operationOf(name);
    if (op.method !== method) return [];
    return [op.path, ...(op.aliases ?? [])].flatMap((template) => {
      const pattern = new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
      return pattern.test(path) ? [{ name, parameters: template.split("{").length }] : [];
    });
  });
  return matches.sort((a, b) => a.parameters - b.parameters)[0]?.name;
}

/** Everything that is wrong with an answer. */
export function problemsOf(
  plan: Plan,
  request: WireRequest,
  answer: WireAnswer,
  context: { readonly tokens: ReadonlySet<string>; readonly home: string },
): string[] {
  const problems: string[] = [];
  if (answer.status >= 500) problems.push(`status ${answer.status}`);
  const name = operationAt(request.method, request.target);
  const op = name === undefined ? undefined : operationOf(name);
  // A copy of the database is one.
  const isFile = op?.framing === "binary" && answer.status === 200;
  const leak = INSIDE.exec(answer.text)?.[0] ?? (answer.text.includes(context.home) ? context.home : undefined);
  if (leak !== undefined && !isFile) problems.push(`shows its inside: ${leak}`);
  const value = answer.text === "" ? undefined : parsed(answer.text);
  problems.push(...tokensIn(name, answer, value, context.tokens));
  if (request.method === "HEAD" || (op && !hasEnvelope(op))) return problems;
  if (isRouted(plan) && name !== plan.name) problems.push(`is not routed to its operation but to ${name}`);
  if (answer.status < 300) return [...problems, ...problemsOfSuccess(name, request, answer, value)];
  return [...problems, ...problemsOfHeaders(answer), ...problemsOfRefusal(plan, name, answer, value)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemsOfHeaders({ headers }: WireAnswer): string[] {
  const expected = [
    ["content-type", "application/json"],
    ["cache-control", "no-store"],
    ["x-content-type-options", "nosniff"],
  ] as const;
  return expected.flatMap(([name, value]) =>
    headers.get(name) === value ? [] : [`header ${name}: ${headers.get(name)}`],
  );
}

function problemsOfSuccess(
  name: OperationName | undefined,
  request: WireRequest,
  answer: WireAnswer,
  value: unknown,
): string[] {
  if (request.method === "OPTIONS" && answer.status === 204 && answer.text === "") return [];
  if (name === undefined) return [`succeeds where the table knows nothing: ${request.method} ${request.target}`];
  const op = operationOf(name);
  if (op.framing === "events")
    return answer.headers.get("content-type") === "text/event-stream" ? [] : ["is no event stream"];
  const problems = problemsOfHeaders(answer);
  if (answer.status !== (op.framing === "bare" ? 200 : op.status))
    problems.push(`status ${answer.status}, expected ${op.status}`);
  const envelope = value as { ok?: unknown; result?: unknown } | undefined;
  if (op.framing === "envelope" && (envelope?.ok !== true || Object.keys(envelope).sort().join() !== "ok,result")) {
    return [...problems, "is not {ok: true, result}"];
  }
  const validate = validatorOf(name);
  if (!validate(op.framing === "bare" ? value : envelope?.result))
    problems.push(`result: ${ajv.errorsText(validate.errors)}`);
  return problems;
}

function problemsOfRefusal(plan: Plan, name: OperationName | undefined, answer: WireAnswer, value: unknown): string[] {
  const envelope = value as { ok?: unknown; error?: { code?: unknown; message?: unknown } } | undefined;
  const error = envelope?.error;
  if (envelope?.ok !== false || typeof error !== "object" || Object.keys(envelope).sort().join() !== "error,ok") {
    return ["is not {ok: false, error}"];
  }
  const { code, message } = error;
  const problems: string[] = [];
  if (typeof message !== "string" || message.trim() === "") problems.push("an error without a message");
  const surplus = Object.keys(error).filter((key) => !["code", "message", "details"].includes(key));
  if (surplus.length > 0) problems.push(`unknown field ${surplus[0]} in the error`);
  if (ERROR_STATUS[code as ErrorCode] !== answer.status) problems.push(`status ${answer.status} with ${String(code)}`);
  if (!allowedCodes(plan, name).includes(code as ErrorCode))
    problems.push(`code ${String(code)} is not in the table for ${name}`);
  if (code === "METHOD_NOT_ALLOWED" && !answer.headers.get("allow")) problems.push("405 without Allow");
  return problems;
}

function allowedCodes(plan: Plan, name: OperationName | undefined): ErrorCode[] {
  const routing: ErrorCode[] = isRouted(plan) ? [] : ["NOT_FOUND", "METHOD_NOT_ALLOWED", "INVALID_ARGUMENT"];
  const guard: ErrorCode[] = plan.headers.some(([header]) => header === "Host" || header === "Origin")
    ? ["PERMISSION_DENIED"]
    : [];
  if (name === undefined) return [...routing, ...guard];
  const op = operationOf(name);
  return [...routing, ...guard, ...op.errors, ...commonErrors(op)];
}

/** Names of the fields by which an operation hands out secrets. */
function secretFields(name: OperationName): Set<string> {
  const schema = schemas.results[name];
  const inside = JSON.stringify([resolved(schema), ...Object.values(fieldsOf(resolved(schema))).map(resolved)]);
  return new Set([...inside.matchAll(/"(\w*(?:token|credential))":\{/gi)].map((match) => match[1] as string));
}

/** Values of these fields, however deep. */
function valuesOf(fields: ReadonlySet<string>, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(fields.has(key) ? [inner] : []),
    ...valuesOf(fields, inner),
  ]);
}

/** Tokens in an answer, except in the fields by which the operation hands them out. */
function tokensIn(
  name: OperationName | undefined,
  answer: WireAnswer,
  value: unknown,
  tokens: ReadonlySet<string>,
): string[] {
  const headers = [...answer.headers.values()].filter((header) => tokens.has(header));
  if (headers.length > 0) return ["a header contains a token"];
  const found = (answer.text.match(/[\w-]{43,}/g) ?? []).filter((word) => tokens.has(word));
  if (found.length === 0) return [];
  const allowed = name === undefined || answer.status >= 300 ? [] : valuesOf(secretFields(name), value);
  return found.every((word) => allowed.includes(word)) ? [] : ["contains a token"];
}
