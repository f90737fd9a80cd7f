import { type OperationName, type Operations, operationOf } from "../../protocol/index.ts";
import {
  type AdminCaller,
  authenticate,
  type Caller,
  type CallerFor,
  type Context,
  type CoreOperation,
  type Credentials,
  channels,
  handlers,
  type IdSource,
  type KeyedCaller,
  type OutsideSettings,
  once,
  type Replay,
  requireAdmin,
  type Transaction,
  touchSession,
} from "../core/index.ts";
import type { Logger } from "../runtime/index.ts";
import type { Store } from "../store/index.ts";
import { Admission } from "./admission.ts";
import { CallRates } from "./call-rates.ts";
import type { Clock } from "./clock.ts";
import { Deadlines } from "./deadlines.ts";
import { type Listener, WakeHub } from "./wake-hub.ts";

/** A call as every door hands it over: who, what, and how to tell that the caller has gone. */
export interface Call {
  readonly credentials: Credentials;
  /** Parsed by the operation's schema. */
  readonly input: unknown;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The caller's listener lets agents read the questions of their whole scope. */
  readonly sharedQuestions?: boolean;
}

export interface EngineOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly outside: OutsideSettings;
}

/** The same handler with its types put aside: the table guarantees that caller and input fit. */
interface AnyHandler {
  readonly access: "read" | "write";
  readonly run: (ctx: Context, caller: Caller | undefined, input: unknown) => Promise<unknown>;
  readonly waiting?: {
    channel(caller: Caller | undefined, input: unknown): string;
    pending(result: unknown, first: unknown): boolean;
    abandon?(ctx: Context, caller: Caller | undefined, result: unknown): Promise<unknown>;
  };
  readonly replay?: Replay<unknown>;
}

interface Attempt {
  readonly result: unknown;
  readonly caller: Caller | undefined;
}

/** These keep their key with the message itself, for as long as it is there. */
const KEY_IN_INPUT: ReadonlySet<OperationName> = new Set(["sendMessage", "sendHumanMessage"]);

function keepsKeys(caller: Caller): caller is KeyedCaller {
  return caller.kind !== "admin" && caller.kind !== "connector";
}

/** How long a caller was ready to wait says nothing about what it asked for. */
function withoutWait(input: unknown): unknown {
  return { ...(input as object), waitMs: undefined };
}

/** Runs operations: admission, due deadlines, one transaction with the authority check inside it, wakes, and waiting. */
export class Engine {
  readonly hub = new WakeHub();
  readonly store: Store;
  readonly clock: Clock;
  readonly #ids: IdSource;
  readonly #logger: Logger;
  readonly #admission = new Admission();
  readonly #rates: CallRates;
  readonly #outside: OutsideSettings;
  readonly #deadlines: Deadlines;
  /** Browser sessions whose use is being noted. */
  readonly #touching = new Set<number>();

  constructor(options: EngineOptions) {
    this.store = options.store;
    this.clock = options.clock;
    this.#ids = options.ids;
    this.#logger = options.logger;
    this.#outside = options.outside;
    this.#rates = new CallRates(() => options.clock.now());
    this.#deadlines = new Deadlines(options.clock, options.logger, (work) => this.transact("write", work));
  }

  start(): void {
    this.#deadlines.start();
  }

  /** Ends every wait and stops the timers; calls already running finish. */
  stop(): void {
    this.#deadlines.stop();
    this.hub.stop();
  }

