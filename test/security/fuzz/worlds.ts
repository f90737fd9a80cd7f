import { ID_PREFIXES, type OperationName } from "../../../protocol/index.ts";
import type { AgentActor } from "../../support/actors.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import { credentialsFor, makeWorld, prepare, type World } from "../../support/fixtures.ts";
import { type CallOptions, ContractBroken } from "../../support/http.ts";
import type { Sender } from "./plans.ts";
import { IdReference } from "./values.ts";

/** Ids of one kind that are kept to be referred to. */
const KEPT = 60;

const KINDS = Object.entries(ID_PREFIXES);

/** Live scopes the requests are about, and ids of what they have been told exists. */
export class Worlds {
  readonly #intercom: TestDaemon;
  readonly #size: number;
  #worlds: World[] = [];
  readonly #ids = new Map<string, string[]>();
  /** Every token that was given out. */
  readonly tokens = new Set<string>();

  constructor(intercom: TestDaemon, size: number) {
    this.#intercom = intercom;
    this.#size = size;
    this.tokens.add(intercom.adminToken);
  }

  /** Replaces worlds in which the requests have cut off who acts there, or all of them. */
  async renew(all: boolean): Promise<void> {
    const kept: World[] = [];
    for (const world of all ? [] : this.#worlds) if (await isAlive(world)) kept.push(world);
    if (all) await this.#clear();
    while (kept.length < this.#size) {
      const world = await makeWorld(this.#intercom);
      const { reader, publisher, a2aClient } = world.outside;
      const tokens = [world.scope.token, world.alice.token, world.bob.token, reader, publisher, a2aClient];
      for (const token of tokens) this.tokens.add(token);
      kept.push(world);
    }
    this.#worlds = kept;
  }

  /** Deletes every scope, so that what is stored does not grow with the number of requests. */
  async #clear(): Promise<void> {
    for (const { scopeId } of await this.#intercom.admin.call("listScopes", {})) {
      await this.#intercom.admin.call("deleteScope", { scopeId, confirmScopeId: scopeId });
    }
    this.#ids.clear();
  }

  at(index: number): World {
    return this.#worlds[index % this.#worlds.length] as World;
  }

  /** Remembers ids and tokens in a result. */
  learn(value: unknown, key = ""): void {
    if (typeof value === "string") {
      if (/(token|credential)$/i.test(key)) this.tokens.add(value);
      else if (/id$/i.test(key)) this.#keep(value);
    } else if (Array.isArray(value)) {
      for (const entry of value.slice(-5)) this.learn(entry, key);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, entry] of Object.entries(value)) this.learn(entry, name);
    }
  }

  #keep(id: string): void {
    const kind = KINDS.find(([, prefix]) => id.startsWith(prefix))?.[0] ?? "other";
    const ids = this.#ids.get(kind) ?? [];
    this.#ids.set(kind, ids);
    if (!ids.includes(id)) ids.push(id);
    if (ids.length > KEPT) ids.shift();
  }

  /** The same value with every reference replaced by an id: most often of the kind its field is named after. */
  fill(value: unknown, world: World): unknown {
    if (value instanceof IdReference) return this.#idFor(value, world);
    if (Array.isArray(value)) return value.map((entry) => this.fill(entry, world));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.fill(entry, world)]));
  }

  #idFor({ field, choice }: IdReference, world: World): string {
    const kind = KINDS.find(([name]) => field.toLowerCase().startsWith(name.toLowerCase()))?.[0];
    const agents = [world.alice.id, world.bob.id, world.fresh("agent")];
    const named = kind === undefined ? undefined : this.#ids.get(kind);
    const any = [...this.#ids.values()].flat();
    const pool = choice % 10 === 0 && any.length > 0 ? any : named && named.length > 0 ? named : agents;
    // Where the name of the field does not tell, it is an agent or a task as a rule.
    const others = this.#ids.get("task") ?? [];
    const chosen = kind === undefined && choice % 3 === 0 && others.length > 0 ? others : pool;
    return chosen[Math.floor(choice / 10) % chosen.length] as string;
  }

  /**
   * An input the fixtures make, with its caller; undefined when other requests got in between.
   * @throws {ContractBroken} when an answer on the way was none the table promises
   */
  async fixture(
    world: World,
    name: OperationName,
  ): Promise<{ input: Record<string, unknown>; caller: AgentActor } | undefined> {
    try {
      return await prepare(world, name);
    } catch (error) {
      // Refusals in the form of another protocol are none that the fixtures understand.
      const foreign = /^\w+: expected \{ok: false, error\}: 4/;
      if (error instanceof ContractBroken && !foreign.test(error.message)) throw error;
      return undefined;
    }
  }

  credentials(sender: Sender, world: World, authority: string, caller: AgentActor | undefined): CallOptions {
    const elsewhere = this.#worlds.find((each) => each !== world) ?? world;
    switch (sender) {
      case "right":
        return credentialsFor(world, authority, caller);
      case "nobody":
        return {};
      case "stranger":
        return { token: "A".repeat(43) };
      case "admin":
        return { token: this.#intercom.adminToken };
      case "admin for the scope":
        return { token: this.#intercom.adminToken, scopeId: world.scope.id };
      case "admin for no scope":
        return { token: this.#intercom.adminToken, scopeId: "no-such-scope" };
      case "owner":
        return { token: world.scope.token };
      case "alice":
        return { token: world.alice.token };
      case "bob":
        return { token: world.bob.token };
      case "reader":
        return { token: world.outside.reader };
      case "publisher":
        return { token: world.outside.publisher };
      case "A2A client":
        return { token: world.outside.a2aClient };
      case "owner elsewhere":
        return { token: elsewhere.scope.token, scopeId: world.scope.id };
      case "alice elsewhere":
        return { token: elsewhere.alice.token };
      case "odd scheme":
        return { headers: { Authorization: `Basic ${world.alice.token}` } };
    }
  }
}

async function isAlive(world: World): Promise<boolean> {
  const { intercom } = world;
  const calls = [
    intercom.send("getScope", {}, { token: world.scope.token }),
    ...[world.alice, world.bob].map(({ token }) =>
      intercom.send("heartbeat", { lifecycle: "ready", ready: true, leaseMs: 86_400_000 }, { token }),
    ),
  ];
  const answers = await Promise.all(calls);
  const broken = answers.find(({ status }) => status >= 500 || status === 429);
  if (broken) throw new ContractBroken(`A control call was answered ${broken.status} ${JSON.stringify(broken.body)}`);
  return answers.every(({ status }) => status === 200);
}
