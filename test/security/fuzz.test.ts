import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operationNames, operationOf } from "../../protocol/index.ts";
import { watchWaitingCalls } from "../faults/waiting-calls.ts";
import { fixtures } from "../support/fixtures.ts";
import { useDaemon } from "../support/use-daemon.ts";
import { inParallel, until } from "../support/waiting.ts";
import { problemsOf } from "./fuzz/oracle.ts";
import { type Plan, planBlocks, SLOW } from "./fuzz/plans.ts";
import { requestOf } from "./fuzz/requests.ts";
import { NoAnswer, WireConnection } from "./fuzz/wire.ts";
import { Worlds } from "./fuzz/worlds.ts";

/**
 * Requests made from the operation table, right and wrong, against a daemon with live scopes in it.
 * `FUZZ_REQUESTS=100000` for longer runs, `FUZZ_SEED` for the requests of an earlier one.
 */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 10_000);
const SEED = process.env.FUZZ_SEED === undefined ? Date.now() % 2 ** 31 : Number(process.env.FUZZ_SEED);

const CONNECTIONS = 16;
const BLOCK = 250;
/** Worlds live for so many blocks; what is stored stays small that way, however many requests there are. */
const BLOCKS_PER_WORLD = 12;
/** A call that takes longer hangs: a bound for liveness, far above what a loaded machine needs. */
const HANG_MS = 60_000;
/** The requests so far, after which everything that is kept for good is in place: prepared statements, compiled schemas, code. */
const WARM_SHARE = 0.3;
/** What may be left on the heap per request after that, and the noise of a heap that has just been collected. */
const BYTES_PER_REQUEST = 40;
const NOISE_BYTES = 12 * 1024 * 1024;

const waitingCalls = watchWaitingCalls();
const logged: unknown[] = [];
const log = (...entry: unknown[]) => {
  logged.push(entry);
};
const intercom = useDaemon({ logger: { debug: () => {}, info: () => {}, warn: () => {}, error: log } as never });
const connections: WireConnection[] = [];
let worlds: Worlds;

beforeAll(async () => {
  worlds = new Worlds(intercom(), 4);
  await worlds.renew(true);
  for (let n = 0; n < CONNECTIONS; n += 1) connections.push(new WireConnection(intercom().port));
});
afterAll(() => {
  for (const connection of connections) connection.close();
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const delays = monitorEventLoopDelay({ resolution: 20 });
const longestStallMs = () => Math.round(delays.max / 1e6);

function heapUsed(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

interface Tally {
  readonly statuses: Map<number, number>;
  /** Requests of each operation that succeeded. */
  readonly succeeded: Map<string, number>;
  readonly findings: Map<string, string>;
}

/** Sends what a plan describes and judges the answer. */
async function carryOut(plan: Plan, connection: WireConnection, tally: Tally): Promise<void> {
  const world = worlds.at(plan.world);
  const { authority } = operationOf(plan.name);
  const made =
    plan.basis === "fixture"
      ? await worlds
          .fixture(world, plan.name)
          .catch((error: Error) => void tally.findings.set(error.message, plan.name))
      : undefined;
  const input = made?.input ?? (worlds.fill(plan.input, world) as Record<string, unknown>);
  const damage = worlds.fill(plan.damage, world) as Plan["damage"];
  // With its own credential this one would end the run.
  const sender = plan.name === "shutdown" && /right|admin/.test(plan.sender) ? "alice" : plan.sender;
  const request = requestOf({ ...plan, damage }, input, worlds.credentials(sender, world, authority, made?.caller));
  const report = (problem: string, answer?: unknown) => {
    const key = `${plan.name}: ${problem}`;
    if (tally.findings.size < 20 && !tally.findings.has(key)) {
      const shown = { ...request, body: request.body?.subarray(0, 3000).toString() };
      tally.findings.set(key, JSON.stringify({ request: shown, answer }).slice(0, 6000));
    }
  };
  try {
    const answer = await connection.send(request, HANG_MS);
    tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 300) {
      tally.succeeded.set(plan.name, (tally.succeeded.get(plan.name) ?? 0) + 1);
      if (answer.text.startsWith('{"ok":true')) worlds.learn(JSON.parse(answer.text));
    }
    const known = { tokens: worlds.tokens, home: intercom().home };
    for (const problem of problemsOf(plan, request, answer, known))
      report(problem, { ...answer, text: answer.text.slice(0, 2000) });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    // The rest of a body that is too large is not read, and a reset may overtake the answer.
    // Daemon and fuzzer share a process: one that stood still as long tells of no single call.
    if (plan.body !== "too large") report(error.message, { longestStallMs: longestStallMs() });
  }
}

it(
  `answers ${REQUESTS} requests, right and wrong, as the table says (FUZZ_SEED=${SEED})`,
  async () => {
    const names = operationNames.filter((name) => name in fixtures);
    const plansOf = planBlocks(names, SEED, BLOCK);
    const tally: Tally = { statuses: new Map(), succeeded: new Map(), findings: new Map() };
    const blocks = Math.ceil(REQUESTS / BLOCK);
    const startedAt = performance.now();
    delays.enable();
    let warm: number | undefined;
    for (let block = 0; block < blocks; block += 1) {
      if (block >= blocks * WARM_SHARE) warm ??= heapUsed();
      let next = 0;
      const plans = plansOf(block);
      await inParallel(
        connections,
        async (connection) => {
          for (let plan = plans[next++]; plan; plan = plans[next++]) await carryOut(plan, connection, tally);
        },
        CONNECTIONS,
      );
      await intercom().advance(1000);
      await worlds.renew((block + 1) % BLOCKS_PER_WORLD === 0);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const grown = heapUsed() - (warm as number);
    const counts = Object.fromEntries([...tally.statuses].sort(([a], [b]) => a - b));
    console.log(
      `fuzz: ${blocks * BLOCK} requests in ${seconds.toFixed(1)} s, ${Math.round((blocks * BLOCK) / seconds)}/s, seed ${SEED}; ` +
        `statuses ${JSON.stringify(counts)}; heap ${(grown / 1024).toFixed(0)} KB since ${WARM_SHARE * 100} %; ` +
        `longest stall ${longestStallMs()} ms`,
    );
    expect({ findings: Object.fromEntries(tally.findings), logged: logged.slice(0, 5) }).toEqual({
      findings: {},
      logged: [],
    });

    // The fuzzer is only worth something if it gets through to every operation.
    const neverReached = names.filter((name) => name !== "shutdown" && !SLOW.has(name) && !tally.succeeded.has(name));
    if (REQUESTS >= 10_000) expect(neverReached).toEqual([]);

    expect(await intercom().call("health", {})).toMatchObject({ status: "ready" });
    await until("nobody waits any more", () => waitingCalls() === 0);
    const scope = await intercom().scope();
    const agent = await scope.agent("after-all");
    await agent.ready();
    // All places are free again: so many calls at once leave none out.
    expect(await inParallel(Array(200).fill(0), () => agent.call("whoAmI", {}), 200)).toHaveLength(200);
    expect(grown).toBeLessThan(NOISE_BYTES + BYTES_PER_REQUEST * REQUESTS);
  },
  120_000 + REQUESTS * 20,
);
