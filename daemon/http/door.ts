import type { IncomingMessage, ServerResponse } from "node:http";
import {
  IDEMPOTENCY_HEADER,
  IntercomError,
  inputPlacement,
  isIntercomError,
  LIMITS,
  type Operation,
  type OperationName,
  operationNames,
  operationOf,
  parseInput,
  utf8Length,
} from "../../protocol/index.ts";
import type { Credentials } from "../core/index.ts";
import type { Call } from "../engine/index.ts";
import type { Logger } from "../runtime/index.ts";
import { readJsonObject } from "./body.ts";
import { credentialReader } from "./credentials.ts";
import { guardRequest } from "./guards.ts";
import { queryCoercions, readQuery } from "./query.ts";
import { asCallerError, sendError, sendJson } from "./respond.ts";
import { type RouteMatch, Router } from "./router.ts";

/** What the door needs of the daemon behind it. */
export interface DoorServices {
  readonly logger: Logger;
  readonly adminToken: string;
  /** Performs an operation whose input has been parsed. */
  perform(name: OperationName, call: Call): Promise<unknown>;
  checkAuthority(name: OperationName, credentials: Credentials): Promise<void>;
  /** Answers an operation framed as an event stream. */
  stream(call: Call, request: IncomingMessage, response: ServerResponse): Promise<void>;
}

const IDEMPOTENCY_KEY = IDEMPOTENCY_HEADER.toLowerCase();

/** The HTTP door: finds the operation in the table, parses, performs, answers. Knows nothing of any one operation. */
export function createDoor(
  services: DoorServices,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const router = new Router();
  const readCredentials = credentialReader(services.adminToken);
  const coercions = new Map(operationNames.map((name) => [name, queryCoercions(operationOf(name))]));

  async function readInput(op: Operation, match: RouteMatch, query: string, request: IncomingMessage) {
    const fromQuery = readQuery(query, coercions.get(match.name) ?? new Map());
    const fromBody = await readJsonObject(request);
    const [fields, others] = inputPlacement(op) === "query" ? [fromQuery, fromBody] : [fromBody, fromQuery];
    const misplaced = [
      ...Object.keys(others),
      ...Object.keys(match.params).filter((field) => Object.hasOwn(fields, field)),
    ];
    if (misplaced.length > 0) {
      const where = inputPlacement(op) === "query" ? "the query" : "the body";
      throw new IntercomError("INVALID_ARGUMENT", `${misplaced[0]}: unknown field here; fields travel in ${where}`);
    }
    return parseInput(op.input, { ...fields, ...match.params });
  }

  async function handle(
    match: RouteMatch,
    query: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const op = operationOf(match.name);
    const credentials = readCredentials(request);
    let input: Record<string, unknown>;
    let idempotencyKey: string | undefined;
    try {
      idempotencyKey = readIdempotencyKey(request);
      input = withKey(match.name, await readInput(op, match, query, request), idempotencyKey);
    } catch (error) {
      // A stranger learns that it is one before it learns how to put the question.
      if (isIntercomError(error, "INVALID_ARGUMENT")) await services.checkAuthority(match.name, credentials);
      throw error;
    }
    const signal = op.waits || op.framing === "events" ? goneSignal(response) : undefined;
    const call: Call = { credentials, input, idempotencyKey, signal };
    if (op.framing === "events") return services.stream(call, request, response);
    const result = await services.perform(match.name, call);
    if (op.framing === "bare") sendJson(response, bareStatus(result), result);
    else sendJson(response, op.status, { ok: true, result });
  }

  return async (request, response) => {
    try {
      guardRequest(request);
      const [path = "/", query = ""] = (request.url ?? "/").split("?", 2);
      await handle(router.match(request.method ?? "GET", path), query, request, response);
    } catch (error) {
      if (!(error instanceof IntercomError) || error.code === "INTERNAL") {
        services.logger.error("request failed", {
          method: request.method,
          path: request.url?.split("?")[0],
          error: describe(error),
        });
      }
      if (response.headersSent) response.destroy();
      else sendError(response, asCallerError(error));
    }
  };
}

function readIdempotencyKey(request: IncomingMessage): string | undefined {
  const key = request.headers[IDEMPOTENCY_KEY];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || key.trim() === "" || utf8Length(key) > LIMITS.idempotencyKeyBytes) {
    throw new IntercomError(
      "INVALID_ARGUMENT",
      `${IDEMPOTENCY_HEADER}: expected 1 to ${LIMITS.idempotencyKeyBytes} bytes of text`,
    );
  }
  return key;
}

/** Messages carry their key as a field; the header means the same. */
function withKey(
  name: OperationName,
  input: Record<string, unknown>,
  key: string | undefined,
): Record<string, unknown> {
  if (key === undefined || !("idempotencyKey" in operationOf(name).input.shape)) return input;
  if (input.idempotencyKey !== undefined && input.idempotencyKey !== key) {
    throw new IntercomError("INVALID_ARGUMENT", `idempotencyKey: differs from the ${IDEMPOTENCY_HEADER} header`);
  }
  return { ...input, idempotencyKey: key };
}

/** Aborts when the caller hangs up before it was answered. */
function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function bareStatus(result: unknown): number {
  return (result as { status?: string }).status === "not_ready" ? 503 : 200;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `; caused by ${error.cause.message}` : "";
  return `${error.stack ?? error.message}${cause}`;
}
