import { perform } from "../../daemon/background/jobs.ts";
import { credentialReader } from "../../daemon/http/credentials.ts";
import { ScopeStorage } from "../../daemon/scope-storage.ts";
import type { Message, OperationInput } from "../../protocol/index.ts";
import { SCOPE_HEADER } from "../../protocol/index.ts";
import type { Bench } from "./bench.ts";
import { pick } from "./commands.ts";
import { content } from "./invariants.ts";
import type { StoredScope } from "./retention-model.ts";

const AGENTS = ["ada", "bob", "cy"] as const;
const LEASE_MS = 86_400_000;

/** What happens next, and to what; numbers mean what there is to pick from. */
export type Incident = readonly [what: number, at: number, of: number];

/** A scope in which anything may happen, also while things are being removed. Refusals are part of the game. */
export class History {
  readonly bench: Bench;
  readonly scopeToken: string;
  readonly storage: ScopeStorage;
  readonly #tokens = new Map<string, string>();
  readonly #taskIds: string[] = [];
  readonly #questionIds: string[] = [];
  readonly #deadIds: string[] = [];
  #held: Message[] = [];
  #a2a: { publicationId: string; token: string } | undefined;

  constructor(bench: Bench, scopeToken: string) {
    this.bench = bench;
    this.scopeToken = scopeToken;
    const read = (name: string, input: unknown) =>
      perform({ kind: "read", file: bench.database.name, now: bench.clock.now(), name: name as never, input });
    this.storage = new ScopeStorage(bench.engine, { read: read as never, fold: async () => {} });
  }

  static async begin(bench: Bench): Promise<History> {
    const { scopeToken } = await bench.admin("createScope", { id: "s", linkPolicy: "open" });
    const history = new History(bench, scopeToken);
    for (const id of AGENTS) {
      const input = { id, displayName: id, leaseMs: LEASE_MS, notices: id !== "cy" };
      history.#tokens.set(id, (await bench.call("registerAgent", scopeToken, input)).agentToken);
    }
    const { id: publicationId } = await bench.call("publishAgentCard", scopeToken, { agentId: "bob" });
    const { credential } = await bench.call("createA2aPrincipal", scopeToken, { publicationId, label: "x" });
    history.#a2a = { publicationId, token: credential };
    return history;
  }

  prune(before: string, execute: boolean, token = this.scopeToken) {
    const headers = { authorization: `Bearer ${token}`, [SCOPE_HEADER.toLowerCase()]: undefined };
    const credentials = credentialReader("nobody")({ headers } as never);
    return this.storage.prune({ credentials, input: { before, execute } });
  }

