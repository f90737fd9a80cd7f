import type { FollowedEvent } from "../../client/index.ts";
import type { Event } from "../../protocol/index.ts";
import { list, wholeNumber } from "../arguments.ts";
import { examples, type Register } from "../command.ts";
import { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import type { Printer } from "../output/printer.ts";
import { escapeForTerminal } from "../output/text.ts";
import { clockTime } from "../output/time.ts";
import { interruption } from "../signals.ts";

interface Options {
  readonly follow?: boolean;
  readonly allScopes?: boolean;
  readonly type?: string[];
  readonly after?: number;
  readonly limit: number;
}

export const register: Register = (command, invocation) => {
  command
    .description(
      "Shows the newest events of a scope, or watches what happens. Events name things and never hold content.",
    )
    .option("-f, --follow", "keep watching, until Ctrl-C")
    .option("--all-scopes", "with --follow: every scope")
    .option("--type <prefixes>", "only types that begin so, e.g. task. or message.acc; may be repeated", list)
    .option("--after <revision>", "only events after this one", wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option("--limit <n>", "without --follow: at most this many", wholeNumber(1, 100), 20)
    .action(async (options: Options) => {
      const context = new Context(invocation());
      if (options.allScopes && !options.follow) throw usageError("--all-scopes goes with --follow.");
      if (options.follow) await follow(context, options);
      else await recent(context, options);
    });
  examples(command, [
    ["events"],
    ["events --follow --type task. --json", "one JSON object per line"],
    ["events --follow --all-scopes"],
  ]);
};

async function recent(context: Context, options: Options): Promise<void> {
  const { out } = context;
  const { client } = await context.owner();
  const { currentRevision } = await client.listEvents({ limit: 1 });
  const after = options.after ?? Math.max(0, currentRevision - options.limit);
  const page = await client.listEvents({ after, limit: options.limit });
  const events = page.events.filter((event) => isWanted(event, options.type));
  out.result({ ...page, events }, () =>
    events.length === 0 ? "No such events." : events.map((event) => eventLine(event, out, false)).join("\n"),
  );
}

async function follow(context: Context, options: Options): Promise<void> {
  const signal = interruption();
  const { after, allScopes = false } = options;
  const source = allScopes ? context.admin() : (await context.owner()).client;
  const start = after === undefined ? { signal } : { after, signal };
  for await (const followed of source.followEvents(start)) print(context.out, followed, options.type, allScopes);
}

function print(out: Printer, followed: FollowedEvent, types: readonly string[] | undefined, withScope: boolean): void {
  if (followed.resync) {
    const { sequence } = followed;
    out.item({ type: "resync", sequence }, () => "Some events were missed; this goes on after them.");
    return;
  }
  const { event, sequence } = followed;
  if (isWanted(event, types)) out.item({ sequence, ...event }, () => eventLine(event, out, withScope));
}

function isWanted({ type }: Event, prefixes: readonly string[] | undefined): boolean {
  return prefixes === undefined || prefixes.some((prefix) => type.startsWith(prefix));
}

/** Attributes a person has no use for; `--json` has them. */
const TECHNICAL = new Set(["executionId", "leaseExpiresAt"]);

/** `12:00:01  task.claimed  task_...  claimedBy=worker status=claimed` */
function eventLine(event: Event, out: Printer, withScope: boolean): string {
  const attributes = Object.entries(event.attributes).filter(([name]) => !TECHNICAL.has(name));
  const parts = [
    clockTime(event.createdAt, out.now()),
    event.type.padEnd(23),
    ...(withScope ? [event.scopeId] : []),
    event.subjectId,
    attributes.map(([name, value]) => `${name}=${value}`).join(" "),
  ];
  return escapeForTerminal(parts.join("  ").trimEnd());
}
