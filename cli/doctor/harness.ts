import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ClientProfile, clients, detect, findClient } from "../../connect/index.ts";
import type { Directories } from "../../daemon/runtime/paths.ts";
import { productVersion } from "../../daemon/runtime/process-info.ts";
import {
  findProgramOf,
  isGood,
  NotStartable,
  type Program,
  programs,
  roundTrip,
  versionOf,
  writeEvidence,
} from "../../harness/index.ts";
import type { Invocation } from "../command.ts";
import { thisLauncher, thisMachine } from "../connect/machine.ts";
import { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { interruption } from "../signals.ts";
import { type Examined, harnessText } from "./harness-report.ts";

/** Instead of one client: all whose programs can be run without a person and are here. */
const ALL = "all";
/** What a slow and busy machine may need. */
const TIMEOUT_MS = 120_000;

export interface HarnessOptions {
  readonly harness: string;
  /** The program, instead of the one on the PATH. */
  readonly program?: string | undefined;
}

interface Job {
  readonly program: Program;
  readonly profile: ClientProfile;
  /** The program's path, when it is here. */
  readonly file: string | undefined;
}

/** `doctor --harness`: puts clients' own programs through a real round trip, and writes down what that has shown. */
export async function examineHarness(
  run: Invocation,
  directories: Directories,
  options: HarnessOptions,
): Promise<void> {
  const jobs = jobsFor(run, options);
  const missing = jobs.flatMap(({ file, profile }) => (file === undefined ? [profile] : []));
  if (missing.length === jobs.length) throw nothingFound(missing);
  const examine = await examiner(run, directories);
  const examined: Examined[] = [];
  for (const { program, profile, file } of jobs) {
    if (file !== undefined) examined.push(await examine(program, profile, file));
  }
  const healthy = examined.every(({ evidence }) => isGood(evidence));
  if (!healthy) run.exitCode = EXIT.failure;
  const notFound = missing.map(({ id }) => id);
  run.out.result({ healthy, examined, notFound }, () => harnessText(examined, missing, thisMachine(run.io), run.out));
}

/** @throws {CliError} when no such client can be run without a person */
function jobsFor({ io }: Invocation, { harness, program: given }: HarnessOptions): Job[] {
  if (harness === ALL && given !== undefined) throw usageError("--program needs one client, not all of them.");
  const machine = thisMachine(io);
  return (harness === ALL ? programs : [requireProgram(harness)]).map((program) => {
    const profile = findClient(program.client) as ClientProfile;
    const file = given === undefined ? detect(profile, machine).program : resolve(given);
    if (given !== undefined && !existsSync(file as string)) throw usageError(`--program: there is no file ${file}.`);
    return { program, profile, file };
  });
}

function requireProgram(client: string): Program {
  const program = findProgramOf(client);
  if (program) return program;
  const possible = programs.map((each) => each.client).join(", ");
  const profile = findClient(client);
  if (!profile) {
    throw usageError(`There is no client '${client}'.`, `Clients: ${clients.map(({ id }) => id).join(", ")}`);
  }
  throw new CliError(
    `${profile.name} cannot be checked this way: Agent Intercom cannot run it without a person at it.`,
    {
      code: "NOT_OFFERED",
      hint: `It can run ${possible}. Connect ${profile.name} with agent-intercom connect ${client}, and ask its agent who else is there.`,
    },
  );
}

function nothingFound(missing: readonly ClientProfile[]): CliError {
  const names = missing.map(({ name }) => name).join(", ");
  return new CliError(`Not found on the PATH: ${names}.`, {
    exitCode: EXIT.notFound,
    code: "NOT_FOUND",
    hint: "Name a program with --program FILE, together with one client.",
  });
}

type Examine = (program: Program, profile: ClientProfile, file: string) => Promise<Examined>;

/** @throws {CliError} when no daemon runs, or this shell may not act for its owner */
async function examiner(run: Invocation, { dataDir, runtimeDir }: Directories): Promise<Examine> {
  const { io, out } = run;
  const context = new Context(run);
  const admin = context.admin();
  const entry = { launcher: thisLauncher(io, thisMachine(io).platform), address: context.address(), runtimeDir };
  await admin.health();
  const signal = interruption();
  return async (program, { name, detect: { programs: known } }, file) => {
    out.notice(`Running ${name} ...`);
    const begun = performance.now();
    try {
      const clientVersion = await versionOf(file, known[0]?.versionArgs ?? ["--version"], io.env);
      const options = { program, file, admin, entry, dataDir, env: io.env, timeoutMs: TIMEOUT_MS, signal };
      const checks = await roundTrip(options);
      if (signal.aborted) throw new CliError("Interrupted.", { exitCode: EXIT.interrupted, code: "INTERRUPTED" });
      const { platform, arch } = process;
      const date = new Date(io.now()).toISOString();
      const evidence = {
        client: program.client,
        clientVersion,
        platform,
        arch,
        date,
        productVersion: productVersion(),
        checks,
      };
      const tookMs = Math.round(performance.now() - begun);
      return { evidence, file: writeEvidence(dataDir, evidence), program: file, tookMs };
    } catch (error) {
      if (!(error instanceof NotStartable)) throw error;
      throw new CliError(error.message, { code: "NOT_STARTABLE", hint: "Name another program with --program FILE." });
    }
  };
}
