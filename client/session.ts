import type { Agent, Escalation, IntercomError, Message, Task, ToolSetName } from "../protocol/index.ts";
import { type AgentClient, ConnectorClient, ScopeClient } from "./clients.ts";
import { failure, failureReason, toIntercomError } from "./failure.ts";
import { type AskOptions, Asks } from "./session/asks.ts";
import { requireCompatible } from "./session/compatibility.ts";
import { SessionContext } from "./session/context.ts";
import type { MessageHandler } from "./session/delivery.ts";
import { type AskHumanOptions, HumanQuestions } from "./session/human-questions.ts";
import { Inbox, type InboxReader } from "./session/inbox.ts";
import type { InboxOptions } from "./session/inbox-loop.ts";
import { Lease } from "./session/lease.ts";
import type { AgentState, ConnectOptions, SessionBehaviour, SessionOptions, SessionState } from "./session/options.ts";
import { quietly } from "./session/quietly.ts";
import { byConnector, byRegistration, type ExecutionSource } from "./session/source.ts";
import { type TaskOptions, type TaskRunner, withTask } from "./session/tasks.ts";
import { sleep } from "./timers.ts";

/** Milliseconds that closing may take, and what of them is kept for telling the daemon. */
const CLOSE_MS = 5_000;
const RETIRE_MS = 1_500;

/**
 * An agent that stays: registered, with its lease renewed, through daemon restarts, suspends and lost leases.
 * It ends when it is closed, when another session takes over the agent, or when it may not register any more.
 *
 * ```ts
 * const session = await AgentSession.start({
 *   address: "http://127.0.0.1:4766",
 *   scopeToken,
 *   registration: { id: "reviewer", displayName: "Reviewer", connectTo: ["planner"] },
 * });
 * session.onMessage(async (message, { reply }) => {
 *   if (message.mode === "request") await reply(await review(message.body));
 * });
 * const answer = await session.ask("planner", "Which branch is next?", { timeoutMs: 60_000 });
 * const decision = await session.askHuman("Merge it?", { options: ["yes", "no"] });
 * await session.withTask("next", async (task) => `done: ${task.title}`);
 * await session.close();
 * ```
 */
export class AgentSession {
  /** Calls anything an agent may call, always with the current token. It does not wait for a reconnect; the helpers do. */
  readonly client: AgentClient;
  /** Resolves when the session has ended: with the error that ended it, or with undefined after {@link close}. */
  readonly done: Promise<IntercomError | undefined>;
  readonly #context: SessionContext;
  readonly #lease: Lease;
  readonly #asks: Asks;
  readonly #questions: HumanQuestions;
  readonly #inbox: Inbox;
  #closing: Promise<void> | undefined;

