import { hostname } from "node:os";
import { basename } from "node:path";
import { type Command, Option } from "commander";
import { type AgentMetadata, isIntercomError, LIMITS, type Registration } from "../../protocol/index.ts";
import { runChild } from "../agent-run/child.ts";
import { childEnvironment } from "../agent-run/environment.ts";
import { KeepAlive } from "../agent-run/keep-alive.ts";
import { durationMs, given, list } from "../arguments.ts";
import { type Invocation, subcommand } from "../command.ts";
import { Context, type Owner } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { duration } from "../output/time.ts";

interface RunOptions {
  readonly id: string;
  readonly name?: string;
  readonly connectTo?: string[];
  readonly capability?: string[];
  readonly summary?: string;
  readonly lease: number;
  readonly ready?: boolean;
  readonly replace?: boolean;
}

export function registerAgentRun(command: Command, invocation: () => Invocation): void {
  subcommand(command, "run <command...>", {
    summary: "run a program as an agent",
    about:
      "Runs a program as an agent: it is registered while the program runs, and the program finds its token and address in " +
      "its environment (AGENT_INTERCOM_AGENT_TOKEN and others). The owner's credentials are taken out of that environment. " +
      "Returns the program's exit code.",
    examples: [
      ["agent run --id planner --name Planner -- claude"],
      ["agent run --id worker --capability review --connect-to planner -- ./worker.sh --fast"],
    ],
  })
    .requiredOption("--id <id>", "the agent's id; the same one again is the same agent with its inbox")
    .option("--name <name>", "what people see (default: the id)")
    .option("--connect-to <agents>", "make these agents its peers; may be repeated", list)
    .option("--capability <names>", "what it can do; may be repeated", list)
    .option("--summary <text>", "what it is about, in a sentence")
    .addOption(
      new Option("--lease <duration>", "how long it counts as there without a sign of life")
        .argParser(durationMs)
        .default(LIMITS.leaseDefaultMs, duration(LIMITS.leaseDefaultMs)),
    )
    .option("--ready", "promise that it reads its inbox, so that senders are told so")
    .option("--replace", "take over from a live agent of the same id")
    .action(async (words: string[], options: RunOptions) => {
      const run = invocation();
      run.exitCode = await runAgent(new Context(run), words, options);
    });
}

async function runAgent(context: Context, words: readonly string[], options: RunOptions): Promise<number> {
  const { leaseMinMs, leaseMaxMs } = LIMITS;
  if (options.lease < leaseMinMs || options.lease > leaseMaxMs) {
    throw usageError(`--lease: expected ${duration(leaseMinMs)} to ${duration(leaseMaxMs)}.`);
  }
  const owner = await context.owner({ create: true });
  if (!options.replace) await refuseLiveAgent(owner, options.id);
  const registration = await registerAgent(owner, words, options);
  const agent = owner.client.agent(registration.agentToken);
  const keepAlive = new KeepAlive(agent, options.lease, (problem) => context.out.notice(`agent-intercom: ${problem}`));
  try {
    await agent.heartbeat({
      lifecycle: options.ready ? "ready" : "working",
      ready: options.ready ?? false,
      leaseMs: options.lease,
    });
    keepAlive.start();
    const env = childEnvironment(context.io.env, {
      address: context.address(),
      octoberBusAddress: context.octoberBusAddress(),
      registration,
      secrets: context.ownerSecrets(),
    });
    return await runChild(words, env);
  } finally {
    keepAlive.stop();
    // What cannot be said now, the end of the lease will say.
    await agent.retire({}, { timeoutMs: 3000 }).catch(() => {});
  }
}

async function refuseLiveAgent({ client, scopeId }: Owner, agentId: string): Promise<void> {
  const existing = await client.getAgent({ agentId }).catch((error: unknown) => {
    if (isIntercomError(error, "NOT_FOUND")) return undefined;
    throw error;
  });
  if (!existing?.reachable) return;
  throw new CliError(`The agent ${agentId} is already running in the scope ${scopeId}.`, {
    exitCode: EXIT.conflict,
    code: "AGENT_RUNNING",
    hint: "Choose another --id, or take over from it with --replace: its token stops working then.",
  });
}

function registerAgent({ client }: Owner, words: readonly string[], options: RunOptions): Promise<Registration> {
  const { id, name, connectTo, capability, summary, lease: leaseMs } = options;
  const metadata: AgentMetadata = {
    harness: basename(words[0] as string).slice(0, 64),
    cwd: process.cwd().slice(0, 300),
    pid: process.pid,
    host: hostname().slice(0, 200),
  };
  const capabilities = capability?.map((each) => ({ name: each }));
  return client.registerAgent({
    id,
    displayName: name ?? id,
    leaseMs,
    metadata,
    ...given({ connectTo, summary, capabilities }),
  });
}