  /**
   * Performs an operation of the core.
   * @throws {IntercomError} with the codes the operation table lists
   */
  async call(name: CoreOperation, call: Call): Promise<unknown> {
    const leave = this.#admission.enter(operationOf(name).budget);
    try {
      const handler = handlers[name] as unknown as AnyHandler;
      const waitMs = handler.waiting ? ((call.input as { waitMs?: number }).waitMs ?? 0) : 0;
      if (waitMs === 0) return (await this.#attempt(name, handler, call, this.#countOnce(name))).result;
      return await this.#wait(name, handler, call, waitMs, leave);
    } finally {
      leave();
    }
  }

  /** Admits a call of the daemon itself, which has no core function. */
  admit(name: OperationName): () => void {
    return this.#admission.enter(operationOf(name).budget);
  }

  /** Makes true what time has decided, before something looks at it. */
  async settleDue(): Promise<void> {
    await this.#deadlines.settleDue();
  }

  /** Tells the engine that something was written beside it: what falls due is looked up anew, and followers look. */
  somethingHappened(): void {
    this.#deadlines.note(0);
    this.hub.notify([channels.allEvents]);
  }

  /** Runs work of the daemon's own in a transaction of the core. */
  async transact<T>(access: "read" | "write", work: (ctx: Context) => Promise<T>): Promise<T> {
    return (await this.#run(access, work)).value;
  }

  async #run<T>(access: "read" | "write", work: (ctx: Context) => Promise<T>): Promise<{ ctx: Context; value: T }> {
    const run = async (tx: Transaction) => {
      const ctx = this.#context(tx, access);
      return { ctx, value: await work(ctx) };
    };
    const { ctx, value } = await (access === "write" ? this.store.write(run) : this.store.read(run));
    this.hub.notify(ctx.wakes);
    return { ctx, value };
  }

  /**
   * Who these credentials stand for at an operation; used to answer a malformed call of a stranger, too.
   * @throws {IntercomError} UNAUTHENTICATED or PERMISSION_DENIED when they may not call it at all
   */
  async checkAuthority<N extends OperationName>(
    name: N,
    credentials: Credentials,
  ): Promise<CallerFor<Operations[N]["authority"]>> {
    const caller = await this.transact("read", (ctx) => authenticate(ctx, operationOf(name).authority, credentials));
    // The authority of an operation says which kind of caller it takes.
    return caller as CallerFor<Operations[N]["authority"]>;
  }

  /**
   * Makes sure that these are credentials of the admin, for work that is no operation of the core. The daemon's own
   * credential is good while storage is not.
   * @throws {IntercomError} UNAUTHENTICATED
   */
  async requireAdmin(credentials: Credentials): Promise<AdminCaller> {
    if (!credentials.session) return requireAdmin(credentials);
    return (await this.transact("read", (ctx) => authenticate(ctx, "admin", credentials))) as AdminCaller;
  }

  /** A session of a browser was used; at most one note of it is under way. */
  #sessionUsed(sessionNo: number): void {
    if (this.#touching.has(sessionNo)) return;
    this.#touching.add(sessionNo);
    this.transact("write", (ctx) => touchSession(ctx, sessionNo))
      .catch((error: unknown) => this.#logger.warn("could not note the use of a session", { error: String(error) }))
      .finally(() => this.#touching.delete(sessionNo));
  }

  #context(tx: Transaction, access: "read" | "write"): Context {
    return {
      tx,
      access,
      repeatAsWrite: false,
      now: this.clock.now(),
      ids: this.#ids,
      outside: this.#outside,
      actor: undefined,
      sharedQuestions: false,
      wakes: new Set(),
      deadline: (at) => this.#deadlines.note(at),
      sessionUsed: (sessionNo) => this.#sessionUsed(sessionNo),
    };
  }

  async #attempt(
    name: CoreOperation,
    handler: AnyHandler,
    call: Call,
    onCaller: (caller: Caller | undefined) => void,
  ): Promise<Attempt> {
    if (this.#deadlines.due) await this.#deadlines.settleDue();
    const { authority, idempotency } = operationOf(name);
    const work = async (ctx: Context): Promise<Attempt> => {
      const caller = await authenticate(ctx, authority, call.credentials);
      if (caller?.kind === "owner") ctx.actor = caller.via;
      ctx.sharedQuestions = call.sharedQuestions ?? false;
      onCaller(caller);
      const run = () => handler.run(ctx, caller, call.input);
      const key = call.idempotencyKey;
      const result =
        key !== undefined && idempotency === "key" && !KEY_IN_INPUT.has(name) && caller && keepsKeys(caller)
          ? await once(ctx, caller, { operation: name, key, input: withoutWait(call.input) }, run, handler.replay)
          : await run();
      return { result, caller };
    };
    const { ctx, value } = await this.#run(handler.access, work);
    // Nobody is told anything who has hung up.
    return ctx.repeatAsWrite && !call.signal?.aborted ? this.transact("write", work) : value;
  }

  /** Counts a call once where calls per minute are limited, however often it looks again or its batch is lost. */
  #countOnce(name: CoreOperation): (caller: Caller | undefined) => void {
    const { perMinute } = operationOf(name);
    let counted = perMinute === undefined;
    return (caller) => {
      if (counted || perMinute === undefined) return;
      counted = true;
      this.#rates.count(perMinute, caller);
    };
  }

  /** Tries, and tries again whenever something may have changed, until there is a result or the time is over. */
  async #wait(
    name: CoreOperation,
    handler: AnyHandler,
    call: Call,
    waitMs: number,
    leave: () => void,
  ): Promise<unknown> {
    const waiting = handler.waiting as NonNullable<AnyHandler["waiting"]>;
    const until = performance.now() + waitMs;
    const count = this.#countOnce(name);
    let listener: Listener | undefined;
    let unpark: (() => void) | undefined;
    let first: Attempt | undefined;
    try {
      for (;;) {
        const attempt = await this.#attempt(name, handler, call, (who) => {
          count(who);
          // Inside the transaction, before looking: what is committed after this look will wake us.
          listener ??= this.hub.listen(waiting.channel(who, call.input));
        });
        const { result, caller } = attempt;
        first ??= attempt;
        if (!waiting.pending(result, first.result)) {
          if (call.signal?.aborted) await this.#abandon(name, waiting, call, caller, result);
          return result;
        }
        if (!unpark && caller && caller.kind !== "admin") {
          unpark = this.#admission.park(
            caller.scope.no,
            caller.kind === "agent" ? caller.agentNo : undefined,
            caller.kind === "principal" ? caller.principalNo : undefined,
          );
          leave();
        }
        const end = await (listener as Listener).wait(Math.max(0, until - performance.now()), call.signal);
        if (end !== "woken") return result;
      }
    } finally {
      listener?.close();
      unpark?.();
    }
  }

  async #abandon(
    name: CoreOperation,
    waiting: NonNullable<AnyHandler["waiting"]>,
    call: Call,
    caller: Caller | undefined,
    result: unknown,
  ): Promise<void> {
    // With a key the caller can still ask for this very result, where keys mean anything.
    if (!waiting.abandon || (call.idempotencyKey !== undefined && operationOf(name).idempotency === "key")) return;
    try {
      await this.transact("write", async (ctx) => waiting.abandon?.(ctx, caller, result));
    } catch (error) {
      this.#logger.warn("could not undo an abandoned call", { error: String(error) });
    }
  }
}
