import {
  type AgentKey,
  agentKey,
  applyLiveChange,
  emptyLiveState,
  type LiveAgent,
  type LiveChange,
  type LiveLink,
  type LiveState,
} from "../../protocol/desktop/index.ts";
import { type Escalation, type Event, isIntercomError } from "../../protocol/index.ts";
import { backoffMs } from "../backoff.ts";
import type { AdminClient } from "../clients.ts";
import { isTransient, toIntercomError } from "../failure.ts";
import { sleep, systemTimers, type Timers } from "../timers.ts";
import { Lane } from "./lane.ts";
import { agentKeyOf, readAgents, readAll, readQuestions } from "./reading.ts";
import { type Touched, touch, untouched } from "./touched.ts";

export interface LiveViewOptions {
  /** Hears of changes in order, at most about ten times a second. */
  readonly onChanges: (changes: readonly LiveChange[]) => void;
  readonly timers?: Timers;
  /** From 0 to 1, for the pauses between attempts. */
  readonly random?: () => number;
}

/** Questions are what a human waits for; counts and presence may lag a little. */
const QUESTION_INTERVAL_MS = 100;
const AGENT_INTERVAL_MS = 400;
/** Read one by one up to here, and as a list above. */
const ONE_BY_ONE = 4;
const RETRY = { baseMs: 250, maxMs: 5_000 };

/**
 * Keeps a picture of all scopes true by following the daemon's events: what an event touches is read again, many together.
 * While there is no connection it keeps what it knew and says so. Call {@link use} with each client of the daemon there is.
 */
export class LiveView {
  readonly #onChanges: (changes: readonly LiveChange[]) => void;
  readonly #timers: Timers;
  readonly #random: () => number;
  #state: LiveState;
  #connection: Connection | undefined;

  constructor({ onChanges, timers = systemTimers, random = Math.random }: LiveViewOptions) {
    this.#onChanges = onChanges;
    this.#timers = timers;
    this.#random = random;
    this.#state = emptyLiveState(this.#now());
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Follows this daemon from now on, or none. Ends what was followed before. */
  use(admin: AdminClient | undefined): void {
    this.#connection?.close();
    this.#connection = undefined;
    if (admin) {
      const pace = { timers: this.#timers, random: this.#random };
      this.#connection = new Connection(admin, pace, () => this.#state, {
        emit: (changes) => this.#emit(changes),
        link: (state, error) => this.#setLink(state, error),
      });
    } else if (this.#state.link.state === "live") this.#setLink("lost");
  }

  /** Reads everything anew, for instance after the machine has slept. */
  refresh(): void {
    this.#connection?.refresh();
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  #setLink(state: LiveLink["state"], error?: unknown): void {
    const { link } = this.#state;
    const value = error === undefined ? undefined : toIntercomError(error).toValue();
    if (link.state === state && link.error?.code === value?.code) return;
    this.#emit([{ kind: "link", link: { state, since: this.#now(), ...(value ? { error: value } : {}) } }]);
  }

  #emit(changes: readonly LiveChange[]): void {
    if (changes.length === 0) return;
    this.#state = changes.reduce(applyLiveChange, this.#state);
    this.#onChanges(changes);
  }

  #now(): string {
    return new Date(this.#timers.now()).toISOString();
  }
}

interface Outlet {
  emit(changes: readonly LiveChange[]): void;
  link(state: LiveLink["state"], error?: unknown): void;
}

/** One client's events, until it is closed. */
class Connection {
  readonly #admin: AdminClient;
  readonly #pace: { readonly timers: Timers; readonly random: () => number };
  readonly #state: () => LiveState;
  readonly #outlet: Outlet;
  readonly #closing = new AbortController();
  readonly #touched = new Map<string, Touched>();
  readonly #urgent: Lane;
  readonly #calm: Lane;
  #events: Event[] = [];
  /** Aborted to begin with a whole picture again. */
  #round = new AbortController();

  constructor(
    admin: AdminClient,
    pace: { readonly timers: Timers; readonly random: () => number },
    state: () => LiveState,
    outlet: Outlet,
  ) {
    this.#admin = admin;
    this.#pace = pace;
    this.#state = state;
    this.#outlet = outlet;
    this.#urgent = new Lane(pace.timers, QUESTION_INTERVAL_MS, () => this.#guarded(() => this.#readTouchedQuestions()));
    this.#calm = new Lane(pace.timers, AGENT_INTERVAL_MS, () => this.#guarded(() => this.#readTouchedAgents()));
    void this.#run();
  }

  refresh(): void {
    this.#round.abort();
  }

  close(): void {
    this.#closing.abort();
    this.#round.abort();
    this.#urgent.close();
    this.#calm.close();
  }

