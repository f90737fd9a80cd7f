import { resolve } from "node:path";
import type { BackupReport } from "../../daemon/index.ts";
import { isIntercomError } from "../../protocol/index.ts";
import { type Invocation, type Register, subcommand } from "../command.ts";
import { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { requireFile } from "../files/input-file.ts";
import { writeOutput } from "../files/output-file.ts";
import { facts } from "../output/table.ts";
import { bytes, count, escapeForTerminal, indent } from "../output/text.ts";
import { seconds } from "../output/time.ts";
import { interruption } from "../signals.ts";

/** The recovery tools bring the database driver along, so they are loaded only when needed. */
const recovery = () => import("../../daemon/index.ts");

export const register: Register = (command, invocation) => {
  subcommand(command, "create", {
    summary: "copy everything the daemon has into a file",
    about:
      "Copies the whole database of the running daemon into one file, while everything goes on. The file has its name once it is complete.",
    examples: [
      ["backup create --output intercom-backup.db"],
      ["backup create --output - | gzip > intercom-backup.db.gz", "through other programs"],
    ],
  })
    .requiredOption("--output <file>", "the file to make, - for standard output")
    .option("--force", "overwrite the file if it exists")
    .action(async ({ output, force }: { output: string; force?: boolean }) => {
      const { io, out, admin } = connect(invocation());
      const chunks = admin.backup({ signal: interruption() });
      const written = await writeOutput(io, chunks, { output, force, what: "a backup", binary: true });
      const secret = "It holds everything, also hashes of credentials: keep it as safe as the data itself.";
      const size = `${bytes(written.bytes)} in ${seconds(written.tookMs)}`;
      if (written.file === undefined) return out.notice(`Wrote a backup: ${size}. ${secret}`);
      const file = escapeForTerminal(output);
      out.result(written, () =>
        [`Wrote the backup ${file}: ${size}.`, secret, `Check it with: agent-intercom backup verify ${file}`].join(
          "\n",
        ),
      );
    });

  subcommand(command, "verify <file>", {
    summary: "check that a backup is complete and sound",
    about:
      "Examines every page of a backup and says what it holds. Needs no daemon and changes nothing. Exits with 1 when it is not sound.",
    examples: [["backup verify intercom-backup.db"]],
  }).action(async (file: string) => {
    const run = invocation();
    requireFile(file);
    const report = (await recovery()).verifyBackup(resolve(file));
    const sound = report.problems.length === 0;
    if (!sound) run.exitCode = EXIT.failure;
    run.out.result({ sound, ...report }, () => describeReport(file, report));
  });

  subcommand(command, "restore <file>", {
    summary: "put a backup in place of the data",
    about:
      "Puts a backup in place of the data, while no daemon runs. The backup is checked first and stays as it is; what was there before is kept beside it.",
    examples: [
      ["backup restore intercom-backup.db", "says what it would do"],
      ["backup restore intercom-backup.db --yes"],
      ["backup restore intercom-backup.db --data-dir ./data", "into another directory, on another machine"],
    ],
  })
    .option("--yes", "do it, though there is data that it replaces")
    .option("--data-dir <dir>", "where the daemon keeps its database")
    .action(async (file: string, { yes = false, dataDir }: { yes?: boolean; dataDir?: string }) => {
      const { io, out, options } = invocation();
      requireFile(file);
      const place = dataDir === undefined ? "" : ` --data-dir ${escapeForTerminal(dataDir)}`;
      const again = (from: string): string => `agent-intercom backup restore ${escapeForTerminal(from)}${place} --yes`;
      const { restoreBackup } = await recovery();
      const where = { dataDir, runtimeDir: options.runtimeDir, env: io.env };
      const outcome = await asked(
        () => restoreBackup({ ...where, file: resolve(file), now: io.now(), replace: yes }),
        again(file),
      );
      const { backup, databaseFile, previousData } = outcome;
      const older = backup.schema < backup.knownSchema;
      out.result(outcome, () =>
        [
          `Restored ${escapeForTerminal(file)} (${holds(backup)}) to ${escapeForTerminal(databaseFile)}.`,
          previousData &&
            `What was there before is now ${escapeForTerminal(previousData)}.\nTo go back: ${again(previousData)}`,
          older &&
            "It is from an earlier version: the daemon brings it up to date when it starts, after a backup of its own.",
          "Credentials are those of the backup: newer ones no longer work, and ones replaced since work again.",
          `Now start the daemon: agent-intercom start${place}`,
        ]
          .filter(Boolean)
          .join("\n"),
      );
    });
};

function connect(run: Invocation) {
  const context = new Context(run);
  return { io: context.io, out: context.out, admin: context.admin() };
}

/** Says what to do where a restore is refused. */
async function asked<T>(work: () => T, again: string): Promise<T> {
  try {
    return work();
  } catch (error) {
    const reason = isIntercomError(error) ? error.details?.reason : undefined;
    if (!isIntercomError(error)) throw error;
    if (reason === "data_exists")
      throw usageError(`${error.message}. Nothing was changed.`, `If you mean it: ${again}`);
    if (reason === "already_running") {
      throw new CliError(error.message, {
        exitCode: EXIT.conflict,
        code: error.code,
        details: error.details,
        hint: "Stop it with: agent-intercom stop",
      });
    }
    throw error;
  }
}

function describeReport(file: string, report: BackupReport): string {
  const name = escapeForTerminal(file);
  if (report.problems.length > 0) {
    return [`${name} is not sound.`, ...report.problems.map((problem) => `  ${escapeForTerminal(problem)}`)].join("\n");
  }
  const { schema, knownSchema } = report;
  const lines = facts([
    ["Size", bytes(report.bytes)],
    [
      "Schema",
      schema === knownSchema
        ? `${schema}, as this version has it`
        : `${schema}, of an earlier version; can be restored`,
    ],
    ["Holds", holds(report)],
  ]);
  return `${name} is a sound backup.\n${indent(lines, "  ")}`;
}

/** `2 scopes, 5 agents, 120 messages` */
function holds({ counts }: BackupReport): string {
  const parts = Object.entries(counts).filter(([, n]) => n > 0);
  return parts.length === 0
    ? "nothing yet"
    : parts.map(([kind, n]) => count(n, kind.replace(/s$/, ""), kind)).join(", ");
}