  async happen([what, at, of]: Incident): Promise<void> {
    const from = pick(AGENTS, at) as string;
    const token = this.#tokens.get(from) as string;
    await (pick(this.#incidents, what) as (token: string, at: number, of: number) => Promise<void>)(token, at, of);
    if (what % 3 === 0) await this.bench.pass(1 + (of % 50));
  }

  async #send(token: string, to: string, more: Partial<OperationInput<"sendMessage">> = {}): Promise<void> {
    await this.bench.try("sendMessage", token, { to, body: content("b"), ...more });
  }

  readonly #incidents = [
    (token: string, _: number, of: number) => this.#send(token, pick(AGENTS, of) as string),
    (token: string, _: number, of: number) => this.#send(token, pick(AGENTS, of) as string, { mode: "request" }),
    (token: string, _: number, of: number) =>
      this.#send(token, pick(AGENTS, of) as string, {
        mode: of % 2 === 0 ? "request" : "notify",
        expiresInMs: 1 + of,
      }),
    (token: string) => this.#send(token, "human", { toKind: "human" }),
    async (_: string, at: number, of: number) => {
      const mode = of % 2 === 0 ? "request" : "notify";
      const input = { to: pick(AGENTS, at) as string, mode, body: content("h") } as const;
      await this.bench.try("sendHumanMessage", this.scopeToken, input);
    },
    (token: string) => this.#pull(token),
    (token: string) => this.#pull(token),
    (token: string) => this.#pull(token),
    (token: string, _: number, of: number) => this.#acknowledge(token, of),
    (token: string, _: number, of: number) => this.#acknowledge(token, of),
    (token: string, _: number, of: number) => this.#respond(token, of),
    (token: string, _: number, of: number) => this.#respond(token, of),
    async (token: string, _: number, of: number) => {
      const message = pick(this.#held, of);
      if (!message) return;
      const input = { messageId: message.id, reason: content("r") };
      if ((await this.bench.try("deadLetterMessage", token, input)).result) this.#deadIds.push(message.id);
    },
    async (_: string, __: number, of: number) => {
      const messageId = pick(this.#deadIds, of);
      if (messageId) await this.bench.try("requeueMessage", this.scopeToken, { messageId });
    },
    (token: string, at: number, of: number) => this.#addTask(token, at, of),
    (token: string, at: number, of: number) => this.#addTask(token, at, of),
    (token: string) => this.#work(token),
    (token: string) => this.#work(token),
    (token: string) => this.#work(token),
    async (_: string, __: number, of: number) => {
      const taskId = pick(this.#taskIds, of);
      if (taskId) await this.bench.try("cancelTask", this.scopeToken, { taskId });
    },
    async (_: string, at: number, of: number) => {
      const [taskId, add] = [pick(this.#taskIds, at), pick(this.#taskIds, of)];
      if (taskId && add) await this.bench.try("editTaskDependencies", this.scopeToken, { taskId, add: [add] });
    },
    async (token: string, _: number, of: number) => {
      const expires = of % 2 === 0 ? {} : { expiresInMs: 1000 };
      const asked = await this.bench.try("askHuman", token, { question: content("q"), ...expires });
      if (asked.result) this.#questionIds.push(asked.result.id);
    },
    async (token: string, at: number, of: number) => {
      const escalationId = pick(this.#questionIds, of);
      if (!escalationId) return;
      if (at % 3 === 0) await this.bench.try("cancelEscalation", token, { escalationId });
      else await this.bench.try("resolveEscalation", this.scopeToken, { escalationId, answer: content("a") });
    },
    async () => {
      await this.bench.call("updateScope", this.scopeToken, { linkPolicy: "explicit" });
      await this.bench.try("requestLink", this.#tokens.get("ada") as string, { to: "cy" });
      await this.bench.call("updateScope", this.scopeToken, { linkPolicy: "open" });
    },
    async (_: string, at: number) => {
      const { linkRequests } = await this.bench.call("listLinkRequests", this.scopeToken, { status: "pending" });
      const input = { linkRequestId: linkRequests[0]?.id ?? "none", accept: at % 2 === 0 };
      await this.bench.try("resolveLinkRequest", this.scopeToken, input);
    },
    (_: string, at: number, of: number) => this.#fromOutside(at * 1000 + of),
    (_: string, at: number, of: number) => this.#fromOutside(at * 1000 + of),
    async (_: string, __: number, of: number) => this.bench.pass(of % 7 === 0 ? 8 * 86_400_000 : 1000),
    async () => {
      for (const id of AGENTS) {
        const input = { id, displayName: id, leaseMs: LEASE_MS, notices: id !== "cy" };
        this.#tokens.set(id, (await this.bench.call("registerAgent", this.scopeToken, input)).agentToken);
      }
    },
  ];

  async #pull(token: string): Promise<void> {
    const { result } = await this.bench.try("reserveInbox", token, {});
    if (!result) return;
    const committed = await this.bench.try("commitInbox", token, { reservationId: result.id });
    this.#held = [...this.#held.slice(-30), ...(committed.result ?? [])];
  }

  async #acknowledge(token: string, of: number): Promise<void> {
    const some = this.#held.slice(of % 3).map(({ id }) => id);
    if (some.length > 0) await this.bench.try("acknowledgeMessages", token, { messageIds: some.slice(-60) });
    const { messages } = await this.bench.call("listMessages", this.scopeToken, { state: "delivered", limit: 10 });
    const unread = messages.filter(({ toKind }) => toKind === "human").map(({ id }) => id);
    if (unread.length > 0) {
      await this.bench.call("acknowledgeHumanMessages", this.scopeToken, { messageIds: unread.slice(of % 4) });
    }
  }

  async #respond(token: string, of: number): Promise<void> {
    const request = pick(
      this.#held.filter(({ mode }) => mode === "request"),
      of,
    );
    if (request) await this.#send(token, request.from, { mode: "response", responseTo: request.id });
  }

  async #addTask(token: string, at: number, of: number): Promise<void> {
    const dependencies = [pick(this.#taskIds, at), pick(this.#taskIds.slice(-5), of)].filter((id) => id !== undefined);
    const added = await this.bench.try("addTask", token, { title: content("t"), dependencies });
    if (added.result) this.#taskIds.push(added.result.id);
  }

  async #work(token: string): Promise<void> {
    const claimed = (await this.bench.try("claimNextTask", token, {})).result;
    if (!claimed) return;
    await this.bench.try("addTaskProgress", token, { taskId: claimed.id, kind: "note", text: content("p") });
    await this.bench.try("completeTask", token, { taskId: claimed.id });
  }

  async #fromOutside(key: number): Promise<void> {
    const { publicationId, token } = this.#a2a as { publicationId: string; token: string };
    const message = { messageId: `m-${key}`, role: "ROLE_USER", parts: [{ text: content("o") }] };
    await this.bench.try("sendA2aMessage", token, { publicationId, message });
  }

  /** Everything that is stored of the scope. */
  stored(): StoredScope {
    const [scope] = this.bench.rows<{ floor: number; revision: number }>(
      "SELECT event_floor AS floor, revision FROM scopes WHERE id = 's'",
    );
    return {
      ...(scope as { floor: number; revision: number }),
      messages: this.bench.rows(
        `SELECT m.seq, m.id, m.mode, m.state, m.sender_no < -1 OR m.recipient_no < -1 AS outside, m.delivered_at AS deliveredAt,
                m.acknowledged_at AS acknowledgedAt, m.expires_at AS expiresAt, m.dead_lettered_at AS deadLetteredAt,
                m.response_message_id AS answerId, x.task_no AS a2aTaskNo
           FROM messages m LEFT JOIN a2a_messages x ON x.message_id = m.id ORDER BY m.seq`,
      ),
      tasks: this.bench.rows(
        "SELECT no, status, updated_at AS updatedAt, progress_count AS progress FROM tasks ORDER BY no",
      ),
      edges: this.bench.rows("SELECT task_no AS taskNo, dependency_no AS dependencyNo FROM task_dependencies"),
      escalations: this.bench.rows(
        "SELECT no, status, COALESCE(resolved_at, cancelled_at, expired_at) AS endedAt FROM escalations ORDER BY no",
      ),
      linkRequests: this.bench.rows("SELECT seq, status, resolved_at AS resolvedAt FROM link_requests ORDER BY seq"),
      a2aTasks: this.bench.rows("SELECT no, state, updated_at AS updatedAt FROM a2a_tasks ORDER BY no"),
      events: this.bench.rows(
        "SELECT revision, type, created_at AS createdAt FROM events WHERE scope_no = 1 ORDER BY revision",
      ),
    };
  }
}