  async #run(): Promise<void> {
    const { timers, random } = this.#pace;
    for (let failures = 0; !this.#closing.signal.aborted; ) {
      this.#round = new AbortController();
      const { signal } = this.#round;
      try {
        await this.#follow(signal, () => {
          failures = 0;
        });
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        if (signal.aborted) continue;
        failures += 1;
        this.#outlet.link(isTransient(error) ? "lost" : "refused", error);
        await sleep(timers, backoffMs(failures, RETRY, random), this.#closing.signal);
      }
    }
  }

  /** Returns when everything has to be read again. */
  async #follow(signal: AbortSignal, onRead: () => void): Promise<void> {
    const { parts, eventSequence } = await readAll(this.#admin, signal);
    onRead();
    this.#touched.clear();
    this.#events = [];
    const link: LiveLink = { state: "live", since: new Date(this.#pace.timers.now()).toISOString() };
    this.#outlet.emit([{ kind: "reset", state: { ...parts, link } }]);
    const onConnection = (stands: boolean): void => this.#outlet.link(stands ? "live" : "lost");
    for await (const { event } of this.#admin.followEvents({ after: eventSequence, signal, onConnection })) {
      if (event === undefined) return;
      this.#take(event);
    }
  }

  #take(event: Event): void {
    const { scopeId } = event;
    const touched = this.#touched.get(scopeId) ?? untouched();
    this.#touched.set(scopeId, touched);
    touch(touched, event);
    this.#events.push(event);
    this.#urgent.request();
    this.#calm.request();
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      // What was touched is not read: only a whole picture makes up for it, once there can be one.
      if (!this.#closing.signal.aborted) this.refresh();
    }
  }

  async #readTouchedQuestions(): Promise<void> {
    const events = this.#events.splice(0);
    const changes: LiveChange[] = events.length > 0 ? [{ kind: "events", events }] : [];
    try {
      for (const [scopeId, { questions }] of this.#touched) {
        const ids = take(questions);
        if (ids.length > 0) changes.push(await this.#questionChange(scopeId, ids));
      }
    } finally {
      this.#outlet.emit(changes);
    }
  }

  async #questionChange(scopeId: string, ids: readonly string[]): Promise<LiveChange> {
    const scope = this.#admin.scope(scopeId);
    const { signal } = this.#closing;
    const drop: string[] = [];
    const found: Escalation[] = [];
    if (ids.length <= ONE_BY_ONE) {
      for (const id of ids) {
        const question = await unlessGone(() => scope.getScopeEscalation({ escalationId: id }, { signal }));
        if (question) found.push(question);
        else drop.push(id);
      }
    } else {
      found.push(...((await unlessGone(() => readQuestions(scope, signal))) ?? []));
      const pending = new Set(found.map(({ id }) => id));
      const known = Object.values(this.#state().questions).filter((question) => question.scopeId === scopeId);
      drop.push(...known.map(({ id }) => id).filter((id) => !pending.has(id)));
    }
    const isPending = ({ status }: Escalation): boolean => status === "pending";
    return {
      kind: "questions",
      put: found.filter(isPending),
      closed: found.filter((question) => !isPending(question)),
      drop,
    };
  }

  async #readTouchedAgents(): Promise<void> {
    const wanted = [...this.#touched].map(([scopeId, touched]) => {
      const counts = touched.counts;
      touched.counts = false;
      return { scopeId, counts, ids: take(touched.agents) };
    });
    if (wanted.some(({ counts }) => counts)) await this.#readCounts();
    for (const { scopeId, ids } of wanted) if (ids.length > 0) await this.#readAgents(scopeId, ids);
  }

  async #readCounts(): Promise<void> {
    const { scopes, storage } = await this.#admin.overview({}, { signal: this.#closing.signal });
    const state = this.#state();
    const present = new Set(scopes.map(({ scopeId }) => scopeId));
    const drop = Object.keys(state.scopes).filter((scopeId) => !present.has(scopeId));
    const put = scopes.filter((scope) => !isSame(state.scopes[scope.scopeId], scope));
    const changes: LiveChange[] = [];
    if (put.length + drop.length > 0) changes.push({ kind: "scopes", put, drop });
    if (state.daemon && !isSame(state.daemon.storage, storage))
      changes.push({ kind: "daemon", daemon: { ...state.daemon, storage } });
    if (drop.length > 0) changes.push(...withoutScopes(state, new Set(drop)));
    this.#outlet.emit(changes);
  }

  async #readAgents(scopeId: string, ids: readonly string[]): Promise<void> {
    const scope = this.#admin.scope(scopeId);
    const { signal } = this.#closing;
    const put: LiveAgent[] = [];
    const drop: AgentKey[] = [];
    if (ids.length <= ONE_BY_ONE) {
      for (const id of ids) {
        const agent = await unlessGone(() => scope.getAgent({ agentId: id }, { signal }));
        if (agent) put.push({ ...agent, scopeId });
        else drop.push(agentKey(scopeId, id));
      }
    } else {
      put.push(...((await unlessGone(() => readAgents(scope, scopeId, signal))) ?? []));
      const present = new Set(put.map(agentKeyOf));
      const known = Object.values(this.#state().agents).filter((agent) => agent.scopeId === scopeId);
      drop.push(...known.map(agentKeyOf).filter((key) => !present.has(key)));
    }
    const { agents } = this.#state();
    const changed = put.filter((agent) => !isSame(agents[agentKeyOf(agent)], agent));
    const gone = drop.filter((key) => key in agents);
    if (changed.length + gone.length > 0) this.#outlet.emit([{ kind: "agents", put: changed, drop: gone }]);
  }
}

function take(ids: Set<string>): string[] {
  const taken = [...ids];
  ids.clear();
  return taken;
}

/** What is asked for, or undefined where it is gone by now. */
async function unlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isIntercomError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}

/** Plain data in the order the daemon writes it. */
function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function withoutScopes(state: LiveState, gone: ReadonlySet<string>): LiveChange[] {
  const agents = Object.values(state.agents).filter(({ scopeId }) => gone.has(scopeId));
  const questions = Object.values(state.questions).filter(({ scopeId }) => gone.has(scopeId));
  return [
    { kind: "agents", put: [], drop: agents.map(agentKeyOf) },
    { kind: "questions", put: [], closed: [], drop: questions.map(({ id }) => id) },
  ];
}
