import { isIntercomError, LIMITS } from "../../protocol/index.ts";
import { given } from "../arguments.ts";
import { type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { readInput } from "../files/input-file.ts";
import { writeOutput } from "../files/output-file.ts";
import { bytes, escapeForTerminal } from "../output/text.ts";
import { seconds } from "../output/time.ts";
import { interruption } from "../signals.ts";

interface ExportOptions {
  readonly output: string;
  readonly extensions?: boolean;
  readonly whileRunning?: boolean;
  readonly force?: boolean;
}

/** Moving one scope between daemons. */
export const registerArchives: Register = (command, invocation) => {
  const connect = () => {
    const context = new Context(invocation());
    return { io: context.io, out: context.out, admin: context.admin() };
  };

  subcommand(command, "export <id>", {
    summary: "write a scope into a portable archive",
    about:
      "Writes a scope with its agents, messages, tasks, questions and streams into a JSON file that another daemon can import. The archive holds no credentials. The scope stays as it is.",
    examples: [
      ["scope export webshop --output webshop.json --extensions", "to move it to another Agent Intercom"],
      ["scope export webshop --output -", "in the form October Bus 0.1 reads, to standard output"],
    ],
  })
    .requiredOption("--output <file>", "the file to make, - for standard output")
    .option("--extensions", "with everything; without it, what only Agent Intercom knows is left out")
    .option("--while-running", "also while agents are running: what they have in hand counts as not begun")
    .option("--force", "overwrite the file if it exists")
    .action(async (scopeId: string, { output, extensions, whileRunning, force }: ExportOptions) => {
      const { io, out, admin } = connect();
      const chunks = admin.exportScopeStream(given({ scopeId, extensions, whileRunning }) as { scopeId: string }, {
        signal: interruption(),
      });
      const written = await writeOutput(io, chunks, { output, force, what: "an archive" }).catch(explainRunning);
      const scope = escapeForTerminal(scopeId);
      const text = `Exported the scope ${scope}: ${bytes(written.bytes)} in ${seconds(written.tookMs)}.`;
      if (written.file === undefined) return out.notice(text);
      out.result({ scopeId, ...written }, () =>
        [
          text,
          ...(extensions ? [] : ["Without --extensions, what only Agent Intercom knows stayed behind."]),
          `On the other machine: agent-intercom scope import ${escapeForTerminal(output)}`,
        ].join("\n"),
      );
    });

  subcommand(command, "import <file>", {
    summary: "make a scope from an archive",
    about:
      "Makes a scope from an archive, as a whole or not at all. Its agents are offline and its publications disabled until they are taken up again. Importing the very same archive again changes nothing.",
    examples: [["scope import webshop.json"], ["scope import -", "from standard input"]],
  }).action(async (file: string) => {
    const { io, out, admin } = connect();
    const archive = readInput(io, file, "an archive", LIMITS.archiveBytes);
    const outcome = await admin.importScopeStream(archive, { signal: interruption() }).catch(explainConflict);
    const scope = escapeForTerminal(outcome.scopeId);
    out.result(outcome, () =>
      outcome.imported
        ? [
            `Imported the scope ${scope}. Its agents are offline until they register again.`,
            `Its token, shown only now: ${outcome.scopeToken}`,
          ].join("\n")
        : [
            `The scope ${scope} was made from this very archive before. Nothing was changed.`,
            `Its token was shown then. A new one: agent-intercom scope rotate-token ${scope}`,
          ].join("\n"),
    );
  });
};

function explainConflict(error: unknown): never {
  if (!isIntercomError(error, "CONFLICT")) throw error;
  throw new CliError(`${error.message}.`, {
    exitCode: EXIT.conflict,
    code: error.code,
    details: error.details,
    hint: "An import changes nothing that is there. If the archive is to replace a scope, delete that first: agent-intercom scope delete",
  });
}

function explainRunning(error: unknown): never {
  if (!isIntercomError(error) || error.details?.reason !== "running") throw error;
  throw new CliError(`The agent ${String(error.details.agentId)} is running in this scope.`, {
    exitCode: EXIT.conflict,
    code: error.code,
    details: error.details,
    hint: "Stop the agents first. Or add --while-running: then what they have in hand counts as not begun.",
  });
}