  private constructor(lease: Lease, context: SessionContext, signal: AbortSignal | undefined) {
    this.#lease = lease;
    this.#context = context;
    this.client = lease.client;
    this.#asks = new Asks(context);
    this.#questions = new HumanQuestions(context);
    this.#inbox = new Inbox(context, [
      (message) => this.#asks.take(message),
      (message) => this.#questions.take(message),
    ]);
    const close = (): void => void this.close();
    signal?.addEventListener("abort", close, { once: true });
    this.done = new Promise((resolve) => {
      lease.ended.addEventListener("abort", () => {
        signal?.removeEventListener("abort", close);
        const { reason } = lease.ended;
        resolve(failureReason(reason) === "aborted" ? undefined : reason);
      });
    });
  }

  /**
   * Checks that a compatible daemon is there, registers the agent and sends the first heartbeat. None of it is repeated:
   * whoever starts a session decides how long to insist.
   * @throws {IntercomError} `CONFLICT` with `details.reason` `incompatible`, `INTERNAL` (not reachable, not ready, aborted),
   * `UNAUTHENTICATED` for a wrong scope token, `INVALID_ARGUMENT` and `NOT_FOUND` as `registerAgent`.
   */
  static async start(options: SessionOptions): Promise<AgentSession> {
    const scope = "scope" in options ? options.scope : new ScopeClient(options);
    return AgentSession.#begin(scope, byRegistration(scope, options.registration), options);
  }

  /**
   * The same with the credential of a connector, which says what the agent is called: no registration is needed.
   * @throws {IntercomError} As {@link start}; `UNAUTHENTICATED` for a credential that was rotated or revoked,
   * `BACKPRESSURE` when all names of the connector are taken.
   */
  static async connect(options: ConnectOptions): Promise<AgentSession> {
    const connector = "connector" in options ? options.connector : new ConnectorClient(options);
    return AgentSession.#begin(connector, byConnector(connector, options.connection ?? {}), options);
  }

  static async #begin(
    client: ScopeClient | ConnectorClient,
    source: ExecutionSource,
    options: SessionBehaviour,
  ): Promise<AgentSession> {
    const { heartbeatIntervalMs, signal, initialLifecycle: lifecycle = "ready" } = options;
    const { timers, random } = client.pace;
    const onError = (error: unknown): void => quietly(() => options.onError?.(toIntercomError(error)));
    const onStateChange = (state: SessionState): void => quietly(() => options.onStateChange?.(state));
    const initial = { lifecycle, ready: options.initialReady ?? (lifecycle !== "starting" && lifecycle !== "offline") };
    const pace = { timers, random, onError };
    const lease = new Lease({ ...pace, source, initial, heartbeatIntervalMs, onStateChange });
    requireCompatible(await client.health({}, { signal }));
    await lease.open();
    if (signal?.aborted) {
      await lease.close(CLOSE_MS);
      throw failure("aborted", "Starting the session was aborted", signal.reason);
    }
    return new AgentSession(lease, new SessionContext(lease, pace), signal);
  }

  get state(): SessionState {
    return this.#lease.state;
  }

  get scopeId(): string {
    return this.#lease.registration.scopeId;
  }

  get agentId(): string {
    return this.#lease.registration.agentId;
  }

  /** Tools the connector has for its client; undefined where the session was not started with one. */
  get toolSet(): ToolSetName | undefined {
    const { registration } = this.#lease;
    return "toolSet" in registration ? registration.toolSet : undefined;
  }

  /** Token of the current execution, for doors this SDK does not open, such as MCP. Changes with {@link executionId}. */
  get agentToken(): string {
    return this.#lease.registration.agentToken;
  }

  /** Changes when a lost lease had to be replaced. */
  get executionId(): string {
    return this.#lease.registration.executionId;
  }

  /**
   * Says how the agent is, now and with every heartbeat to come.
   * @returns Resolves with the agent once the daemon has accepted the state, however long it is away.
   * @throws {IntercomError} `INVALID_ARGUMENT`, or the error that ended the session.
   */
  setState(state: AgentState): Promise<Agent> {
    const accepted = this.#lease.setState(state);
    // Callers need not wait, and then must not be hit by an unhandled rejection.
    accepted.catch(() => {});
    return accepted;
  }

  /**
   * Hands every message to `handler`, until the reader is stopped or the session ends. A message is acknowledged after the
   * handler has returned; when it throws, the message is delivered again later, and set aside after `maxAttempts`.
   * Responses that {@link ask} waits for, and answers that {@link askHuman} has returned, do not come here.
   * @throws {IntercomError} `CONFLICT` while the inbox has a reader, `INVALID_ARGUMENT` for options out of range.
   */
  onMessage(handler: MessageHandler, options: InboxOptions = {}): InboxReader {
    return this.#inbox.follow(handler, options);
  }

  /**
   * Like {@link onMessage}, for what is in the inbox now. Messages that failed are left for later.
   * @returns Number of messages the handler has dealt with.
   * @throws {IntercomError} As {@link onMessage}, and when the session ends meanwhile.
   */
  drainInbox(handler: MessageHandler, options: InboxOptions = {}): Promise<number> {
    return this.#inbox.drain(handler, options);
  }

  /**
   * Sends a request and waits for its response, which is acknowledged. A response that comes too late goes to the inbox.
   * @throws {IntercomError} `INTERNAL` with `details.reason` `timeout` or `aborted` and `details.messageId`; `CONFLICT` when
   * the request expired undelivered or was set aside; `NOT_FOUND`, `PERMISSION_DENIED` and others as `sendMessage`.
   */
  ask(peer: string, body: string, options?: AskOptions): Promise<Message> {
    return this.#asks.ask(peer, body, options);
  }

  /**
   * Asks the human and waits for the end of the question: look at `status` for `resolved`, `cancelled` or `expired`.
   * @throws {IntercomError} `INTERNAL` with `details.reason` `timeout` or `aborted` and `details.escalationId` (the question
   * stays open); others as the operation `askHuman`.
   */
  askHuman(question: string, options?: AskHumanOptions): Promise<Escalation> {
    return this.#questions.ask(question, options);
  }

  /**
   * Claims a task, or with `"next"` the best one there is, and works on it. What `run` returns is the note it is completed
   * with; when `run` throws, the task is given back and the error passed on.
   * @returns The completed task; null when there was no next one.
   * @throws {IntercomError} As `claimTask` and `completeTask`, e.g. `CONFLICT` when the claim was lost meanwhile.
   */
  withTask(taskId: "next" | (string & {}), run: TaskRunner, options: TaskOptions = {}): Promise<Task | null> {
    return withTask(this.#context, taskId, run, options);
  }

  /**
   * Ends the session: waits for the handler that is running, then retires the execution, in 5 s at most. Never throws;
   * what fails is reported to `onError`. Repeating it changes nothing.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const enough = new AbortController();
    const quiet = this.#inbox.close().then(() => this.#context.settled());
    await Promise.race([quiet, sleep(this.#context.timers, CLOSE_MS - RETIRE_MS, enough.signal)]);
    enough.abort();
    this.#context.work.abort(failure("aborted", "The session was closed"));
    await this.#lease.close(RETIRE_MS);
  }
}
