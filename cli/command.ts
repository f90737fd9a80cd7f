import type { Command } from "commander";
import type { Io } from "./io.ts";
import type { Printer } from "./output/printer.ts";

/** Options every command takes. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly address?: string;
  readonly runtimeDir?: string;
  readonly scope?: string;
}

/** One run of the command line. */
export interface Invocation {
  readonly io: Io;
  readonly out: Printer;
  readonly options: GlobalOptions;
  /** Exit code when nothing is thrown. */
  exitCode: number;
}

/** What the module of a noun exports: it adds arguments, options, subcommands and actions to its command. */
export type Register = (command: Command, invocation: () => Invocation) => void;

/** Adds examples to a command's help. Each is a command line, mostly without the program's name, and what it does. */
export function examples(command: Command, lines: readonly (readonly [example: string, what?: string])[]): Command {
  const full = lines.map(([example, what]) => ({
    line: example.includes("agent-intercom ") ? example : `agent-intercom ${example}`,
    what,
  }));
  const width = Math.max(0, ...full.map(({ line, what }) => (what ? line.length : 0)));
  const text = full.map(({ line, what }) => (what ? `  $ ${line.padEnd(width)}  ${what}` : `  $ ${line}`));
  return command.addHelpText("after", `\nExamples:\n${text.join("\n")}`);
}

interface SubcommandHelp {
  /** A few words for the list of commands, in lower case. */
  readonly summary: string;
  /** More for the command's own help; the summary as a sentence unless given. */
  readonly about?: string;
  readonly examples: readonly (readonly [example: string, what?: string])[];
  readonly isDefault?: boolean;
}

export function sentenceOf(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** Adds a subcommand. `usage` is its name and arguments, e.g. `show <id>`. */
export function subcommand(parent: Command, usage: string, help: SubcommandHelp): Command {
  const { summary, isDefault = false, about = sentenceOf(summary) } = help;
  if (isDefault) {
    const name = usage.split(" ")[0];
    const path = `agent-intercom ${parent.name()} ${name}`;
    parent.addHelpText("after", `\nWithout one of these commands it means: ${path}. Its options: ${path} --help`);
  }
  return examples(parent.command(usage, { isDefault }), help.examples).summary(summary).description(about);
}
