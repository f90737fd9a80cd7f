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
import { admitOrigin, answerPreflight } from "./cross-origin.ts";
import type { Dialect } from "./dialect.ts";
import type { DirectHandler } from "./direct.ts";
import { guardHost } from "./guards.ts";
import type { Mount } from "./mount.ts";
import { queryCoercions, readQuery } from "./query.ts";
import { asCallerError, sendError, sendJson } from "./respond.ts";
import { type RouteMatch, Router } from "./router.ts";

/** What the door needs of the daemon behind it. */
export interface DoorServices {
  readonly logger: Logger;
  readonly adminToken: string;
  readonly dialect: Dialect;
  /** Performs an operation whose input has been parsed. */
  perform(name: OperationName, call: Call): Promise<unknown>;
  checkAuthority(name: OperationName, credentials: Credentials): Promise<unknown>;
  /** Operations that write their answer themselves. */
  readonly direct: Readonly<Partial<Record<OperationName, DirectHandler>>>;
  /** Origins whose pages may call what the table opens to listed ones. */
  readonly allowedOrigins: readonly string[];
  /** Whether browsers that are signed in to the user interface may call. */
  readonly withSessions?: boolean;
  /** Paths that another door answers, whatever the method. */
  readonly mounts?: Pick<ReadonlyMap<string, Mount>, "get">;
}

const IDEMPOTENCY_KEY = IDEMPOTENCY_HEADER.toLowerCase();

/** The HTTP door: finds the operation in the table, parses, performs, answers. Knows nothing of any one operation. */
export function createDoor(
  services: DoorServices,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { dialect } = services;
  const router = new Router();
  const readCredentials = credentialReader(services.adminToken, services.withSessions);
  const coercions = new Map(operationNames.map((name) => [name, queryCoercions(operationOf(name))]));

  async function readInput(op: Operation, match: RouteMatch, query: string, request: IncomingMessage) {
    const fromQuery = readQuery(query, coercions.get(match.name) ?? new Map());
    // Their bodies are not for us to read.
    if (op.transfer === "upload" || op.framing === "a2a") return { ...fromQuery, ...match.params };
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
    return parseInput(op.input, dialect.adaptInput(match.name, { ...fields, ...match.params }));
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
    const direct = services.direct[match.name];
    const signal = op.waits || direct ? goneSignal(response) : undefined;
    const { sharedQuestions } = dialect;
    const call: Call = { credentials, input, idempotencyKey, signal, sharedQuestions };
    if (direct) return direct({ ...call, input, signal: signal as AbortSignal }, request, response);
    const result = dialect.adaptResult(match.name, await services.perform(match.name, call));
    if (op.framing === "bare") sendJson(response, bareStatus(result), result);
    else sendJson(response, op.status, { ok: true, result });
  }

  function visit(
    mount: Mount,
    [path, query]: [path: string, query: string],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const credentials = readCredentials(request);
    return mount({ request, response, path, query, credentials, signal: goneSignal(response) });
  }

  /** Lets a page in where the table says so. A path that leads nowhere is open to nobody. */
  function admit(path: string, method: string, request: IncomingMessage, response: ServerResponse): RouteMatch {
    const match = matchOf(router, method, path);
    const op = match instanceof IntercomError ? undefined : operationOf(match.name);
    admitOrigin(op, request, response, services.allowedOrigins);
    if (match instanceof IntercomError) throw match;
    return match;
  }

  return async (request, response) => {
    try {
      guardHost(request);
      const [path, query] = partsOf(request.url);
      const mount = services.mounts?.get(path);
      const method = request.method ?? "GET";
      const preflight = method === "OPTIONS" && !mount ? openedMethods(router, path) : [];
      if (mount) {
        admitOrigin(undefined, request, response, []);
        await visit(mount, [path, query], request, response);
      } else if (preflight.length > 0) {
        admit(path, preflight[0] as string, request, response);
        answerPreflight(preflight, response);
      } else {
        await handle(admit(path, method, request, response), query, request, response);
      }
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

/** HEAD means GET, of what may be cached. */
function matchOf(router: Router, method: string, path: string): RouteMatch | IntercomError {
  try {
    if (method === "HEAD") {
      const match = router.match("GET", path);
      if (operationOf(match.name).origins === "any") return match;
    }
    return router.match(method, path);
  } catch (error) {
    if (error instanceof IntercomError) return error;
    throw error;
  }
}

/** Methods at a path that pages of other origins may use. */
function openedMethods(router: Router, path: string): string[] {
  const found = matchOf(router, "OPTIONS", path);
  if (!(found instanceof IntercomError) || found.code !== "METHOD_NOT_ALLOWED") return [];
  const opened = [...router.at(path)].filter(([, name]) => operationOf(name).origins !== undefined);
  return opened.flatMap(([method, name]) => (operationOf(name).origins === "any" ? [method, "HEAD"] : [method]));
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

/** Path and query of a target. Only the first question mark parts them: further ones belong to values. */
function partsOf(target = "/"): [path: string, query: string] {
  const at = target.indexOf("?");
  return at === -1 ? [target, ""] : [target.slice(0, at), target.slice(at + 1)];
}

/** Aborts when the caller hangs up before it was answered. */
function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  // While the body was being read, perhaps.
  if (response.destroyed) controller.abort();
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
