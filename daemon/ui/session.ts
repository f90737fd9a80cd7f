import { IntercomError, isIntercomError, parseInput, type SignedIn, signIn } from "../../protocol/index.ts";
import { currentSession, endOwnSession, sessionCookieName, startSession } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";
import {
  isFromOwnPage,
  type MountedRequest,
  readJsonObject,
  requireJson,
  sendJson,
  sessionSecrets,
} from "../http/index.ts";
import { type Logger, peerUser } from "../runtime/index.ts";
import { Attempts } from "./attempts.ts";
import { summarizeUserAgent } from "./user-agent.ts";

export interface SessionServices {
  readonly engine: Engine;
  readonly logger: Logger;
}

const METHODS = ["DELETE", "GET", "POST"];

/** Answers at `/ui/session`: signing in and out, and who a browser is signed in as. */
export class SessionEndpoint {
  readonly #engine: Engine;
  readonly #logger: Logger;
  readonly #attempts: Attempts;

  constructor({ engine, logger }: SessionServices) {
    this.#engine = engine;
    this.#logger = logger;
    this.#attempts = new Attempts(() => engine.clock.now());
  }

  async answer(mounted: MountedRequest): Promise<void> {
    switch (mounted.request.method) {
      case "POST":
        return this.#signIn(mounted);
      case "GET":
        return this.#tell(mounted);
      case "DELETE":
        return this.#signOut(mounted);
      default:
        throw new IntercomError("METHOD_NOT_ALLOWED", `Expected ${METHODS.join(" or ")}`, { allow: METHODS });
    }
  }

  async #signIn({ request, response }: MountedRequest): Promise<void> {
    requireOwnPage(request);
    requireJson(request);
    const { code } = parseInput(signIn, await readJsonObject(request));
    this.#attempts.check();
    await refuseOtherUsers(request);
    const userAgent = summarizeUserAgent(request.headers["user-agent"]);
    try {
      const started = await this.#engine.transact("write", (ctx) => startSession(ctx, code, userAgent));
      const { session, proof, cookie, cookieName, cookieMaxAgeS } = started;
      this.#logger.info("a browser has signed in", { sessionId: session.id, userAgent });
      response.setHeader("Set-Cookie", `${cookieName}=${cookie}; Max-Age=${cookieMaxAgeS}; ${ATTRIBUTES}`);
      sendJson(response, 201, { ok: true, result: { proof, session } satisfies SignedIn });
    } catch (error) {
      if (isIntercomError(error, "UNAUTHENTICATED")) {
        this.#attempts.failed();
        this.#logger.warn("a browser could not sign in", { userAgent, reason: error.details?.reason });
      }
      throw error;
    }
  }

  async #tell({ request, response }: MountedRequest): Promise<void> {
    const secrets = sessionSecrets(request);
    if (!secrets) throw new IntercomError("UNAUTHENTICATED", "This browser is not signed in", { reason: "missing" });
    const session = await this.#engine.transact("read", (ctx) => currentSession(ctx, secrets));
    sendJson(response, 200, { ok: true, result: { session } });
  }

  async #signOut({ request, response }: MountedRequest): Promise<void> {
    requireOwnPage(request);
    const secrets = sessionSecrets(request);
    const { ended, cookieName } = await this.#engine.transact("write", async (ctx) => ({
      ended: secrets !== undefined && (await endOwnSession(ctx, secrets)),
      cookieName: await sessionCookieName(ctx),
    }));
    if (ended) this.#logger.info("a browser has signed out");
    response.setHeader("Set-Cookie", `${cookieName}=; Max-Age=0; ${ATTRIBUTES}`);
    sendJson(response, 200, { ok: true, result: { ended } });
  }
}

/**
 * Opening a link puts it into the arguments of a browser, which other users of a Linux machine can read, and be faster.
 * Where it cannot be known whose program asks, such as through a tunnel, the code alone decides.
 * @throws {IntercomError} PERMISSION_DENIED
 */
async function refuseOtherUsers({ socket }: MountedRequest["request"]): Promise<void> {
  const user = await peerUser(socket);
  if (user === undefined || user === 0 || user === process.getuid?.()) return;
  throw new IntercomError("PERMISSION_DENIED", "A sign-in link is for programs of the user it was made by", {
    reason: "user",
  });
}

const ATTRIBUTES = "Path=/; HttpOnly; SameSite=Strict";

/** @throws {IntercomError} PERMISSION_DENIED unless a page of this very origin asks, and says so */
function requireOwnPage(request: MountedRequest["request"]): void {
  if (request.headers.origin !== undefined && isFromOwnPage(request)) return;
  throw new IntercomError("PERMISSION_DENIED", "Only a page of this daemon may ask for this", { reason: "origin" });
}
