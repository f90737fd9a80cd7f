import fc from "fast-check";
import { it } from "vitest";
import { LIMITS } from "../../protocol/index.ts";
import type { Bench, Outcome } from "./bench.ts";
import { pick, runSteps, same, step, verdict } from "./commands.ts";
import { content } from "./invariants.ts";

/** A call that may carry a key, and what it would come to the first time. */
interface Keyed {
  readonly actor: string;
  readonly fingerprint: string;
  call(key: string): Promise<Outcome<unknown>>;
}

class Model {
  readonly bench: Bench;
  readonly tokens = new Map<string, string>();
  readonly tasks: string[] = [];
  readonly questions: string[] = [];
  /** Answers that were given, by actor and key. */
  readonly remembered = new Map<string, { fingerprint: string; result: unknown; at: number }>();

  constructor(bench: Bench) {
    this.bench = bench;
  }

  token(actor: string): string {
    return this.tokens.get(actor) as string;
  }

  revision(): number {
    return (this.bench.rows("SELECT revision FROM scopes")[0] as { revision: number }).revision;
  }

  /** Calls with a key and expects what a first or a repeated call must come to. */
  async once({ actor, fingerprint, call }: Keyed, keyNo: number): Promise<void> {
    const slot = `${actor} key-${keyNo}`;
    const earlier = this.remembered.get(slot);
    const before = this.revision();
    const outcome = await call(`key-${keyNo}`);
    // Somewhere past its lifetime an answer is forgotten, when is not promised.
    const mayBeForgotten = earlier !== undefined && earlier.at + LIMITS.idempotencyLifetimeMs <= this.bench.clock.now();
    if (earlier && !mayBeForgotten) {
      if (earlier.fingerprint === fingerprint) same("a repeated call", outcome.result, earlier.result);
      else same("another call under a used key", verdict(outcome), "CONFLICT");
      same("events of a call that did nothing", this.revision(), before);
      return;
    }
    if (outcome.error || outcome.result === null) {
      same("events of a call that was refused", this.revision(), before);
      return;
    }
    const repeated = mayBeForgotten && this.revision() === before;
    if (!repeated) this.remembered.set(slot, { fingerprint, result: outcome.result, at: this.bench.clock.now() });
  }
}

const index = fc.nat(9999);
/** Few keys, so that they meet. */
const key = fc.nat(3);
const ACTORS = ["owner", "ada", "bob"] as const;

const addTask = step<Model, [number, number, number]>(
  "addTask",
  [index, key, fc.nat(1)],
  async (model, at, keyNo, variant) => {
    const actor = pick(ACTORS, at) as string;
    const title = content(`title ${variant}`);
    await model.once(
      {
        actor,
        fingerprint: `addTask ${title}`,
        call: async (withKey) => {
          const outcome = await model.bench.try("addTask", model.token(actor), { title }, { key: withKey });
          if (outcome.result && !model.tasks.includes(outcome.result.id)) model.tasks.push(outcome.result.id);
          return outcome;
        },
      },
      keyNo,
    );
  },
);

const askHuman = step<Model, [number, number, number]>(
  "askHuman",
  [index, key, fc.nat(1)],
  async (model, at, keyNo, variant) => {
    const actor = pick(["ada", "bob"], at) as string;
    const question = content(`question ${variant}`);
    await model.once(
      {
        actor,
        fingerprint: `askHuman ${question}`,
        call: async (withKey) => {
          const outcome = await model.bench.try("askHuman", model.token(actor), { question }, { key: withKey });
          if (outcome.result && !model.questions.includes(outcome.result.id)) model.questions.push(outcome.result.id);
          return outcome;
        },
      },
      keyNo,
    );
  },
);

const onTask = (["claimTask", "completeTask", "releaseTask"] as const).map((name) =>
  step<Model, [number, number, number]>(name, [index, key, index], async (model, at, keyNo, taskAt) => {
    const actor = pick(["ada", "bob"], at) as string;
    const taskId = pick(model.tasks.slice(-2), taskAt);
    if (taskId === undefined) return;
    const call = (withKey: string) => model.bench.try(name, model.token(actor), { taskId }, { key: withKey });
    await model.once({ actor, fingerprint: `${name} ${taskId}`, call }, keyNo);
  }),
);

const claimNext = step<Model, [number, number]>("claimNextTask", [index, key], async (model, at, keyNo) => {
  const actor = pick(["ada", "bob"], at) as string;
  const call = (withKey: string) => model.bench.try("claimNextTask", model.token(actor), {}, { key: withKey });
  await model.once({ actor, fingerprint: "claimNextTask", call }, keyNo);
});

const resolve = step<Model, [number, number]>("resolveEscalation", [index, key], async (model, at, keyNo) => {
  const escalationId = pick(model.questions.slice(-2), at);
  if (escalationId === undefined) return;
  const input = { escalationId, answer: content("answer") };
  const call = (withKey: string) => model.bench.try("resolveEscalation", model.token("owner"), input, { key: withKey });
  await model.once({ actor: "owner", fingerprint: `resolve ${escalationId}`, call }, keyNo);
});

/** Keys belong to the agent, not to the execution that used them. */
const replace = step<Model, [number]>("replace", [index], (model, at) =>
  register(model, pick(["ada", "bob"], at) as string),
);

const pass = step<Model, [number]>(
  "pass",
  [fc.constantFrom(1, 3_600_000, LIMITS.idempotencyLifetimeMs)],
  async (model, ms) => {
    await model.bench.pass(ms);
    await register(model, "ada");
    await register(model, "bob");
  },
);

async function register(model: Model, id: string): Promise<void> {
  const input = { id, displayName: id, leaseMs: 86_400_000 };
  model.tokens.set(id, (await model.bench.call("registerAgent", model.token("owner"), input)).agentToken);
}

it("a call with a key happens once, whatever else happens", async () => {
  await runSteps<Model>(
    [addTask, addTask, askHuman, ...onTask, claimNext, resolve, replace, pass],
    { runs: 12, steps: 500 },
    async (bench) => {
      const model = new Model(bench);
      model.tokens.set("owner", (await bench.admin("createScope", { id: "s" })).scopeToken);
      await register(model, "ada");
      await register(model, "bob");
      return model;
    },
  );
}, 120_000);
