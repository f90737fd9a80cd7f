import type { RetentionCounts, StorageRecord, StorageSummary } from "../../protocol/index.ts";
import { type Invocation, type Register, subcommand } from "../command.ts";
import { Context, type Owner } from "../context.ts";
import { usageError } from "../errors.ts";
import type { Printer } from "../output/printer.ts";
import { table } from "../output/table.ts";
import { bytes, count, escapeForTerminal } from "../output/text.ts";
import { clockTime, parseDuration, relative } from "../output/time.ts";

/** Plain names for kinds of records, by their names in the protocol. */
const KINDS: Readonly<Record<string, string>> = {
  message: "messages",
  task: "tasks",
  taskProgress: "task progress",
  escalation: "questions",
  event: "events",
  a2aPublication: "publications",
  a2aTask: "A2A tasks",
  a2aMessage: "A2A messages",
  credential: "credentials",
  outputStream: "output streams",
  outputValue: "output values",
};

const COUNTED: Readonly<Record<keyof RetentionCounts, string>> = {
  messages: "messages",
  tasks: "tasks",
  taskProgress: "task progress",
  escalations: "questions",
  events: "events",
  a2aTasks: "A2A tasks",
  a2aMessages: "A2A messages",
  linkRequests: "link requests",
};

/** How much a scope holds, and removing what is over. */
export const registerStorage: Register = (command, invocation) => {
  subcommand(command, "storage [id]", {
    summary: "show how much a scope holds",
    about:
      "Shows what a scope holds by kind and state, with its age. Sizes are those of the content, without what the database adds.",
    examples: [["scope storage webshop"], ["scope storage --json", "of the only scope there is"]],
  }).action(async (id: string | undefined) => {
    const run = invocation();
    const summary = await (await ownerOf(run, id)).client.storageSummary();
    run.out.result(summary, () => storageText(summary, run.out));
  });

  subcommand(command, "prune [id]", {
    summary: "remove what was finished long ago",
    about:
      "Removes messages, tasks, questions and events that were finished before an instant. Without --yes it only counts. What somebody still has to deal with, and everything that depends on it, stays however old it is.",
    examples: [
      ["scope prune webshop --before 30d", "counts what was finished more than 30 days ago"],
      ["scope prune webshop --before 2026-01-01T00:00:00Z --yes", "removes it"],
    ],
  })
    .requiredOption("--before <time>", "an age such as 30d or 12h, or an instant such as 2026-01-01T00:00:00Z")
    .option("--yes", "remove it; without this it is only counted")
    .action(async (id: string | undefined, { before: text, yes = false }: { before: string; yes?: boolean }) => {
      const run = invocation();
      const before = instantBefore(text, run.io.now());
      const { client } = await ownerOf(run, id);
      const result = await client.pruneScope({ before, execute: yes });
      run.out.result(result, () => pruneText(result, run.out));
    });
};

/** The owner of the scope that is named, else of the one other commands would take. */
function ownerOf(run: Invocation, id: string | undefined): Promise<Owner> {
  const options = id === undefined ? run.options : { ...run.options, scope: id };
  return new Context({ ...run, options }).owner();
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/i;

/** @throws {CliError} unless it is an age with its unit, or an instant with its zone */
function instantBefore(text: string, now: number): string {
  // A bare number means seconds elsewhere; here that could remove a month too much.
  const age = /^[\d.\s]*$/.test(text) ? undefined : parseDuration(text);
  if (age !== undefined) return new Date(now - age).toISOString();
  const instant = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(instant)) return new Date(instant).toISOString();
  throw usageError(
    `--before: expected an age such as 30d or 12h, or an instant such as 2026-01-01T00:00:00Z, got ${text}.`,
  );
}

function storageText(summary: StorageSummary, out: Printer): string {
  const { scopeId, totalEstimatedBytes } = summary;
  const records = summary.records.filter((record) => record.count > 0);
  if (records.length === 0) return `The scope ${escapeForTerminal(scopeId)} holds nothing.`;
  const rows = table<StorageRecord>(
    [
      { title: "kind", cell: ({ recordType }) => KINDS[recordType] ?? recordType },
      { title: "state", cell: ({ state }) => state },
      { title: "count", cell: (record) => String(record.count), align: "right" },
      { title: "size", cell: ({ estimatedBytes }) => bytes(estimatedBytes), align: "right" },
      { title: "oldest", cell: ({ oldestAt }) => (oldestAt === undefined ? "" : relative(oldestAt, out.now())) },
    ],
    records,
    out.width,
  );
  const total = records.reduce((sum, record) => sum + record.count, 0);
  return `${rows}\n\n${count(total, "record")}, ${bytes(totalEstimatedBytes)} in all.`;
}

function pruneText(
  result: { scopeId: string; before: string; dryRun: boolean; records: RetentionCounts },
  out: Printer,
): string {
  const { scopeId, before, dryRun, records } = result;
  const scope = escapeForTerminal(scopeId);
  const when = `${clockTime(before, out.now())} (${relative(before, out.now())})`;
  const found = Object.entries(records).filter(([, n]) => n > 0) as [keyof RetentionCounts, number][];
  if (found.length === 0) return `Nothing in ${scope} was finished before ${when} and may go.`;
  const rows = table<(typeof found)[number]>(
    [
      { title: "kind", cell: ([kind]) => COUNTED[kind] ?? kind },
      { title: "count", cell: ([, n]) => String(n), align: "right" },
    ],
    found,
    out.width,
  );
  return dryRun
    ? [
        `Finished before ${when} in ${scope}:`,
        rows,
        "",
        "Nothing was removed, this only counts. To remove it, which cannot be undone:",
        `  agent-intercom scope prune ${scope} --before ${before} --yes`,
      ].join("\n")
    : [`Removed from ${scope} what was finished before ${when}:`, rows].join("\n");
}
