import { Option } from "commander";
import {
  outcomeText,
  type Profile,
  profileNamed,
  profiles,
  type Report,
  type RunOptions,
  runProfile,
  suggestedProfiles,
  summaryText,
  toJson,
  toJunit,
} from "../../conformance/index.ts";
import { durationMs, given, list, repeated } from "../arguments.ts";
import { examples, type Invocation, type Register } from "../command.ts";
import { type ConformanceTarget, findTarget } from "../conformance/target.ts";
import { usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { escapeBlockForTerminal } from "../output/text.ts";
import { interruption } from "../signals.ts";

interface Options {
  readonly url?: string;
  readonly adminTokenEnv?: string;
  readonly start?: boolean;
  readonly profile?: readonly string[];
  readonly adapterCommand?: string;
  readonly adapterArg?: readonly string[];
  readonly checkSelfRegistration?: boolean;
  readonly format: "text" | "json" | "junit";
  readonly timeout?: number;
}

const NAMES = profiles.map(({ name }) => name).join(", ");

export const register: Register = (command, invocation) => {
  command
    .description(
      "Examines a daemon, or any other program that speaks the protocol, and says what it does otherwise. It works in scopes of " +
        "its own, which it deletes afterwards. Exits with 1 when a check fails.",
    )
    .option("--url <url>", "what to examine (default: the daemon of this user)")
    .option("--admin-token-env <name>", "the variable that holds its admin token")
    .option("--start", "examine a new daemon in temporary directories")
    .option("--profile <names>", `what to examine it for: ${NAMES} (default: what suits it)`, list)
    .option("--adapter-command <file>", "an MCP adapter to examine with mcp-adapter-0.1")
    .option("--adapter-arg <text>", "an argument of the adapter; may be repeated", repeated)
    .option("--check-self-registration", "with --start: examine whether the adapter registers itself")
    .addOption(new Option("--format <format>", "how to print it").choices(["text", "json", "junit"]).default("text"))
    .option("--timeout <duration>", "how long one profile may take (default: 2 to 3 min)", durationMs)
    .action(async (options: Options) => examine(invocation(), options));
  examples(command, [
    ["conformance --start", "examine this version"],
    ["conformance --url http://127.0.0.1:4765 --admin-token-env BUS_ADMIN_TOKEN --profile local-0.1"],
    ["conformance --start --profile mcp-adapter-0.1 --adapter-command ./adapter --adapter-arg stdio"],
  ]);
};

async function examine(run: Invocation, options: Options): Promise<void> {
  const named = options.profile?.map(knownProfile);
  if (options.checkSelfRegistration && !(options.start && options.adapterCommand)) {
    throw usageError("--check-self-registration needs --start and --adapter-command.");
  }
  const target = await findTarget(run, options);
  const signal = interruption();
  try {
    const reports: Report[] = [];
    for (const profile of named ?? suggestedProfiles(target.names, options.adapterCommand !== undefined)) {
      reports.push(await runProfile(profile, runOptions(run, target, profile, options, signal)));
      if (isText(run, options)) say(run, summaryText(reports.at(-1) as Report));
    }
    print(run, options, reports);
    const failed = reports.some(({ outcomes }) => outcomes.some(({ state }) => state === "failed"));
    if (failed) run.exitCode = EXIT.failure;
    if (signal.aborted) run.exitCode = EXIT.interrupted;
  } finally {
    await target.close();
  }
}

function knownProfile(name: string): Profile {
  const profile = profileNamed(name);
  if (profile) return profile;
  throw usageError(`There is no profile ${name}.`, `Profiles: ${NAMES}`);
}

function runOptions(
  run: Invocation,
  target: ConformanceTarget,
  { protocol }: Profile,
  options: Options,
  signal: AbortSignal,
): RunOptions {
  const { adapterCommand: command, adapterArg: args = [], timeout: timeoutMs, checkSelfRegistration } = options;
  return {
    address: target.addressFor(protocol),
    adminToken: target.adminToken,
    signal,
    env: run.io.env,
    ...given({
      timeoutMs,
      adapter: command === undefined ? undefined : { command, args },
      selfRegistration: checkSelfRegistration ? target.directories : undefined,
      onOutcome: isText(run, options)
        ? (outcome: Report["outcomes"][number]) => say(run, outcomeText(outcome))
        : undefined,
    }),
  };
}

function isText({ out }: Invocation, { format }: Options): boolean {
  return format === "text" && !out.json;
}

function print(run: Invocation, options: Options, reports: readonly Report[]): void {
  if (isText(run, options)) return;
  if (options.format === "junit") {
    run.io.stdout.write(toJunit(reports));
    return;
  }
  const all = reports.map(toJson);
  run.io.stdout.write(`${JSON.stringify(all.length === 1 ? all[0] : all, null, 2)}\n`);
}

/** A target may answer anything, and its words end up here. */
function say(run: Invocation, text: string): void {
  run.out.item({}, () => escapeBlockForTerminal(text));
}
