import { type Escalation, LIMITS, type Message, type OperationInput } from "../../protocol/index.ts";
import { Deadline } from "../deadline.ts";
import { newIdempotencyKey } from "../idempotency-key.ts";
import { clearInbox } from "./clear-inbox.ts";
import type { SessionContext } from "./context.ts";
import { RecentIds } from "./recent-ids.ts";

type Question = Omit<OperationInput<"askHuman">, "question">;

export interface AskHumanOptions extends Question {
  /** Milliseconds to wait here; as long as it takes unless given. The question itself stays open after that. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called when the human puts the question off until `deferredUntil`, or brings it back, which has none. */
  readonly onDeferred?: (question: Escalation) => void;
  /** A fresh one unless given. */
  readonly idempotencyKey?: string;
}

/** Questions of this session to the human. */
export class HumanQuestions {
  readonly #session: SessionContext;
  /** Whether whoever waits for this question got to know its end. */
  readonly #open = new Map<string, Promise<boolean>>();
  readonly #answered = new RecentIds(1_000);

  constructor(session: SessionContext) {
    this.#session = session;
  }

  async ask(question: string, options: AskHumanOptions = {}): Promise<Escalation> {
    const { client, timers, lease } = this.#session;
    const { timeoutMs, signal, idempotencyKey = newIdempotencyKey(), onDeferred, ...input } = options;
    const deadline = new Deadline(timers, timeoutMs, signal, lease.ended);
    let escalationId: string | undefined;
    try {
      const create = () => client.askHuman({ ...input, question }, { idempotencyKey, signal: deadline.signal });
      const created = await this.#session.persist(create, deadline.signal);
      escalationId = created.id;
      return await this.#end(created, deadline.signal, onDeferred);
    } catch (error) {
      throw deadline.signal.aborted ? deadline.error("The question to the human", { escalationId }) : error;
    } finally {
      deadline.dispose();
    }
  }

  /** True for the inbox copy of an answer that its asker has got already. */
  async take(message: Message): Promise<boolean> {
    const { about, fromKind } = message;
    // What the daemon has to tell of a question is no answer; a late one says more than the expiry the asker was told of.
    if (about?.kind !== "escalation" || about.late || fromKind !== "human") return false;
    return (await this.#open.get(about.id)) ?? this.#answered.has(about.id);
  }

  async #end(created: Escalation, signal: AbortSignal, onDeferred: AskHumanOptions["onDeferred"]): Promise<Escalation> {
    const { id } = created;
    let tell: (known: boolean) => void = () => {};
    this.#open.set(
      id,
      new Promise((resolve) => {
        tell = resolve;
      }),
    );
    try {
      const input = { escalationId: id, waitMs: LIMITS.waitMaxMs };
      let current = created;
      while (current.status === "pending") {
        const { deferredUntil } = current;
        current = await this.#session.persist(() => this.#session.client.getEscalation(input, { signal }), signal);
        if (current.status === "pending" && current.deferredUntil !== deferredUntil) onDeferred?.(current);
      }
      this.#answered.add(id);
      tell(true);
      if (current.status === "resolved") {
        this.#session.inBackground(clearInbox(this.#session, (message) => message.about?.id === id));
      }
      return current;
    } finally {
      this.#open.delete(id);
      tell(false);
    }
  }
}
