import fc from "fast-check";
import { it } from "vitest";
import type { Bench } from "./bench.ts";
import { pick, runSteps, same, step, verdict } from "./commands.ts";

type Ending = "expired" | "replaced" | "retired" | "removed" | "rotated";

interface ModelExecution {
  readonly agent: string;
  readonly token: string;
  leaseExpiresAt: number;
  ending: Ending | undefined;
}

class Model {
  readonly bench: Bench;
  scopeToken: string;
  /** Every execution there ever was, in order. */
  readonly executions: ModelExecution[] = [];
  readonly removed = new Set<string>();

  constructor(bench: Bench, scopeToken: string) {
    this.bench = bench;
    this.scopeToken = scopeToken;
  }

  get now(): number {
    return this.bench.clock.now();
  }

  newest(agent: string): ModelExecution | undefined {
    return this.executions.findLast((execution) => execution.agent === agent);
  }

  settle(): void {
    for (const execution of this.executions) {
      if (execution.ending === undefined && execution.leaseExpiresAt <= this.now) execution.ending = "expired";
    }
  }

  /** Why a token is refused, if it is. After somebody took its place it matters no more how an execution had ended. */
  refusal(execution: ModelExecution): string | undefined {
    if (execution !== this.newest(execution.agent)) return "UNAUTHENTICATED replaced";
    if (execution.ending === undefined) return undefined;
    return `UNAUTHENTICATED ${execution.ending === "expired" ? "expired" : "retired"}`;
  }

  compare(): void {
    const running = this.bench.rows<{ agent: string; lease: number }>(
      `SELECT a.id AS agent, e.lease_expires_at AS lease FROM executions e JOIN agents a ON a.no = e.agent_no
        WHERE e.ended_at IS NULL ORDER BY a.id`,
    );
    const expected = this.executions
      .filter(({ ending }) => ending === undefined)
      .map(({ agent, leaseExpiresAt: lease }) => ({ agent, lease }))
      .sort((a, b) => (a.agent < b.agent ? -1 : 1));
    same("the running executions", running, expected);
  }
}

const index = fc.nat(9999);
const AGENTS = ["ada", "bob", "cy"] as const;
const agentAt = (at: number) => pick(AGENTS, at) as string;
const leaseMs = fc.constantFrom(0, 30_000, 600_000, 86_400_000);

/** Mostly an agent's present execution, at times any there ever was. */
function some(model: Model, at: number): ModelExecution | undefined {
  return at % 3 === 0 ? pick(model.executions, at) : model.newest(agentAt(at));
}

const register = step<Model, [number, number]>("register", [index, leaseMs], async (model, at, lease) => {
  const agent = agentAt(at);
  const input = { id: agent, displayName: agent, leaseMs: lease };
  const { agentToken } = await model.bench.call("registerAgent", model.scopeToken, input);
  const before = model.newest(agent);
  if (before && before.ending === undefined) before.ending = "replaced";
  model.removed.delete(agent);
  model.executions.push({
    agent,
    token: agentToken,
    leaseExpiresAt: model.now + (lease || 300_000),
    ending: undefined,
  });
});

const whoAmI = step<Model, [number]>("whoAmI", [index], async (model, at) => {
  const execution = some(model, at);
  if (!execution) return;
  const outcome = await model.bench.try("whoAmI", execution.token, {});
  same("asking who one is", verdict(outcome), model.refusal(execution) ?? "ok");
  if (!outcome.result) return;
  const { identity, agent } = outcome.result;
  same(
    "who one is",
    [identity.agentId, identity.leaseExpiresAt],
    [execution.agent, new Date(execution.leaseExpiresAt).toISOString()],
  );
  same("whether one is there", agent.reachable, agent.lifecycle !== "offline");
});

const heartbeat = step<Model, [number, number, boolean]>(
  "heartbeat",
  [index, leaseMs, fc.boolean()],
  async (model, at, lease, ready) => {
    const execution = some(model, at);
    if (!execution) return;
    const input = { lifecycle: ready ? "ready" : "offline", ready, leaseMs: lease } as const;
    const outcome = await model.bench.try("heartbeat", execution.token, input);
    same("a heartbeat", verdict(outcome), model.refusal(execution) ?? "ok");
    if (outcome.result) execution.leaseExpiresAt = model.now + (lease || 300_000);
  },
);

const retire = step<Model, [number]>("retire", [index], async (model, at) => {
  const execution = some(model, at);
  if (!execution) return;
  const outcome = await model.bench.try("retire", execution.token, {});
  const { ending } = execution;
  // Somebody else ended it for good: there is nothing left to retire.
  const refused = model.refusal(execution)?.endsWith("replaced") || ending === "removed" || ending === "rotated";
  same("retiring", verdict(outcome), refused ? (model.refusal(execution) as string) : "ok");
  if (outcome.result && ending === undefined) execution.ending = "retired";
});

const remove = step<Model, [number]>("remove", [index], async (model, at) => {
  const agent = agentAt(at);
  const execution = model.newest(agent);
  const { removed } = await model.bench.call("removeAgent", model.scopeToken, { agentId: agent });
  same("taking off the list", removed, execution !== undefined && !model.removed.has(agent));
  if (!removed) return;
  model.removed.add(agent);
  if (execution && execution.ending === undefined) execution.ending = "removed";
});

const rotate = step<Model, []>("rotate", [], async (model) => {
  const before = model.scopeToken;
  model.scopeToken = (await model.bench.admin("rotateScopeToken", { scopeId: "s" })).scopeToken;
  for (const execution of model.executions) execution.ending ??= "rotated";
  same("the old token", verdict(await model.bench.try("listAgents", before, {})), "UNAUTHENTICATED unknown");
});

const list = step<Model, []>("list", [], async (model) => {
  const agents = await model.bench.call("listAgents", model.scopeToken, {});
  const expected = AGENTS.filter((agent) => model.newest(agent) && !model.removed.has(agent));
  same("who is on the list", agents.map(({ id }) => id).sort(), expected);
  for (const { id, reachable, ready } of agents) {
    const running = model.newest(id)?.ending === undefined;
    if ((reachable || ready) && !running) throw new Error(`${id} looks available and is gone`);
  }
});

const scopeCall = step<Model, [number]>("scopeCall", [index], async (model, at) => {
  const execution = some(model, at);
  if (!execution) return;
  const outcome = await model.bench.try("listAgents", execution.token, {});
  same(
    "an agent that calls as the owner",
    verdict(outcome),
    model.refusal(execution) ? "UNAUTHENTICATED unknown" : "PERMISSION_DENIED",
  );
});

const pass = step<Model, [number]>(
  "pass",
  [fc.constantFrom(1, 29_999, 30_000, 300_000, 86_400_000)],
  async (model, ms) => {
    await model.bench.pass(ms);
    model.settle();
  },
);

const jump = step<Model, [number]>(
  "jump",
  [fc.constantFrom(-172_800_000, -3000, 3000, 172_800_000)],
  async (model, ms) => {
    await model.bench.jump(ms);
    for (const execution of model.executions) if (execution.ending === undefined) execution.leaseExpiresAt += ms;
    model.settle();
  },
);

it("executions and leases do what the model of them says, whatever happens in whatever order", async () => {
  await runSteps<Model>(
    [register, register, whoAmI, whoAmI, heartbeat, heartbeat, retire, remove, rotate, list, scopeCall, pass, jump],
    { runs: 12, steps: 500 },
    async (bench) => new Model(bench, (await bench.admin("createScope", { id: "s" })).scopeToken),
  );
}, 120_000);
