import { Command, CommanderError } from "commander";
import { type GlobalOptions, type Invocation, type Register, sentenceOf } from "./command.ts";
import { nouns } from "./commands/index.ts";
import { EXIT } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { Printer } from "./output/printer.ts";

/** Runs one command line and returns its exit code. Whatever goes wrong is told on standard error; nothing is thrown. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  // Errors of the command line itself come before its options are known.
  let out = new Printer(io, asksForJson(argv));
  const program = new Command();
  let invocation: Invocation | undefined;
  const current = (): Invocation => {
    if (invocation) return invocation;
    const options = program.opts<GlobalOptions>();
    out = new Printer(io, options.json ?? false);
    invocation = { io, out, options, exitCode: EXIT.ok };
    return invocation;
  };
  buildProgram(program, io, current);
  try {
    await program.parseAsync(argv.length === 0 ? ["--help"] : [...argv], { from: "user" });
    return invocation?.exitCode ?? EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError && isHelp(error)) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { toCliError } = await import("./errors.ts");
    const failure = toCliError(error, helpCommand(program, argv));
    out.error(failure);
    if (io.env.AGENT_INTERCOM_LOG === "debug" && error instanceof Error) io.stderr.write(`${error.stack}\n`);
    return failure.exitCode;
  }
}

function buildProgram(program: Command, io: Io, current: () => Invocation): void {
  program
    .name("agent-intercom")
    .description("Lets the coding agents on this machine find each other, exchange messages, share tasks and ask you.")
    .option("--json", "print results as JSON, for programs")
    .option("--scope <id>", "the scope to act in (default: the only one, or AGENT_INTERCOM_SCOPE)")
    .option("--address <url>", "the daemon to talk to (default: the one of this user)")
    .option("--runtime-dir <dir>", "where the daemon leaves its run file")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // Said once, by the caller, in the form that was asked for.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
    .addHelpText(
      "after",
      "\nBegin with: agent-intercom start, then agent-intercom demo.\nExit codes: agent-intercom help exit-codes",
    );

  const loads = new Map<string, () => Promise<Register>>();
  let group = "";
  for (const noun of nouns) {
    if (noun.group !== group) program.commandsGroup(`${noun.group}:`);
    group = noun.group;
    program.command(noun.name).summary(noun.summary).description(sentenceOf(noun.summary)).helpCommand(false);
    loads.set(noun.name, noun.load);
  }
  // Only the module of the command that runs is loaded.
  program.hook("preSubcommand", async (_program, subcommand) => {
    const load = loads.get(subcommand.name());
    if (!load) return;
    loads.delete(subcommand.name());
    (await load())(subcommand, current);
  });
}

/** The command line that shows help on what was tried. */
function helpCommand(program: Command, argv: readonly string[]): string {
  const words = [program.name()];
  let command: Command | undefined = program;
  for (const word of argv) {
    const next: Command | undefined = command.commands.find((each) => each.name() === word);
    if (!next) continue;
    words.push(word);
    command = next;
  }
  return [...words, "--help"].join(" ");
}

function isHelp(error: CommanderError): boolean {
  return (
    error.code === "commander.helpDisplayed" || error.code === "commander.help" || error.code === "commander.version"
  );
}

function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? argv.length : end).includes("--json");
}
